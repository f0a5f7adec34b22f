/** What the page of health shows of Kafka and of the backing services: read in the background, because it may take seconds. */

import type { MissingDependency, Readiness } from '#libs/runtime/health.ts';
import type { Logger } from '#libs/runtime/logging.ts';
import { LatestReading, type Reading, type ReadingTimes } from './latest-reading.ts';
import { type TopicReaderOptions, type TopicState, topicReader } from './topic-state.ts';

/** The backing services that do not answer this process. */
export interface MissingDependencies extends Reading {
  readonly missing: readonly MissingDependency[];
}

export interface CellReadings {
  readonly topics: LatestReading<TopicState>;
  readonly dependencies: LatestReading<MissingDependencies>;
  stop(): void;
}

export interface CellReadingsOptions extends TopicReaderOptions {
  readonly readiness: () => Promise<Readiness>;
  readonly logger: Logger;
}

const times: ReadingTimes = { intervalMs: 30_000, freshMs: 1_000, maxWaitMs: 100, maxAgeMs: 120_000 };
/** Reading the ends of topics takes a consumer of its own. */
const timesOfTopics: ReadingTimes = { ...times, freshMs: 10_000 };

export function openCellReadings({ readiness, logger, ...options }: CellReadingsOptions): CellReadings {
  const topics = new LatestReading({ name: 'topics', read: topicReader(options), times: timesOfTopics, logger });
  const dependencies = new LatestReading({ name: 'dependencies', read: () => readMissing(readiness), times, logger });
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
