/** The topics and what they keep. The number of partitions is fixed at the birth of a cell. */
import type { Kafka } from 'kafkajs';
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
    { name: 'retention.ms', value: thirtyDays },
    { name: 'max.message.bytes', value: largest },
  ],
  [topics.bookEvents]: [
    { name: 'cleanup.policy', value: 'delete' },
    { name: 'retention.ms', value: '-1' },
    { name: 'retention.bytes', value: '-1' },
    { name: 'max.message.bytes', value: largest },
  ],
  [topics.parked]: [
    { name: 'retention.ms', value: thirtyDays },
    { name: 'max.message.bytes', value: largest },
  ],
};

/** Makes what is missing. A topic with another number of partitions stops the start: books would change their place. */
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
          configEntries: [...(kept[topic] ?? [])],
        })),
      });
    }
    const { topics: described } = await admin.fetchTopicMetadata({ topics: Object.values(topics) });
    for (const { name, partitions } of described) {
      if (partitions.length !== partitionCount) {
        throw new Error(`${name} has ${partitions.length} partitions where this cell was born with ${partitionCount}`);
      }
    }
  } finally {
    await admin.disconnect();
  }
}
