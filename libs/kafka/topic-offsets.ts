/** Where the partitions of a topic begin and end, and the last record of each. */
import { randomUUID } from 'node:crypto';
import type { KafkaClient } from './kafka-client.ts';
import { withTimeout } from './with-timeout.ts';

type Admin = ReturnType<KafkaClient['admin']>;

const adminTimeoutMs = 60_000;
const adminDisconnectTimeoutMs = 5_000;
/** Callers retry: after a broker restart a new consumer is faster than one that hangs. */
const lastRecordsTimeoutMs = 10_000;

export interface OffsetRange {
  /** The first offset that is still stored. */
  readonly low: number;
  /** The offset the next record will get. */
  readonly high: number;
}

export function topicOffsets(kafka: KafkaClient, topic: string): Promise<Map<number, OffsetRange>> {
  return withAdmin(kafka, async (admin) => {
    const ranges = await admin.fetchTopicOffsets(topic);
    return new Map(ranges.map(({ partition, low, high }) => [partition, { low: Number(low), high: Number(high) }]));
  });
}

/** Runs `work` with an admin client. Rejects after a timeout, because the driver may never answer. */
export async function withAdmin<T>(kafka: KafkaClient, work: (admin: Admin) => Promise<T>): Promise<T> {
  const outcome = await withTimeout(runWithAdmin(kafka.admin(), work), adminTimeoutMs);
  if (outcome === undefined)
    throw new Error(`Kafka did not answer an admin request within ${adminTimeoutMs / 1_000} s`);
  return outcome.value;
}

async function runWithAdmin<T>(admin: Admin, work: (admin: Admin) => Promise<T>): Promise<T> {
  await admin.connect();
  try {
    return await work(admin);
  } finally {
    // A disconnect that fails or hangs must not replace the result of `work`.
    await withTimeout(admin.disconnect(), adminDisconnectTimeoutMs).catch(() => undefined);
  }
}

/** The value of the last record of each wanted partition. Empty partitions are absent from the result. */
export async function readLastRecords(
  kafka: KafkaClient,
  topic: string,
  partitions: readonly number[],
): Promise<Map<number, Buffer>> {
  const lastOffsets = new Map<number, number>();
  for (const [partition, { low, high }] of await topicOffsets(kafka, topic)) {
    if (partitions.includes(partition) && high > low) lastOffsets.set(partition, high - 1);
  }
  if (lastOffsets.size === 0) return new Map();
  const groupId = `last-records-${randomUUID()}`;
  const values = await readFrom(kafka, groupId, topic, lastOffsets);
  await withAdmin(kafka, (admin) => admin.deleteGroups([groupId])).catch(() => undefined);
  return values;
}

/** The value of the first record at or after each given offset. */
async function readFrom(
  kafka: KafkaClient,
  groupId: string,
  topic: string,
  offsets: ReadonlyMap<number, number>,
): Promise<Map<number, Buffer>> {
  const consumer = kafka.consumer({ groupId, maxWaitTimeInMs: 100, allowAutoTopicCreation: false });
  const values = new Map<number, Buffer>();
  const complete = Promise.withResolvers<void>();
  let isClosing = false;
  const eachMessage = async (payload: { partition: number; message: { offset: string; value: Buffer | null } }) => {
    const { partition, message } = payload;
    if (Number(message.offset) < (offsets.get(partition) ?? Number.POSITIVE_INFINITY)) return;
    values.set(partition, message.value ?? Buffer.alloc(0));
    if (values.size === offsets.size) complete.resolve();
  };
  const join = async (): Promise<void> => {
    await consumer.connect();
    if (isClosing) return;
    await consumer.subscribe({ topic, fromBeginning: false });
    if (isClosing) return;
    consumer.on(consumer.events.CRASH, ({ payload }) => complete.reject(payload.error));
    const running = consumer.run({ autoCommit: false, eachMessage });
    for (const [partition, offset] of offsets) consumer.seek({ topic, partition, offset: String(offset) });
    await running;
  };
  const joined = join().catch(complete.reject);
  try {
    if ((await withTimeout(complete.promise, lastRecordsTimeoutMs)) === undefined) {
      throw new Error(`could not read the last records of ${topic} within ${lastRecordsTimeoutMs / 1_000} s`);
    }
    return values;
  } finally {
    isClosing = true;
    // A disconnect during the join has no effect: the consumer would join afterwards and stay.
    const disconnected = joined.then(() => consumer.disconnect());
    await withTimeout(disconnected, lastRecordsTimeoutMs).catch(() => undefined);
  }
}
