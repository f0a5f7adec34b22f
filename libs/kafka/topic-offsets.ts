/** Where the partitions of a topic begin and end, and what each holds at its end. */
import { randomUUID } from 'node:crypto';
import { DependencyUnavailableError } from '#libs/runtime/dependency.ts';
import type { KafkaClient } from './kafka-client.ts';
import { waitForCompletion, withTimeout } from './with-timeout.ts';

export type AdminClient = ReturnType<KafkaClient['admin']>;

const adminTimeoutMs = 60_000;
const adminDisconnectTimeoutMs = 5_000;
/** Callers retry: after a broker restart a new consumer is faster than one that hangs. */
const tailStallTimeoutMs = 10_000;

export interface OffsetRange {
  /** The first offset that is still stored. */
  readonly low: number;
  /** The offset the next record will get. */
  readonly high: number;
}

export function topicOffsets(kafka: KafkaClient, topic: string): Promise<Map<number, OffsetRange>> {
  return withAdmin(kafka, (admin) => fetchOffsetRanges(admin, topic));
}

export async function fetchOffsetRanges(admin: AdminClient, topic: string): Promise<Map<number, OffsetRange>> {
  const ranges = await admin.fetchTopicOffsets(topic);
  return new Map(ranges.map(({ partition, low, high }) => [partition, { low: Number(low), high: Number(high) }]));
}

/** What the members of a consumer group committed, by partition. Without those of which nothing was committed. */
export function groupOffsets(kafka: KafkaClient, groupId: string, topic: string): Promise<Map<number, number>> {
  return withAdmin(kafka, (admin) => fetchCommitted(admin, groupId, topic));
}

async function fetchCommitted(admin: AdminClient, groupId: string, topic: string): Promise<Map<number, number>> {
  const [answer] = await admin.fetchOffsets({ groupId, topics: [topic] });
  const offsets = (answer?.partitions ?? []).map(({ partition, offset }) => [partition, Number(offset)] as const);
  return new Map(offsets.filter(([, offset]) => offset >= 0));
}

/**
 * As `groupOffsets`, without those beyond the end of the topic: they were committed of an earlier topic of this name. Rejects
 * with a DependencyUnavailableError, also while a Kafka that has just started names no coordinator of the group.
 */
export async function processedOffsets(
  kafka: KafkaClient,
  groupId: string,
  topic: string,
): Promise<Map<number, number>> {
  try {
    // On one connection: processors ask every two seconds.
    return await withAdmin(kafka, async (admin) => {
      const committed = await fetchCommitted(admin, groupId, topic);
      const ranges = await fetchOffsetRanges(admin, topic);
      return new Map([...committed].filter(([partition, offset]) => offset <= (ranges.get(partition)?.high ?? 0)));
    });
  } catch (cause) {
    throw new DependencyUnavailableError('kafka', { cause });
  }
}

/** Runs `work` with an admin client. Rejects after a timeout, because the driver may never answer. */
export async function withAdmin<T>(kafka: KafkaClient, work: (admin: AdminClient) => Promise<T>): Promise<T> {
  const outcome = await withTimeout(runWithAdmin(kafka.admin(), work), adminTimeoutMs);
  if (outcome === undefined)
    throw new Error(`Kafka did not answer an admin request within ${adminTimeoutMs / 1_000} s`);
  return outcome.value;
}

async function runWithAdmin<T>(admin: AdminClient, work: (admin: AdminClient) => Promise<T>): Promise<T> {
  await admin.connect();
  try {
    return await work(admin);
  } finally {
    // A disconnect that fails or hangs must not replace the result of `work`.
    await withTimeout(admin.disconnect(), adminDisconnectTimeoutMs).catch(() => undefined);
  }
}

/** The removal was requested, and may still happen: a broker carries out what it answers late, or not at all. */
export class RemovalNotConfirmedError extends Error {
  override readonly name = 'RemovalNotConfirmedError';

  constructor(cause: unknown) {
    super(`its records may still be removed (${cause instanceof Error ? cause.message : String(cause)})`, { cause });
  }
}

/**
 * Removes what the partitions of a topic hold. Their next offsets stay. `confirm` is called between reading their ends and
 * removing the records in front of these: it rejects where others may have appended since, and nothing is removed. Rejects
 * with RemovalNotConfirmedError where the removal may happen after all.
 */
export async function removeAllRecords(
  kafka: KafkaClient,
  topic: string,
  partitions: readonly number[],
  confirm: () => Promise<void>,
): Promise<void> {
  // The work goes on after `withAdmin` has given up.
  let isAbandoned = false;
  let isRequested = false;
  const remove = async (admin: AdminClient): Promise<void> => {
    // Loads the metadata, without which records cannot be deleted.
    const ranges = await admin.fetchTopicOffsets(topic);
    const missing = partitions.find((partition) => !ranges.some((range) => range.partition === partition));
    if (missing !== undefined)
      throw new Error(`the topic ${topic} has no partition ${missing}; check how it was created`);
    const filled = ranges.filter(({ partition, low, high }) => partitions.includes(partition) && high !== low);
    if (filled.length === 0) return;
    await confirm();
    if (isAbandoned) return;
    isRequested = true;
    const removed = filled.map(({ partition, high }) => ({ partition, offset: high }));
    await admin.deleteTopicRecords({ topic, partitions: removed });
  };
  try {
    await withAdmin(kafka, remove);
  } catch (cause) {
    isAbandoned = true;
    throw isRequested ? new RemovalNotConfirmedError(cause) : cause;
  }
}

