/**
 * Repairs partitions of lending.book-events in which events are missing. An event cannot be inserted before others, so all
 * records of the partition are removed and its publisher writes all of them again from Postgres. Followers drop what they
 * know by its number.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Database, query } from '#libs/database/database.ts';
import { readPartitionPositions } from '#libs/database/partitions.ts';
import { PublishingLocks } from '#libs/database/publishing-locks.ts';
import { isRecorded } from '#libs/database/read-events.ts';
import type { BookEvent, BookEventCodec } from '#libs/kafka/book-event.ts';
import { allPartitions } from '#libs/kafka/book-key-partition.ts';
import type { KafkaClient } from '#libs/kafka/kafka-client.ts';
import { readTopicTails, removeAllRecords } from '#libs/kafka/topic-offsets.ts';
import { topics } from '#libs/kafka/topics.ts';
import { RepairError } from './stopped-processors.ts';

export interface RepairTopicOptions {
  readonly kafka: KafkaClient;
  readonly codec: BookEventCodec;
  readonly database: Database;
  /** Logs in as the services do: only the same login may end the session of a publisher. */
  readonly lockDatabase: Database;
  readonly onProgress: (line: string) => void;
  readonly stallTimeoutMs?: number;
}

const pollIntervalMs = 500;
/** Shorter than a publisher needs to connect again. */
const lockPollIntervalMs = 10;
/** Longer than the time after which a publisher checks a stopped partition again. */
const defaultStallTimeoutMs = 90_000;

export async function repairTopic(options: RepairTopicOptions, partitions: readonly number[]): Promise<void> {
  for (const partition of partitions) await requireAllFacts(options.database, partition);
  const locks = new PublishingLocks(options.lockDatabase);
  try {
    for (const partition of partitions) {
      // Refused while a publisher holds it; after a few seconds the publisher's session is ended.
      while (!(await locks.acquire(partition))) await sleep(lockPollIntervalMs);
      await requireRecorded(options, partition);
      await removeAllRecords(options.kafka, topics.bookEvents, [partition]);
      await locks.release(partition);
      options.onProgress(`partition ${partition}: all records are removed; its publisher writes them again`);
    }
  } finally {
    locks.close();
  }
  await waitUntilPublished(options, partitions);
}

/** The events are published again from the facts: with one missing, the topic must not be emptied. */
async function requireAllFacts(database: Database, partition: number): Promise<void> {
  const text = `SELECT p.next_event - 1 AS committed, count(f.event_number) AS facts, coalesce(max(f.event_number), 0) AS last
    FROM partitions p LEFT JOIN facts f USING (partition) WHERE p.partition = $1 GROUP BY p.next_event`;
  const rows = await query<{ committed: number; facts: number; last: number }>(database, 'facts_of_partition', text, [
    partition,
  ]);
  const { committed, facts, last } = rows[0] ?? { committed: 0, facts: 0, last: 0 };
  if (facts !== committed || last !== committed)
    throw new RepairError(
      `partition ${partition}: the database committed ${committed} facts and holds ${facts}; the topic is the only complete ` +
        'copy and is not changed. Run `lending audit`',
    );
}

/** How many records are read at the end of a partition: the last ones may repeat earlier events. */
const lastRecords = 100;

/** A database that was set back lacks facts of which the topic is the only copy. */
async function requireRecorded({ kafka, codec, database }: RepairTopicOptions, partition: number): Promise<void> {
  const tails = await readTopicTails(kafka, topics.bookEvents, [partition], (_, { high }) => high - lastRecords);
  let last: BookEvent | undefined;
  for (const { value } of tails.get(partition)?.records ?? []) {
    const event = await codec.decode(value);
    if (last === undefined || event.sequence >= last.sequence) last = event;
  }
  if (last === undefined || (await isRecorded(database, last))) return;
  throw new RepairError(
    `partition ${partition}: the topic holds event ${last.sequence}, which the database lacks; the topic is the only copy and is ` +
      'not changed. The database was set back: stop the processors and run `lending reconcile`',
  );
}

/** Resolves when the last event of each partition is in the topic again. */
export async function waitUntilPublished(
  { kafka, codec, database, onProgress, stallTimeoutMs = defaultStallTimeoutMs }: RepairTopicOptions,
  partitions: readonly number[] = allPartitions,
): Promise<void> {
  let published = -1;
  for (let changedAt = performance.now(); ; ) {
    const positions = await readPartitionPositions(database, partitions);
    const committed = [...positions.values()].reduce((sum, { nextEvent }) => sum + nextEvent - 1, 0);
    const tails = await readTopicTails(kafka, topics.bookEvents, partitions, (_, { high }) => high - 1);
    let found = 0;
    for (const { records } of tails.values()) {
      const last = records.at(-1);
      if (last !== undefined) found += Number((await codec.decode(last.value)).sequence);
    }
    if (found >= committed) return;
    if (found !== published) {
      onProgress(`${found} of ${committed} events are published`);
      changedAt = performance.now();
    } else if (performance.now() - changedAt > stallTimeoutMs) {
      throw new RepairError('nothing is published; start a processor, it publishes the rest by itself');
    }
    published = found;
    await sleep(pollIntervalMs);
  }
}
