/** Reads whole topics: from the beginning to the current end, or on as new records arrive. */
import { randomUUID } from 'node:crypto';
import type { Logger } from '#libs/runtime/logging.ts';
import type { KafkaClient } from './kafka-client.ts';
import { TopicConsumer, type TopicRecord } from './topic-consumer.ts';
import { type OffsetRange, topicOffsets, withAdmin } from './topic-offsets.ts';
import { waitForCompletion, withTimeout } from './with-timeout.ts';

export interface FollowerTimeouts {
  readonly joinMs: number;
  readonly leaveMs: number;
  /** How long no record may arrive while the topic holds more. */
  readonly stallMs: number;
}

const defaultTimeouts: FollowerTimeouts = { joinMs: 60_000, leaveMs: 10_000, stallMs: 60_000 };

export interface TopicFollowerOptions {
  readonly kafka: KafkaClient;
  readonly topic: string;
  readonly logger: Logger;
  /** Records of one partition, in order. A returned promise pauses the partition. */
  readonly onRecords: (partition: number, records: readonly TopicRecord[]) => undefined | Promise<void>;
  readonly timeouts?: FollowerTimeouts;
  /** What the topic deletes before it is read, as its retention says, is no error. */
  readonly skipsDeletedRecords?: boolean;
  /** The first offset to read. Default: the first one that is stored. */
  readonly from?: (range: OffsetRange, partition: number) => number;
}

export interface TopicFollower {
  /** Rejects when the topic cannot be read any further; never resolves. */
  readonly failed: Promise<never>;
  /** No records are delivered afterwards. The driver may still be leaving its group. */
  stop(): Promise<void>;
}

export async function followTopic(options: TopicFollowerOptions): Promise<TopicFollower> {
  const { kafka, topic, logger, onRecords, timeouts = defaultTimeouts, from = ({ low }) => low } = options;
  const { skipsDeletedRecords = false } = options;
  // A rebalance continues from these offsets instead of starting over.
  const nextOffsets = new Map(
    [...(await topicOffsets(kafka, topic))].map(([partition, range]) => [
      partition,
      Math.max(range.low, from(range, partition)),
    ]),
  );
  const deliveries = new Map<number, Promise<void>>();
  const { promise: failed, reject: fail } = Promise.withResolvers<never>();
  // Handled here too, because callers wait for it only some of the time.
  failed.catch(() => undefined);
  const groupId = `follower-${randomUUID()}`;
  let isStopped = false;
  const deliver = (partition: number, records: readonly TopicRecord[]): undefined | Promise<void> => {
    const newRecords = records.filter(({ offset }) => offset >= (nextOffsets.get(partition) ?? 0));
    const last = newRecords.at(-1);
    if (last === undefined) return undefined;
    nextOffsets.set(partition, last.offset + 1);
    // Records delivered before a rebalance may still be in progress.
    const delivery = (deliveries.get(partition) ?? Promise.resolve())
      .then(() => (isStopped ? undefined : onRecords(partition, newRecords)))
      .catch(fail);
    deliveries.set(partition, delivery);
    return delivery;
  };
  const opening = TopicConsumer.open({
    kafka,
    groupId,
    topic,
    partitionCount: nextOffsets.size,
    logger,
    onAssigned: async (partitions) =>
      new Map(partitions.map((partition) => [partition, nextOffsets.get(partition) ?? 0])),
    onRecords: deliver,
    skipsDeletedRecords,
    onDataLoss: fail,
    onCrash: fail,
  });
  const leave = async (): Promise<void> => {
    isStopped = true;
    await (await opening).stop();
    await withAdmin(kafka, (admin) => admin.deleteGroups([groupId]).catch(() => undefined));
  };
  const opened = await withTimeout(opening, timeouts.joinMs);
  if (opened === undefined) {
    // A join that succeeds later is left again.
    leave().catch(() => undefined);
    throw new Error(`cannot read ${topic}: joining a consumer group took longer than ${timeouts.joinMs / 1_000} s`);
  }
  return { failed, stop: () => leaveGroup(leave, { groupId, topic, logger, timeoutMs: timeouts.leaveMs }) };
}

interface LeaveOptions {
  readonly groupId: string;
  readonly topic: string;
  readonly logger: Logger;
  readonly timeoutMs: number;
}

/** A group that cannot be left is only logged: everything wanted was read, and Kafka ends the session. */
async function leaveGroup(
  leave: () => Promise<void>,
  { groupId, topic, logger, timeoutMs }: LeaveOptions,
): Promise<void> {
  try {
    if ((await withTimeout(leave(), timeoutMs)) === undefined) {
      logger.warn(
        { event: 'kafka.group_leave_timeout', groupId, topic },
        'a consumer group was not left in time; Kafka ends its session',
      );
    }
  } catch (err) {
    logger.warn(
      { event: 'kafka.group_leave_failed', err, groupId, topic },
      'a consumer group could not be left; Kafka ends its session',
    );
  }
}

/** Reads everything the topic holds at the time of the call. */
export async function readTopic({
  onRecords,
  onRead,
  ...options
}: Omit<TopicFollowerOptions, 'onRecords'> & {
  readonly onRecords: (partition: number, records: readonly TopicRecord[]) => Promise<void>;
  /** Called with the records that were read, and all there are. */
  readonly onRead?: ((read: number, total: number) => void) | undefined;
}): Promise<void> {
  const { kafka, topic, timeouts = defaultTimeouts, from = ({ low }) => low } = options;
  const parts = [...(await topicOffsets(kafka, topic))]
    .map(([partition, range]) => ({ partition, start: Math.max(range.low, from(range, partition)), end: range.high }))
    .filter(({ start, end }) => end > start);
  const unfinished = new Map(parts.map(({ partition, end }) => [partition, end]));
  const total = parts.reduce((sum, { start, end }) => sum + end - start, 0);
  onRead?.(0, total);
  if (unfinished.size === 0) return;
  let batchesStarted = 0;
  let batchesFinished = 0;
  let read = 0;
  const readUpToEnd = async (partition: number, records: readonly TopicRecord[]): Promise<void> => {
    const end = unfinished.get(partition);
    if (end === undefined) return;
    batchesStarted += 1;
    const wanted = records.filter(({ offset }) => offset < end);
    await onRecords(partition, wanted);
    read += wanted.length;
    onRead?.(read, total);
    if ((records.at(-1)?.offset ?? 0) + 1 >= end) unfinished.delete(partition);
    batchesFinished += 1;
  };
  const follower = await followTopic({ ...options, onRecords: readUpToEnd });
  try {
    const isComplete = await waitForCompletion({
      isDone: () => unfinished.size === 0,
      progress: () => batchesFinished,
      isWorking: () => batchesFinished < batchesStarted,
      stallTimeoutMs: timeouts.stallMs,
      failed: follower.failed,
    });
    if (isComplete) return;
    const deleted =
      options.skipsDeletedRecords === true ? await topicOffsets(kafka, topic) : new Map<number, OffsetRange>();
    const isDeleted = ([partition, end]: readonly [number, number]): boolean =>
      (deleted.get(partition)?.low ?? 0) >= end;
    if (![...unfinished].every(isDeleted)) throw stallError(topic, timeouts.stallMs);
  } finally {
    await follower.stop();
  }
}

export function stallError(topic: string, stallTimeoutMs: number): Error {
  return new Error(`cannot read ${topic} to its end: no record arrived for ${stallTimeoutMs / 1_000} s`);
}
