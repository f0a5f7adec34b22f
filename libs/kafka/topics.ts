/** The topics and what they keep. The number of partitions is fixed at the birth of a cell. */
import kafkajs, { type Admin, type ITopicMetadata, type Kafka } from 'kafkajs';
import { partitionCount } from './book-key.ts';

export const topics = {
  submissions: 'lending.submissions',
  bookEvents: 'lending.book-events',
  parked: 'lending.parked',
} as const;

const thirtyDays = String(30 * 24 * 3_600_000);
// A body of 8 MiB that does not compress travels once as evidence and once as items.
const largest = String(24 * 1024 * 1024);

/** What each topic keeps, in the words of the broker. */
export const kept: Readonly<Record<string, readonly { name: string; value: string }[]>> = {
  [topics.submissions]: [
    { name: 'cleanup.policy', value: 'delete' },
    { name: 'retention.ms', value: thirtyDays },
    { name: 'retention.bytes', value: '-1' },
    { name: 'max.message.bytes', value: largest },
  ],
  [topics.bookEvents]: [
    { name: 'cleanup.policy', value: 'delete' },
    { name: 'retention.ms', value: '-1' },
    { name: 'retention.bytes', value: '-1' },
    { name: 'max.message.bytes', value: largest },
  ],
  [topics.parked]: [
    { name: 'cleanup.policy', value: 'delete' },
    { name: 'retention.ms', value: thirtyDays },
    { name: 'retention.bytes', value: '-1' },
    { name: 'max.message.bytes', value: largest },
  ],
};

/** Nothing is acknowledged that one broker alone holds: of three one may be lost, and until then one may be away. */
function heldBy(replicas: number): { name: string; value: string }[] {
  return replicas >= 3 ? [{ name: 'min.insync.replicas', value: '2' }] : [];
}

/**
 * Makes what is missing. A topic with another number of partitions stops the start: books would change their place; so
 * does one that keeps less than it must.
 */
export async function ensureTopics(kafka: Kafka, replicas = 1): Promise<void> {
  const admin = kafka.admin();
  await admin.connect();
  try {
    const there = new Set(await admin.listTopics());
    const missing = Object.values(topics).filter((topic) => !there.has(topic));
    if (missing.length > 0) {
      await admin.createTopics({
        waitForLeaders: true,
        topics: missing.map((topic) => ({
          topic,
          numPartitions: partitionCount,
          replicationFactor: replicas,
          configEntries: [...(kept[topic] ?? []), ...heldBy(replicas)],
        })),
      });
    }
    const { topics: described } = await admin.fetchTopicMetadata({ topics: Object.values(topics) });
    for (const { name, partitions } of described) {
      if (partitions.length !== partitionCount) {
        throw new Error(`${name} has ${partitions.length} partitions where this cell was born with ${partitionCount}`);
      }
    }
    await refuseLossy(
      admin,
      described.filter(({ name }) => there.has(name)),
    );
  } finally {
    await admin.disconnect();
  }
}

/** They are told and not changed: who set them may have meant it, and what they deleted does not come back. */
async function refuseLossy(admin: Admin, there: readonly ITopicMetadata[]): Promise<void> {
  if (there.length === 0) return;
  const { resources } = await admin.describeConfigs({
    includeSynonyms: false,
    resources: there.map(({ name }) => ({ type: kafkajs.ConfigResourceTypes.TOPIC, name })),
  });
  const problems = there.flatMap(({ name: topic, partitions }) => {
    const entries = resources.find(({ resourceName }) => resourceName === topic)?.configEntries ?? [];
    const settings = new Map(entries.map(({ configName, configValue }) => [configName, configValue]));
    const replicas = Math.min(...partitions.map((partition) => partition.replicas.length));
    return [...(kept[topic] ?? []), ...heldBy(replicas)].flatMap(({ name, value }) => {
      const must = unmet(name, settings.get(name), value);
      return must === undefined ? [] : [`${topic} has ${name}=${settings.get(name)} where it must be ${must}`];
    });
  });
  if (problems.length === 0) return;
  throw new Error(`${problems.join('\n')}\nChange them with kafka-configs --alter, then prepare the cell again.`);
}

/** What it must be where it is not; what is larger, or without an end, keeps as much. */
function unmet(name: string, found: string | undefined, least: string): string | undefined {
  // It keeps nothing: what is too large for it is refused when it comes, not lost.
  if (name === 'max.message.bytes' || found === undefined || found === least) return undefined;
  if (name === 'cleanup.policy' || least === '-1') return least;
  return found === '-1' || Number(found) >= Number(least) ? undefined : `at least ${least}`;
}
