/**
 * Repairs partitions of lending.book-events in which events are missing. An event cannot be inserted before others, so all
 * records of the partition are removed and its publisher writes all of them again from Postgres. Followers drop what they
 * know by its number.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Database, query } from '#libs/database/database.ts';
import { readPartitionPositions } from '#libs/database/partitions.ts';
import { PublishingLocks } from '#libs/database/publishing-locks.ts';
import type { BookEventCodec } from '#libs/kafka/book-event.ts';
import type { KafkaClient } from '#libs/kafka/kafka-client.ts';
import { RemovalNotConfirmedError, readTopicTails, removeAllRecords } from '#libs/kafka/topic-offsets.ts';
import { topics } from '#libs/kafka/topics.ts';
import { silentLogger } from '#libs/runtime/logging.ts';
import { RepairError } from './stopped-processors.ts';
import { checkTopic } from './topic-gaps.ts';

export interface RepairTopicOptions {
  readonly kafka: KafkaClient;
  readonly codec: BookEventCodec;
  readonly database: Database;
  /** Logs in as the services do: only the same login may end the session of a publisher. */
  readonly lockDatabase: Database;
  readonly onProgress: (line: string) => void;
  /** Called with the events that were read or published, and all there are: first those to check, then the new ones. */
  readonly onEvents?: ((done: number, total: number) => void) | undefined;
  readonly stallTimeoutMs?: number;
}

const pollIntervalMs = 500;
/** Longer than the time after which a publisher checks a stopped partition again. */
const defaultStallTimeoutMs = 90_000;

export async function repairTopic(options: RepairTopicOptions, partitions: readonly number[]): Promise<void> {
  for (const partition of partitions) await requireAllFacts(options.database, partition);
  // Before the locks: it takes long, and a publisher would take its lock back after seconds.
  await requireRecorded(options, partitions);
  const locks = new PublishingLocks(options.lockDatabase);
  try {
    for (const partition of partitions) await removeRecords(options, locks, partition);
  } finally {
    locks.close();
  }
  try {
    await waitUntilPublished(options, partitions);
    await requireComplete(options, partitions);
  } catch (cause) {
    if (cause instanceof RepairError) throw cause;
    const names = partitions.join(', ');
    throw new RepairError(
      `all records of partitions ${names} were removed, and it is not known whether their publishers wrote all of them again ` +
        `(${cause instanceof Error ? cause.message : String(cause)}). Run \`lending topic check\`: it names the partitions to ` +
        'repair again',
      { cause },
    );
  }
}

/**
 * A removal that is not confirmed may happen after the publisher has read the end of the partition and gone on. What it
 * wrote before the removal is then missing, and no publisher notices it.
 */
async function removeRecords(
  { kafka, onProgress }: RepairTopicOptions,
  locks: PublishingLocks,
  partition: number,
): Promise<void> {
  await locks.take(partition);
  try {
    await removeAllRecords(kafka, topics.bookEvents, [partition], () => requireLock(locks, partition));
  } catch (cause) {
    if (!(cause instanceof RemovalNotConfirmedError)) throw cause;
    throw new RepairError(
      `partition ${partition}: ${cause.message}. Run \`lending topic repair --partition ${partition}\` again: until it has ended ` +
        'well, events may be missing. `lending topic check` shows whether any is',
      { cause },
    );
  }
  onProgress(`partition ${partition}: all records are removed; its publisher writes them again`);
  // A session that has ended holds no lock; whether its publisher went on too early is checked at the end.
  await locks.release(partition).catch(() => undefined);
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

/**
 * A database that was set back lacks facts of which the topic is the only copy. Read from the beginning: any number of
 * repeated events may follow the last one.
 */
async function requireRecorded(
  { kafka, codec, database, onEvents }: RepairTopicOptions,
  partitions: readonly number[],
): Promise<void> {
  const checked = await checkTopic({ kafka, codec, database, partitions, logger: silentLogger, onRead: onEvents });
  for (const { partition, last, committed, differentEvent } of checked) {
    const lacking = last > committed ? last : differentEvent;
    if (lacking === undefined) continue;
    throw new RepairError(
      `partition ${partition}: the topic holds event ${lacking}, which the database lacks; the topic is the only copy and is ` +
        'not changed. The database was set back: stop the processors and run `lending reconcile`',
    );
  }
}

/** A publisher that took the lock back has read the end of the partition, and would go on behind the removed records. */
async function requireLock(locks: PublishingLocks, partition: number): Promise<void> {
  await locks.confirmHeld([partition]).catch((cause: unknown) => {
    throw new RepairError(
      `partition ${partition}: the session with its lock ended, so its publisher may publish; no record was removed. ` +
        `Run \`lending topic repair --partition ${partition}\` again`,
      { cause },
    );
  });
}

/** Resolves when each partition was seen with the last event that was committed. */
async function waitUntilPublished(
  { kafka, codec, database, onProgress, onEvents, stallTimeoutMs = defaultStallTimeoutMs }: RepairTopicOptions,
  partitions: readonly number[],
): Promise<void> {
  const startedAt = performance.now();
  const waiting = new Map(partitions.map((partition) => [partition, { published: -1, changedAt: startedAt }]));
  const counts = new Map<number, { readonly published: number; readonly committed: number }>();
  for (;;) {
    const positions = await readPartitionPositions(database, [...waiting.keys()]);
    const tails = await readTopicTails(kafka, topics.bookEvents, [...waiting.keys()], (_, { high }) => high - 1);
    for (const [partition, known] of waiting) {
      const committed = (positions.get(partition)?.nextEvent ?? 1) - 1;
      const last = tails.get(partition)?.records.at(-1);
      const published = last === undefined ? 0 : Number((await codec.decode(last.value)).sequence);
      counts.set(partition, { published, committed });
      const place = `partition ${partition}: ${published} of ${committed} events are published`;
      if (published >= committed) waiting.delete(partition);
      else if (published !== known.published) {
        onProgress(place);
        waiting.set(partition, { published, changedAt: performance.now() });
      } else if (performance.now() - known.changedAt > stallTimeoutMs) {
        throw new RepairError(
          `${place}, and no more for a while; start its processor again, it publishes the rest by itself`,
        );
      }
    }
    const sumOf = (count: 'published' | 'committed'): number =>
      [...counts.values()].reduce((sum, each) => sum + each[count], 0);
    onEvents?.(sumOf('published'), sumOf('committed'));
    if (waiting.size === 0) return;
    await sleep(pollIntervalMs);
  }
}

/** A removal that reached Kafka late, after the publisher had read the end, removed events that are not written again. */
async function requireComplete(
  { kafka, codec, database, onEvents }: RepairTopicOptions,
  partitions: readonly number[],
): Promise<void> {
  const checked = await checkTopic({ kafka, codec, database, partitions, logger: silentLogger, onRead: onEvents });
  const incomplete = checked.find(({ firstMissing }) => firstMissing !== undefined);
  if (incomplete === undefined) return;
  const { partition, firstMissing } = incomplete;
  throw new RepairError(
    `event ${firstMissing} of partition ${partition} is missing after the repair: its publisher went on before all records ` +
      `were removed. Run \`lending topic repair --partition ${partition}\` again`,
  );
}
