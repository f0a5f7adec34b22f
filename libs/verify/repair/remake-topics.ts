/**
 * After the loss of Kafka, or of the end of its log: makes the missing topics again. Publishers then write all events from
 * Postgres. Stored positions go on: `log_start` is moved so that the end of lending.submissions is the next position.
 */
import { type Database, inTransaction, query } from '#libs/database/database.ts';
import { lockPartitions, type PartitionPosition, readOwnPositions, readPartitions } from '#libs/database/partitions.ts';
import { bookKey } from '#libs/kafka/book-key-partition.ts';
import type { KafkaClient } from '#libs/kafka/kafka-client.ts';
import { groupOffsets, type OffsetRange, topicOffsets, withAdmin } from '#libs/kafka/topic-offsets.ts';
import { TopicWriter } from '#libs/kafka/topic-writer.ts';
import { ensureTopics, findMissingTopics, topics } from '#libs/kafka/topics.ts';
import { retry } from '#libs/runtime/retry.ts';

export interface RemakeOptions {
  readonly kafka: KafkaClient;
  /** All of the cell, the home database first, with the login of the owner of the tables. */
  readonly owners: readonly [Database, ...Database[]];
  /** As `ensureTopics` takes it. */
  readonly replicas: number | undefined;
  /** The consumer group of the processors. */
  readonly groupId: string;
  /** Called with the records of parked books that are written, and all there are. */
  readonly onRecords?: ((written: number, total: number) => void) | undefined;
}

export interface RemakeResult {
  /** Partitions of lending.submissions whose log ended before what was processed. */
  readonly restarted: readonly number[];
  readonly parkedRecords: number;
}

/** Kafka keeps a group until the session of a killed member ends. */
const groupRetry = { firstDelayMs: 500, maxDelayMs: 1_000, timeoutMs: 30_000 };
const leaderRetry = { firstDelayMs: 100, maxDelayMs: 1_000, timeoutMs: 30_000 };

/** Call it while no processor runs. */
export async function remakeTopics(options: RemakeOptions): Promise<RemakeResult> {
  const { kafka, owners, replicas } = options;
  await ensureTopics(kafka, { partitionCount: (await readPartitions(owners[0])).length, replicas });
  const restarted: number[] = [];
  let parkedRecords = 0;
  for (const owner of owners) restarted.push(...(await moveLogStarts(options, owner)));
  for (const owner of owners) parkedRecords += await copyParkedRecords(options, owner);
  return { restarted: restarted.sort((one, other) => one - other), parkedRecords };
}

/** Returns the partitions of the database whose log ended before what was processed. */
function moveLogStarts({ kafka, groupId }: RemakeOptions, owner: Database): Promise<number[]> {
  return inTransaction(owner, async (transaction) => {
    await transaction.query('SET LOCAL synchronous_commit = on');
    // No processor may commit or take over while the ends of the log are compared.
    const positions = await lockPartitions(transaction, [...(await readOwnPositions(transaction)).keys()]);
    // Brokers may not know yet that they lead the new partitions.
    const offsets = await retry(() => topicOffsets(kafka, topics.submissions), leaderRetry);
    const partitions = shorterPartitions(positions, offsets);
    if (partitions.length > 0) await forgetCommittedOffsets(kafka, groupId);
    // What such a log still holds was processed: reading continues at its end.
    const text = `UPDATE partitions p SET log_start = p.next_offset - e.high, epoch = p.epoch + 1
      FROM unnest($1::smallint[], $2::bigint[]) AS e (partition, high) WHERE p.partition = e.partition`;
    await transaction.query(text, [partitions, partitions.map((partition) => offsets.get(partition)?.high ?? 0)]);
    return partitions;
  });
}

export interface RemakePlan {
  readonly missingTopics: readonly string[];
  /** As in the result. */
  readonly restarted: readonly number[];
}

/** What `remakeTopics` would do. Changes nothing, and may be called while processors run. */
export async function planRemake({ kafka, owners }: Pick<RemakeOptions, 'kafka' | 'owners'>): Promise<RemakePlan> {
  const missingTopics = await withAdmin(kafka, findMissingTopics);
  const isLost = missingTopics.includes(topics.submissions);
  // Positions first: what is appended meanwhile makes the log longer, not shorter.
  const positions = new Map((await Promise.all(owners.map(readOwnPositions))).flatMap((own) => [...own]));
  const offsets = isLost ? new Map<number, OffsetRange>() : await topicOffsets(kafka, topics.submissions);
  return { missingTopics, restarted: shorterPartitions(positions, offsets) };
}

/** Partitions whose log ends before what was processed. */
function shorterPartitions(
  positions: ReadonlyMap<number, PartitionPosition>,
  offsets: ReadonlyMap<number, OffsetRange>,
): number[] {
  const shorter = [...positions].filter(
    ([partition, { logStart, nextOffset }]) => logStart + (offsets.get(partition)?.high ?? 0) < nextOffset,
  );
  return shorter.map(([partition]) => partition);
}

/** Offsets of the lost end would mean, once the log is as long again, that the database was set back. */
function forgetCommittedOffsets(kafka: KafkaClient, groupId: string): Promise<void> {
  return retry(async () => {
    const offsets = await groupOffsets(kafka, groupId, topics.submissions);
    if (offsets.size > 0) await withAdmin(kafka, (admin) => admin.deleteGroups([groupId]));
  }, groupRetry);
}

interface ParkedRecord {
  readonly tenant_id: string;
  readonly book_id: string;
  readonly partition: number;
  readonly value: Buffer;
}

/** The topic of parked records is read when a database is lost, and then for the names of books: a repeated record is harmless. */
async function copyParkedRecords({ kafka, onRecords }: RemakeOptions, owner: Database): Promise<number> {
  const text = `SELECT DISTINCT ON (e.partition, e."offset", s.tenant_id, s.book_id) s.tenant_id, s.book_id, e.partition, e.value
    FROM parked_log_entries e JOIN parked_submissions s USING (partition, "offset")
    ORDER BY e.partition, e."offset", s.tenant_id, s.book_id`;
  const rows = await query<ParkedRecord>(owner, 'parked_records', text, []);
  if (rows.length === 0) return 0;
  const writer = await TopicWriter.open(kafka);
  try {
    for (const [at, { tenant_id, book_id, partition, value }] of rows.entries()) {
      await writer.append({ topic: topics.parked, partition, key: bookKey(tenant_id, book_id), value });
      onRecords?.(at + 1, rows.length);
    }
  } finally {
    await writer.close();
  }
  return rows.length;
}