export interface StoredRecord<Kept> {
  readonly offset: number;
  readonly value: Kept;
}

/** What one partition holds from some offset to its end. */
export interface TopicTail<Kept = Buffer> {
  readonly records: readonly StoredRecord<Kept>[];
  /** The first offset that is still stored. */
  readonly firstOffset: number;
  /** The offset the next record will get. */
  readonly nextOffset: number;
}

export interface TailsOptions<Kept> {
  readonly kafka: KafkaClient;
  readonly topic: string;
  readonly partitions: readonly number[];
  /** From which offset to read a partition to its end. */
  readonly fromOffset: (partition: number, range: OffsetRange) => number;
  /** What to keep of each value: a hundred records of each partition may take gigabytes. */
  readonly keep: (value: Buffer) => Kept | Promise<Kept>;
}

/** Whole values, for few or small records. */
export function readTopicTails(
  kafka: KafkaClient,
  topic: string,
  partitions: readonly number[],
  fromOffset: TailsOptions<Buffer>['fromOffset'],
): Promise<Map<number, TopicTail>> {
  return readKeptTails({ kafka, topic, partitions, fromOffset, keep: (value) => value });
}

type GrowingTail<Kept> = TopicTail<Kept> & { readonly records: StoredRecord<Kept>[] };

export async function readKeptTails<Kept>(options: TailsOptions<Kept>): Promise<Map<number, TopicTail<Kept>>> {
  const { kafka, topic, partitions, fromOffset } = options;
  const ranges = await topicOffsets(kafka, topic);
  const tails = new Map<number, GrowingTail<Kept>>();
  const offsets = new Map<number, number>();
  for (const partition of partitions) {
    const range = ranges.get(partition);
    if (range === undefined)
      throw new Error(`the topic ${topic} has no partition ${partition}; check how it was created`);
    tails.set(partition, { records: [], firstOffset: range.low, nextOffset: range.high });
    const from = Math.max(range.low, fromOffset(partition, range));
    if (from < range.high) offsets.set(partition, from);
  }
  if (offsets.size === 0) return tails;
  const groupId = `topic-tails-${randomUUID()}`;
  await readToEnd(options, groupId, offsets, tails);
  await withAdmin(kafka, (admin) => admin.deleteGroups([groupId])).catch(() => undefined);
  return tails;
}

async function readToEnd<Kept>(
  { kafka, topic, keep }: TailsOptions<Kept>,
  groupId: string,
  offsets: ReadonlyMap<number, number>,
  tails: ReadonlyMap<number, GrowingTail<Kept>>,
): Promise<void> {
  const consumer = kafka.consumer({ groupId, maxWaitTimeInMs: 100, allowAutoTopicCreation: false });
  const failed = Promise.withResolvers<never>();
  const incomplete = new Set(offsets.keys());
  let received = 0;
  let isClosing = false;
  const eachMessage = async (payload: { partition: number; message: { offset: string; value: Buffer | null } }) => {
    const { partition, message } = payload;
    const offset = Number(message.offset);
    const tail = tails.get(partition);
    const expected = tail?.records.at(-1)?.offset ?? (offsets.get(partition) ?? Number.POSITIVE_INFINITY) - 1;
    if (tail === undefined || offset <= expected || offset >= tail.nextOffset) return;
    tail.records.push({ offset, value: await keep(message.value ?? Buffer.alloc(0)) });
    received += 1;
    if (offset === tail.nextOffset - 1) incomplete.delete(partition);
  };
  const join = async (): Promise<void> => {
    await consumer.connect();
    if (isClosing) return;
    await consumer.subscribe({ topic, fromBeginning: false });
    if (isClosing) return;
    consumer.on(consumer.events.CRASH, ({ payload }) => failed.reject(payload.error));
    const running = consumer.run({ autoCommit: false, eachMessage });
    for (const [partition, offset] of offsets) consumer.seek({ topic, partition, offset: String(offset) });
    await running;
  };
  const joined = join().catch(failed.reject);
  try {
    const isComplete = await waitForCompletion({
      isDone: () => incomplete.size === 0,
      progress: () => received,
      isWorking: () => false,
      stallTimeoutMs: tailStallTimeoutMs,
      failed: failed.promise,
    });
    if (!isComplete)
      throw new Error(`reading the end of ${topic} made no progress for ${tailStallTimeoutMs / 1_000} s`);
  } finally {
    isClosing = true;
    // A disconnect during the join has no effect: the consumer would join afterwards and stay.
    const disconnected = joined.then(() => consumer.disconnect());
    await withTimeout(disconnected, tailStallTimeoutMs).catch(() => undefined);
  }
}
