/** The last record of each partition of a topic: where whoever appends to it in order has to go on. */
import { randomUUID } from 'node:crypto';
import type { Kafka } from 'kafkajs';

/** Whoever asks asks again: a reader that a restarted broker left hanging is better begun anew than waited for. */
const withinMs = 10_000;

/** Partitions that hold nothing are left out. */
export async function readTail(kafka: Kafka, topic: string, wanted: readonly number[]): Promise<Map<number, Buffer>> {
  const admin = kafka.admin();
  await admin.connect();
  try {
    const ends = await admin.fetchTopicOffsets(topic);
    const awaited = new Map<number, number>();
    for (const { partition, high, low } of ends) {
      if (wanted.includes(partition) && Number(high) > Number(low)) awaited.set(partition, Number(high) - 1);
    }
    if (awaited.size === 0) return new Map();
    const groupId = `tail-${randomUUID()}`;
    const found = await collect(kafka, groupId, topic, awaited);
    await admin.deleteGroups([groupId]).catch(() => undefined);
    return found;
  } finally {
    await admin.disconnect();
  }
}

async function collect(
  kafka: Kafka,
  groupId: string,
  topic: string,
  awaited: Map<number, number>,
): Promise<Map<number, Buffer>> {
  const found = new Map<number, Buffer>();
  const consumer = kafka.consumer({ groupId, maxWaitTimeInMs: 100, allowAutoTopicCreation: false });
  let timer: NodeJS.Timeout | undefined;
  try {
    await consumer.connect();
    await consumer.subscribe({ topic, fromBeginning: false });
    await new Promise<void>((resolve, reject) => {
      timer = setTimeout(() => reject(new Error(`the end of ${topic} could not be read`)), withinMs);
      const eachMessage = async (record: { partition: number; message: { offset: string; value: Buffer | null } }) => {
        const { partition, message } = record;
        if (Number(message.offset) < (awaited.get(partition) ?? Number.POSITIVE_INFINITY)) return;
        found.set(partition, message.value ?? Buffer.alloc(0));
        if (found.size === awaited.size) resolve();
      };
      consumer.on(consumer.events.CRASH, ({ payload }) => reject(payload.error));
      consumer.run({ autoCommit: false, eachMessage }).catch(reject);
      for (const [partition, offset] of awaited) consumer.seek({ topic, partition, offset: String(offset) });
    });
    return found;
  } finally {
    clearTimeout(timer);
    await consumer.disconnect();
  }
}
