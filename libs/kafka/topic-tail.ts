/** The last record of each partition of a topic: where whoever appends to it in order has to go on. */
import { randomUUID } from 'node:crypto';
import type { Kafka } from 'kafkajs';
import { within } from './patience.ts';
import { topicEnds, withAdmin } from './topic-ends.ts';

/** Whoever asks asks again: a reader that a restarted broker left hanging is better begun anew than waited for. */
const withinMs = 10_000;

/** Partitions that hold nothing are left out. */
export async function readTail(kafka: Kafka, topic: string, wanted: readonly number[]): Promise<Map<number, Buffer>> {
  const awaited = new Map<number, number>();
  for (const [partition, { low, high }] of await topicEnds(kafka, topic)) {
    if (wanted.includes(partition) && high > low) awaited.set(partition, high - 1);
  }
  if (awaited.size === 0) return new Map();
  const groupId = `tail-${randomUUID()}`;
  const found = await collect(kafka, groupId, topic, awaited);
  await withAdmin(kafka, (admin) => admin.deleteGroups([groupId])).catch(() => undefined);
  return found;
}

async function collect(
  kafka: Kafka,
  groupId: string,
  topic: string,
  awaited: ReadonlyMap<number, number>,
): Promise<Map<number, Buffer>> {
  const consumer = kafka.consumer({ groupId, maxWaitTimeInMs: 100, allowAutoTopicCreation: false });
  const found = new Map<number, Buffer>();
  const all = Promise.withResolvers<void>();
  let isOver = false;
  const eachMessage = async (record: { partition: number; message: { offset: string; value: Buffer | null } }) => {
    const { partition, message } = record;
    if (Number(message.offset) < (awaited.get(partition) ?? Number.POSITIVE_INFINITY)) return;
    found.set(partition, message.value ?? Buffer.alloc(0));
    if (found.size === awaited.size) all.resolve();
  };
  const join = async (): Promise<void> => {
    await consumer.connect();
    if (isOver) return;
    await consumer.subscribe({ topic, fromBeginning: false });
    if (isOver) return;
    consumer.on(consumer.events.CRASH, ({ payload }) => all.reject(payload.error));
    const running = consumer.run({ autoCommit: false, eachMessage });
    for (const [partition, offset] of awaited) consumer.seek({ topic, partition, offset: String(offset) });
    await running;
  };
  const joined = join().catch(all.reject);
  try {
    if ((await within(all.promise, withinMs)) === undefined) throw new Error(`the end of ${topic} could not be read`);
    return found;
  } finally {
    isOver = true;
    // The driver cannot leave a group while it joins it: it would join it after all, and stay.
    const left = joined.then(() => consumer.disconnect());
    await within(left, withinMs).catch(() => undefined);
  }
}
