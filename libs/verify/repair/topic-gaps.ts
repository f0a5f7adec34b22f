/** Reads the whole of lending.book-events and compares its numbers with what the database has committed. */
import type { PartitionPosition } from '#libs/database/partitions.ts';
import type { BookEventCodec } from '#libs/kafka/book-event.ts';
import type { KafkaClient } from '#libs/kafka/kafka-client.ts';
import { readTopic } from '#libs/kafka/topic-follower.ts';
import { topics } from '#libs/kafka/topics.ts';
import type { Logger } from '#libs/runtime/logging.ts';

export interface CheckedPartition {
  readonly partition: number;
  /** The number of the last event in the topic. */
  readonly last: number;
  readonly committed: number;
  /** The first missing event before the last one. */
  readonly firstMissing?: number;
}

export interface TopicCheckOptions {
  readonly kafka: KafkaClient;
  readonly codec: BookEventCodec;
  readonly logger: Logger;
  readonly readPositions: () => Promise<ReadonlyMap<number, PartitionPosition>>;
}

export async function checkTopic({
  kafka,
  codec,
  logger,
  readPositions,
}: TopicCheckOptions): Promise<CheckedPartition[]> {
  const last = new Map<number, number>();
  const firstMissing = new Map<number, number>();
  await readTopic({
    kafka,
    topic: topics.bookEvents,
    logger,
    async onRecords(partition, records) {
      for (const { value } of records) {
        const event = await codec.decode(value ?? Buffer.alloc(0));
        const number = Number(event.sequence);
        const before = last.get(partition) ?? 0;
        if (number > before + 1 && !firstMissing.has(partition)) firstMissing.set(partition, before + 1);
        last.set(partition, Math.max(before, number));
      }
    },
  });
  // After the topic: what is committed meanwhile is published meanwhile, too.
  const positions = [...(await readPositions())].sort(([a], [b]) => a - b);
  return positions.map(([partition, { nextEvent }]) => {
    const missing = firstMissing.get(partition);
    return {
      partition,
      last: last.get(partition) ?? 0,
      committed: nextEvent - 1,
      ...(missing === undefined ? {} : { firstMissing: missing }),
    };
  });
}
