/**
 * After a database was set back to an earlier moment: brings its partitions forward again from the topics. Events after the restored
 * position become facts again, as in a rebuild. What the log holds after them was perhaps acknowledged without being
 * published, and is submitted again.
 */
import type { BookKey } from '#libs/database/books.ts';
import { type Database, inTransaction, type Queryable, query } from '#libs/database/database.ts';
import {
  lockPartitions,
  type PartitionPosition,
  releasePartitions,
  requireNoMove,
  reservePartitions,
} from '#libs/database/partitions.ts';
import { isRecorded } from '#libs/database/read-events.ts';
import { missingMigrations } from '#libs/database/required-migrations.ts';
import { AvroCodec } from '#libs/kafka/avro-codec.ts';
import { bookEventSchema } from '#libs/kafka/book-event.ts';
import type { KafkaClient } from '#libs/kafka/kafka-client.ts';
import { SchemaRegistry } from '#libs/kafka/schema-registry.ts';
import { type SubmissionCodec, type SubmissionRecord, submissionSchema } from '#libs/kafka/submission-record.ts';
import type { TopicRecord } from '#libs/kafka/topic-consumer.ts';
import { readTopic } from '#libs/kafka/topic-follower.ts';
import { topicOffsets } from '#libs/kafka/topic-offsets.ts';
import { topics } from '#libs/kafka/topics.ts';
import { isBookId } from '#libs/ledger/book-id.ts';
import { endAllSessions } from '#libs/people/sessions.ts';
import type { Logger } from '#libs/runtime/logging.ts';
import { setRevisions } from '../rebuild/cutover.ts';
import { findLogStarts, maxDecisionDelayMicros } from '../rebuild/find-log-starts.ts';
import { foldBooks } from '../rebuild/fold-books.ts';
import { type PartitionProgress, TopicIngest } from '../rebuild/ingest.ts';
import { parkBooks } from '../rebuild/restore-from-topic.ts';
import { type ProcessedPosition, resubmit } from '../rebuild/resubmit.ts';
import { servingSchema } from '../rebuild/shadow-schema.ts';
import { type NumericBookEvent, writeEvents } from '../rebuild/write-events.ts';
import { type LaterPersonAct, readLaterPersonActs } from './later-person-acts.ts';
import { type RecordedSince, readRecordedSince } from './recorded-since.ts';
import { RepairError } from './stopped-processors.ts';

export interface ReconcileOptions {
  readonly kafka: KafkaClient;
  readonly schemaRegistryUrl: string;
  /** With the login of the owner of the tables. */
  readonly owner: Database;
  readonly logger: Logger;
  /** Called with the events of the topic that were read, and all there are. */
  readonly onRead?: ((read: number, total: number) => void) | undefined;
}

export interface ReconcileResult {
  /** Facts that the topic held and the database lacked. */
  readonly importedFacts: number;
  readonly resubmitted: number;
  /** Partitions whose topic no longer holds the submissions right after the last event. */
  readonly partitionsWithGap: readonly number[];
  /** Books that were parked after the restored moment. What waited with them is in lending.parked only. */
  readonly parkedBooks: readonly string[];
  /** What an operator does again: the people of the console are as of the restored moment. */
  readonly laterPersonActs: readonly LaterPersonAct[];
  /** All of the console. Some of those that were restored had ended, and their people may have lost rights. */
  readonly endedSessions: number;
  /** What the database holds and the topic lacks; a processor publishes it. */
  readonly unpublishedFacts: number;
}

/** Reserved partitions whose facts are complete again. */
export interface BroughtForward {
  readonly result: Omit<ReconcileResult, 'endedSessions'>;
  /** The time of the last fact that the set back database held, in microseconds since 1970; 0 where it held none. */
  readonly restoredAt: number;
  /** From then on processors may start. Returns how many sessions of the console ended. */
  readonly release: () => Promise<number>;
}

/** Call it while no processor runs. */
export async function reconcile(options: ReconcileOptions): Promise<ReconcileResult> {
  const { result, release } = await bringForward(options);
  return { ...result, endedSessions: await release() };
}

/**
 * Call it while no processor runs. Repeating it is safe: until the release the partitions stay at their restored offsets,
 * from which a later run finds the same submissions and parked books.
 */
