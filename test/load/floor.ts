/**
 * What no service on this machine can go below: a record into Kafka with acks=all, out of it in another process, one
 * Postgres commit for each group, and word of it back over Redis. No HTTP, no signature, no book.
 */
import { fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import type { StackFacts } from '#deploy/stack/stack.ts';
import { connectKafka } from '#libs/kafka/kafka.ts';
import { LogWriter } from '#libs/kafka/log-writer.ts';
import { openSubscriber } from '#libs/redis/redis.ts';

export interface Floor {
  readonly connections: number;
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
}

const partitions = 12;
const recordBytes = 700;

export async function measureFloor(stack: StackFacts, connections: readonly number[], ms: number): Promise<Floor[]> {
  const topic = `floor.${Date.now()}`;
  const log = connectKafka(stack.kafkaBrokers, 'floor');
  const admin = log.admin();
  await admin.connect();
  await admin.createTopics({
    waitForLeaders: true,
    topics: [{ topic, numPartitions: partitions, replicationFactor: 1 }],
  });
  const args = [stack.kafkaBrokers, stack.databaseUrl, stack.redisUrl, topic];
  const worker = fork(new URL('./floor-worker.ts', import.meta.url), args);
  await new Promise((resolve) => worker.once('message', resolve));
  const subscriber = openSubscriber(stack.redisUrl, 'floor');
  const waiting = new Map<string, () => void>();
  subscriber.on('message', (_channel, text: string) => {
    for (const id of text.split('\n')) waiting.get(id)?.();
  });
  await subscriber.subscribe('floor');
  const writer = await LogWriter.open(log);
  let count = 0;
  const value = randomBytes(recordBytes);
  const once = async (): Promise<void> => {
    count += 1;
    const id = String(count);
    const back = new Promise<void>((resolve) => waiting.set(id, resolve));
    await writer.append({ topic, partition: count % partitions, key: id, value });
    await back;
    waiting.delete(id);
  };
  await Promise.all(Array.from({ length: 64 }, once));
  const floors: Floor[] = [];
  for (const lines of connections) floors.push(await run(lines, ms, once));
  worker.kill();
  await writer.close();
  subscriber.disconnect();
  await admin.deleteTopics({ topics: [topic] });
  await admin.disconnect();
  return floors;
}

async function run(connections: number, ms: number, once: () => Promise<void>): Promise<Floor> {
  const took: number[] = [];
  const began = performance.now();
  await Promise.all(
    Array.from({ length: connections }, async () => {
      for (let from = performance.now(); from < began + ms; ) {
        await once();
        const now = performance.now();
        took.push(now - from);
        from = now;
      }
    }),
  );
  const seconds = (performance.now() - began) / 1_000;
  took.sort((a, b) => a - b);
  const at = (share: number): number => took[Math.floor(took.length * share)] ?? Number.NaN;
  return { connections, perSecond: took.length / seconds, p50: at(0.5), p99: at(0.99) };
}
