/**
 * Restores a lost database from the topics alone. Tables that no fact describes start empty, or are copied from another
 * database.
 */
import { type Database, type Queryable, query } from '#libs/database/database.ts';
import { int2Array, int8Array, textArray } from '#libs/database/pg-binary.ts';
import { numberRange } from '#libs/database/placement-view.ts';
import { openReadOnlyDatabase } from '#libs/database/pool.ts';
import { AvroCodec } from '#libs/kafka/avro-codec.ts';
import type { KafkaClient } from '#libs/kafka/kafka-client.ts';
import { SchemaRegistry } from '#libs/kafka/schema-registry.ts';
import { type SubmissionRecord, submissionSchema } from '#libs/kafka/submission-record.ts';
import { readTopic } from '#libs/kafka/topic-follower.ts';
import { topics } from '#libs/kafka/topics.ts';
import { isBookId } from '#libs/ledger/book-id.ts';
import type { Logger } from '#libs/runtime/logging.ts';
import { setRevisions, switchSchemas } from './cutover.ts';
import { findLogStarts } from './find-log-starts.ts';
import { foldBooks } from './fold-books.ts';
import type { PartitionProgress, TopicIngest } from './ingest.ts';
import { RebuildError } from './rebuild-error.ts';
import { type ResubmissionResult, resubmit } from './resubmit.ts';
import { hasFacts, servingSchema, shadowSchema, tablesToCopy } from './shadow-schema.ts';

export interface RestoreOptions {
  readonly owner: Database;
  readonly ingest: TopicIngest;
  readonly kafka: KafkaClient;
  readonly schemaRegistryUrl: string;
  readonly logger: Logger;
  readonly secretsUrl?: string;
  readonly member?: CellMember;
}

/** A database beside the home database of its cell. */
export interface CellMember {
  readonly cell: string;
  readonly number: number;
  readonly partitions: ReadonlySet<number>;
  /** Of its partitions that were moved here: the numbers of the databases in which they were before. */
  readonly earlierNumbers: ReadonlyMap<number, readonly number[]>;
  /** The highest numbers that it gave to rows that other databases have. */
  readonly removedNumbers: readonly RemovedNumber[];
}

export interface RemovedNumber {
  readonly tenant_id: string;
  /** A listing or feed. */
  readonly name: string;
  readonly number: number;
}

export interface RestoredState extends ResubmissionResult {
  /** Books named in `lending.parked`. No topic shows whether they were released afterwards, so they stay parked. */
  readonly parkedBooks: readonly string[];
}

export function notLost(): RebuildError {
  return new RebuildError(
    'the database contains facts, so it does not replace a lost one. If a processor recorded them on the empty database: stop ' +
      'all processors, empty the database, run `lending prepare`, and use --lost again. If it was restored: `lending reconcile`. ' +
      'If it was not lost: rebuild without --lost',
  );
}

/** Call it while no processor runs. Changes nothing where one has recorded a fact since. */
export async function restoreFromTopic(
  options: RestoreOptions,
): Promise<{ readonly previousSchema: string; readonly restored: RestoredState }> {
  const { owner, ingest, kafka, schemaRegistryUrl, logger, secretsUrl, member } = options;
  await ingest.readToEnd();
  await foldBooks(owner, ingest.takeChangedBooks());
  const parkedBooks = await readParkedBooks(options);
  // Before submissions are appended; and again below, when no processor can commit any more.
  if ((await hasFacts(owner)) === true) throw notLost();
  const codec = await AvroCodec.open<SubmissionRecord>(new SchemaRegistry(schemaRegistryUrl), submissionSchema);
  // Before the new tables serve: if interrupted here, all of it is repeated, and references prevent double effects.
  const { recent } = ingest;
  const logStarts = await findLogStarts({ kafka, codec, logger, progress: ingest.progress, recent });
  const progress = toTopicOffsets(ingest.progress, logStarts);
  const partitions = member === undefined ? {} : { partitions: member.partitions };
  const resubmission = await resubmit({ kafka, codec, logger, progress, nowMs: Date.now(), ...partitions });
  const copiedTables = await tablesToCopy(owner);
  const transaction = await owner.connect();
  try {
    await transaction.query('BEGIN');
    await transaction.query('SET LOCAL synchronous_commit = on');
    await transaction.query(`LOCK TABLE ${servingSchema}.partitions IN EXCLUSIVE MODE`);
    if ((await hasFacts(transaction)) === true) throw notLost();
    await writePartitions(transaction, ingest.progress, { ...resubmission, logStarts });
    await parkBooks(transaction, shadowSchema, parkedBooks);
    if (secretsUrl !== undefined) await copyTablesFrom(secretsUrl, transaction, copiedTables);
    if (member !== undefined) await joinAgain(transaction, member);
    await setRevisions(transaction, shadowSchema);
    const previousSchema = await switchSchemas(transaction);
    await transaction.query('COMMIT');
    return { previousSchema, restored: { ...resubmission, parkedBooks: [...parkedBooks.keys()].sort() } };
  } catch (cause) {
    await transaction.query('ROLLBACK').catch(() => undefined);
    throw cause;
  } finally {
    transaction.release();
  }
}