export async function bringForward(options: ReconcileOptions): Promise<BroughtForward> {
  const { kafka, schemaRegistryUrl, owner, logger, onRead } = options;
  await requireMigrations(owner);
  await requireNoMove(owner);
  const before = await reservePartitions(owner);
  const partitions = new Set(before.keys());
  const registry = new SchemaRegistry(schemaRegistryUrl);
  // Rows are written from numbers, which are exact until 2^52 microseconds, in the year 2112.
  const schema = { ...bookEventSchema, exactLongs: false };
  const codec = await AvroCodec.open<NumericBookEvent>(registry, schema);
  const ingest = await TopicIngest.open({
    kafka,
    codec,
    logger,
    partitions,
    stored: new Map([...before].map(([partition, { nextEvent }]) => [partition, nextEvent - 1])),
    compareStored: (event) => requireSameFact(owner, event),
    write: (events) => importEvents(owner, before, events),
  });
  try {
    await ingest.readToEnd(onRead);
  } finally {
    await ingest.stop();
  }
  const { eventCount, highest } = ingest;
  // Of these the event that the database ends with was not in the topic, and was not compared while it was read.
  for (const [partition, event] of highest)
    if (event.sequence < (before.get(partition)?.nextEvent ?? 1) - 1) await requireSameFact(owner, event);
  await inTransaction(owner, (transaction) => setRevisions(transaction, servingSchema));
  const submissionCodec = await AvroCodec.open<SubmissionRecord>(registry, submissionSchema);
  const recorded = await readRecordedSince(owner, before);
  const positions = await withPresentLogStarts(options, submissionCodec, { before, recorded });
  const { nextOffsets, resubmitted, partitionsWithGap } = await resubmit({
    kafka,
    codec: submissionCodec,
    logger,
    progress: processedSubmissions(positions, recorded.progress),
    nowMs: Date.now(),
    partitions,
  });
  const parkedBooks = await parkAgain(options, submissionCodec, { restoredAt: recorded.restoredAt, partitions });
  const laterPersonActs = await readLaterPersonActs(owner, recorded.restoredEvents);
  const unpublished = [...before].map(([partition, { nextEvent }]) =>
    Math.max(0, nextEvent - 1 - (highest.get(partition)?.sequence ?? 0)),
  );
  return {
    result: {
      importedFacts: eventCount,
      resubmitted,
      partitionsWithGap,
      parkedBooks,
      laterPersonActs,
      unpublishedFacts: unpublished.reduce((sum, n) => sum + n, 0),
    },
    restoredAt: recorded.restoredAt,
    release: () => movePositions(owner, positions, nextOffsets),
  };
}

/** The restored moment may be before an upgrade. */
async function requireMigrations(owner: Database): Promise<void> {
  const missing = await missingMigrations(owner);
  if (missing.length === 0) return;
  const names = missing.join(', ');
  throw new RepairError(
    `the database lacks migration ${names} of this release: run \`lending prepare\`, then \`lending reconcile\` again`,
  );
}

/** A database that recorded other facts after it was set back cannot be brought forward. */
async function requireSameFact(owner: Database, event: NumericBookEvent): Promise<void> {
  if (await isRecorded(owner, event)) return;
  throw new RepairError(
    `event ${event.sequence} of partition ${event.partition} is another fact in the database than in the topic: the database ` +
      'recorded other facts after it was set back. Restore it again, and run `lending reconcile` before a processor is started. ' +
      'The submissions of the other facts are in lending.submissions and are submitted again',
  );
}

/** Facts and derived rows in one transaction with the number of the next event, from which a later run continues. */
async function importEvents(
  owner: Database,
  reserved: ReadonlyMap<number, PartitionPosition>,
  events: readonly NumericBookEvent[],
): Promise<void> {
  const last = events.at(-1);
  const position = last && reserved.get(last.partition);
  if (last === undefined || position === undefined) return;
  const books = new Map<string, BookKey>();
  for (const { tenant_id: tenantId, book_id: bookId } of events)
    books.set(`${tenantId}/${bookId}`, { tenantId, bookId });
  await inTransaction(owner, async (transaction) => {
    await requireReserved(transaction, new Map([[last.partition, position]]));
    await writeEvents(transaction, events);
    await foldBooks(transaction, [...books.values()]);
    const text = 'UPDATE partitions SET next_event = $2 WHERE partition = $1';
    await query(transaction, 'move_partition', text, [last.partition, last.sequence + 1]);
  });
}

