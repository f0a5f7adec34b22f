/** What the page of health shows of Kafka and of the backing services: read in the background, because it may take seconds. */
import type { KafkaClient } from '#libs/kafka/kafka-client.ts';
import type { UrlSource } from '#libs/runtime/follow-setting.ts';
import type { MissingDependency, Readiness } from '#libs/runtime/health.ts';
import { LatestReading, type Reading, type ReadingTimes } from './latest-reading.ts';
import { type TopicState, topicReader } from './topic-state.ts';

/** The backing services that do not answer this process. */
export interface MissingDependencies extends Reading {
  readonly missing: readonly MissingDependency[];
}

export interface CellReadings {
  readonly topics: LatestReading<TopicState>;
  readonly dependencies: LatestReading<MissingDependencies>;
  stop(): void;
}

const times: ReadingTimes = { intervalMs: 30_000, freshMs: 1_000, maxWaitMs: 100, maxAgeMs: 120_000 };
/** Reading the ends of topics takes consumers of their own. */
const timesOfTopics: ReadingTimes = { ...times, freshMs: 10_000 };

export function openCellReadings(
  kafka: KafkaClient,
  schemaRegistryUrl: UrlSource,
  readiness: () => Promise<Readiness>,
): CellReadings {
  const topics = new LatestReading(topicReader(kafka, schemaRegistryUrl), timesOfTopics);
  const dependencies = new LatestReading(() => readMissing(readiness), times);
  return {
    topics,
    dependencies,
    stop() {
      topics.stop();
      dependencies.stop();
    },
  };
}

async function readMissing(readiness: () => Promise<Readiness>): Promise<MissingDependencies> {
  const { not_ready: notReady, degraded } = await readiness();
  return { readAt: Date.now(), missing: [...notReady, ...degraded] };
}