/** From the other databases of its cell, for a lost one with this number. */
export async function readRemovedNumbers(others: readonly Database[], number: number): Promise<RemovedNumber[]> {
  const { firstNumber, lastNumber } = numberRange(number);
  const text = `
    SELECT tenant_id, 'feed' AS name, max(number) AS number FROM feed WHERE number BETWEEN $1 AND $2 GROUP BY tenant_id
    UNION ALL
    SELECT tenant_id, listing, max(number) FROM listed_records WHERE number BETWEEN $1 AND $2 GROUP BY tenant_id, listing`;
  const highest = new Map<string, RemovedNumber>();
  for (const other of others)
    for (const row of await query<RemovedNumber>(other, 'removed_numbers', text, [firstNumber, lastNumber])) {
      const key = `${row.tenant_id} ${row.name}`;
      if (row.number > (highest.get(key)?.number ?? 0)) highest.set(key, row);
    }
  return [...highest.values()];
}

async function joinAgain(
  transaction: Queryable,
  { cell, number, partitions, earlierNumbers, removedNumbers }: CellMember,
): Promise<void> {
  const identity = `UPDATE ${shadowSchema}.database_identity SET cell = $1, number = $2`;
  await query(transaction, 'join_again', identity, [cell, number]);
  const range = `INSERT INTO ${shadowSchema}.partition_number_ranges (partition, number) VALUES ($1, $2)`;
  for (const [partition, numbers] of earlierNumbers)
    if (partitions.has(partition)) for (const each of numbers) await transaction.query(range, [partition, each]);
  const removed = `INSERT INTO ${shadowSchema}.removed_numbers
    SELECT * FROM json_populate_recordset(NULL::${shadowSchema}.removed_numbers, $1)`;
  await transaction.query(removed, [JSON.stringify(removedNumbers)]);
}

function toTopicOffsets(
  progress: ReadonlyMap<number, PartitionProgress>,
  logStarts: ReadonlyMap<number, number>,
): Map<number, PartitionProgress> {
  return new Map(
    [...progress].map(([partition, position]) => {
      const offset = position.offset - (logStarts.get(partition) ?? 0);
      return [partition, { ...position, offset }];
    }),
  );
}

/**
 * As many as the topic has. Their epochs are above those of the empty database, so that processors that ran on it cannot
 * commit any more.
 */
async function writePartitions(
  transaction: Queryable,
  progress: ReadonlyMap<number, PartitionProgress>,
  {
    nextOffsets,
    logStarts,
  }: Pick<ResubmissionResult, 'nextOffsets'> & { readonly logStarts: ReadonlyMap<number, number> },
): Promise<void> {
  const partitions = [...nextOffsets.keys()];
  const text = `
    INSERT INTO ${shadowSchema}.partitions (partition, next_event, next_offset, log_start, epoch)
    SELECT w.partition, w.next_event, w.log_start + w.next_offset, w.log_start, coalesce(o.epoch, 0) + 1
    FROM unnest($1::smallint[], $2::bigint[], $3::bigint[], $4::bigint[]) AS w (partition, next_event, next_offset, log_start)
    LEFT JOIN ${servingSchema}.partitions o USING (partition)`;
  await query(transaction, 'write_partitions', text, [
    int2Array(partitions),
    int8Array(partitions.map((partition) => (progress.get(partition)?.sequence ?? 0) + 1)),
    int8Array(partitions.map((partition) => nextOffsets.get(partition))),
    int8Array(partitions.map((partition) => logStarts.get(partition))),
  ]);
}

/** A parked book must stay parked: its waiting submissions come before any new one. Returns the partition of each. */
async function readParkedBooks({ kafka, logger, member }: RestoreOptions): Promise<Map<string, number>> {
  const books = new Map<string, number>();
  await readTopic({
    kafka,
    topic: topics.parked,
    logger,
    async onRecords(partition, records) {
      if (member?.partitions.has(partition) === false) return;
      for (const { key } of records) {
        const name = key?.toString('utf8') ?? '';
        if (isBookId(name.slice(name.indexOf('/') + 1))) books.set(name, partition);
      }
    },
  });
  return books;
}

/** A book may be parked before its first fact. */
export async function parkBooks(
  transaction: Queryable,
  schema: string,
  books: ReadonlyMap<string, number>,
): Promise<void> {
  const text = `INSERT INTO ${schema}.books (tenant_id, book_id, partition, sequence, version_count, recorded_at, parked, fact_bytes)
      SELECT split_part(name, '/', 1), substr(name, position('/' IN name) + 1), partition, 0, 0, 0, true, 0
      FROM unnest($1::text[], $2::smallint[]) AS w (name, partition)
    ON CONFLICT (tenant_id, book_id) DO UPDATE SET parked = true`;
  await query(transaction, 'park_again', text, [textArray([...books.keys()]), int2Array([...books.values()])]);
}

async function copyTablesFrom(databaseUrl: string, transaction: Queryable, tables: readonly string[]): Promise<void> {
  const source = openReadOnlyDatabase({ url: databaseUrl, name: 'rebuild', connections: 1 });
  try {
    for (const table of tables) {
      const { rows } = await source.query(`SELECT coalesce(json_agg(t), '[]')::text AS rows FROM "${table}" t`);
      await transaction.query(`DELETE FROM ${shadowSchema}."${table}"`);
      await transaction.query(
        `INSERT INTO ${shadowSchema}."${table}" SELECT * FROM json_populate_recordset(NULL::${shadowSchema}."${table}", $1)`,
        [(rows[0] as { rows: string }).rows],
      );
    }
  } finally {
    await source.end();
  }
}