/** A processor of an earlier release knows of no reservation. */
async function requireReserved(
  transaction: Queryable,
  reserved: ReadonlyMap<number, PartitionPosition>,
): Promise<void> {
  const present = await lockPartitions(transaction, [...reserved.keys()]);
  const partition = [...reserved.keys()].find((each) => present.get(each)?.epoch !== reserved.get(each)?.epoch);
  if (partition === undefined) return;
  throw new RepairError(
    `partition ${partition} was taken over during the repair: a processor was started, or another repair runs. Stop all ` +
      'processors and run `lending reconcile` again',
  );
}

/** The topic may have been made again after the restored moment: then the database does not know where it begins. */
async function withPresentLogStarts(
  { kafka, logger }: ReconcileOptions,
  codec: SubmissionCodec,
  {
    before,
    recorded: { progress, recent },
  }: { readonly before: ReadonlyMap<number, PartitionPosition>; readonly recorded: RecordedSince },
): Promise<Map<number, PartitionPosition>> {
  const ranges = await topicOffsets(kafka, topics.submissions);
  const found = await findLogStarts({ kafka, codec, logger, progress, recent });
  return new Map(
    [...before].map(([partition, position]) => {
      const { logStart, nextOffset } = position;
      const isShorter = logStart + (ranges.get(partition)?.high ?? 0) < nextOffset;
      const start = recent.has(partition) ? (found.get(partition) ?? logStart) : isShorter ? nextOffset : logStart;
      return [partition, { ...position, logStart: Math.max(start, logStart) }];
    }),
  );
}

/** What was processed in each partition: up to the last fact that was read back, or else up to the restored position. */
function processedSubmissions(
  before: ReadonlyMap<number, PartitionPosition>,
  recorded: ReadonlyMap<number, PartitionProgress>,
): Map<number, ProcessedPosition> {
  return new Map(
    [...before].map(([partition, { nextOffset, logStart }]) => {
      const last: ProcessedPosition = recorded.get(partition) ?? { offset: nextOffset - 1 };
      return [partition, { ...last, offset: last.offset - logStart }];
    }),
  );
}

/** A parked book must stay parked: its waiting submissions come before any new one. */
async function parkAgain(
  { kafka, owner, logger }: ReconcileOptions,
  codec: SubmissionCodec,
  { restoredAt, partitions }: { readonly restoredAt: number; readonly partitions: ReadonlySet<number> },
): Promise<string[]> {
  const books = new Map<string, number>();
  const isLater = async ({ value }: TopicRecord): Promise<boolean> => {
    try {
      return (await codec.decode(value ?? Buffer.alloc(0))).taken_in_at > restoredAt - maxDecisionDelayMicros;
    } catch {
      return true;
    }
  };
  await readTopic({
    kafka,
    topic: topics.parked,
    logger,
    from: ({ low, high }, partition) => (partitions.has(partition) ? low : high),
    async onRecords(partition, records) {
      for (const record of records) {
        const name = record.key?.toString('utf8') ?? '';
        if (isBookId(name.slice(name.indexOf('/') + 1)) && (await isLater(record))) books.set(name, partition);
      }
    },
  });
  const known = await query<{ name: string }>(
    owner,
    'parked_books',
    "SELECT tenant_id || '/' || book_id AS name FROM books WHERE parked",
    [],
  );
  for (const { name } of known) books.delete(name);
  await inTransaction(owner, (transaction) => parkBooks(transaction, servingSchema, books));
  return [...books.keys()].sort();
}

/** Past everything that was submitted again. From this commit on processors may start. Returns how many sessions ended. */
async function movePositions(
  owner: Database,
  positions: ReadonlyMap<number, PartitionPosition>,
  nextOffsets: ReadonlyMap<number, number>,
): Promise<number> {
  const text = 'UPDATE partitions SET next_offset = greatest(next_offset, $3), log_start = $2 WHERE partition = $1';
  return inTransaction(owner, async (transaction) => {
    // With this commit, all that were made before it are durable.
    await transaction.query('SET LOCAL synchronous_commit = on');
    await requireReserved(transaction, positions);
    for (const [partition, { logStart }] of positions)
      await transaction.query(text, [partition, logStart, logStart + (nextOffsets.get(partition) ?? 0)]);
    await releasePartitions(transaction);
    return endAllSessions(transaction);
  });
}
