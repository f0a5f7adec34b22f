/** Reads lending.book-events from its beginning and compares its numbers with what the database has committed. */
import type { Database } from '#libs/database/database.ts';
import { readOwnPositions, readPartitionPositions } from '#libs/database/partitions.ts';
import { isRecorded } from '#libs/database/read-events.ts';
import type { BookEvent, BookEventCodec } from '#libs/kafka/book-event.ts';
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
  /** The last event of those that both should hold, where the database holds another fact or none in its place. */
  readonly differentEvent?: number;
}

export interface TopicCheckOptions {
  readonly kafka: KafkaClient;
  readonly codec: BookEventCodec;
  readonly logger: Logger;
  readonly database: Database;
  /** Default: those of the database. */
  readonly partitions?: readonly number[];
  /** Called with the events that were read, and all there are. */
  readonly onRead?: ((read: number, total: number) => void) | undefined;
}

export async function checkTopic(options: TopicCheckOptions): Promise<CheckedPartition[]> {
  const { kafka, codec, logger, database, onRead } = options;
  const partitions = options.partitions ?? [...(await readOwnPositions(database)).keys()];
  const committed = await readPartitionPositions(database, partitions);
  const compared = new Map<number, BookEvent>();
  const last = new Map<number, number>();
  const firstMissing = new Map<number, number>();
  await readTopic({
    kafka,
    topic: topics.bookEvents,
    logger,
    onRead,
    from: ({ low, high }, partition) => (partitions.includes(partition) ? low : high),
    async onRecords(partition, records) {
      for (const { value } of records) {
        const event = await codec.decode(value ?? Buffer.alloc(0));
        const number = Number(event.sequence);
        const before = last.get(partition) ?? 0;
        if (number > before + 1 && !firstMissing.has(partition)) firstMissing.set(partition, before + 1);
        last.set(partition, Math.max(before, number));
        if (number < (committed.get(partition)?.nextEvent ?? 0) && number > before) compared.set(partition, event);
      }
    },
  });
  // After the topic: what is committed meanwhile is published meanwhile, too.
  const positions = [...(await readPartitionPositions(database, partitions))].sort(([a], [b]) => a - b);
  const different = new Map<number, number>();
  for (const [partition, event] of compared)
    if (!(await isRecorded(database, event))) different.set(partition, Number(event.sequence));
  return positions.map(([partition, { nextEvent }]) => {
    const missing = firstMissing.get(partition);
    const differentEvent = different.get(partition);
    return {
      partition,
      last: last.get(partition) ?? 0,
      committed: nextEvent - 1,
      ...(missing === undefined ? {} : { firstMissing: missing }),
      ...(differentEvent === undefined ? {} : { differentEvent }),
    };
  });
}
