/**
 * The write baseline: the least that any service on this machine needs for a durable write. A record goes into Kafka with
 * acks=all, another process reads it, commits a group of records to Postgres and reports them over Redis. There is no HTTP,
 * no signature and no book.
 */
import { fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import type { BackingServiceAddresses } from '#deploy/dev/backing-services.ts';
import { developmentPartitions } from '#deploy/dev/dev-files.ts';
import { connectKafka } from '#libs/kafka/kafka-client.ts';
import { TopicWriter } from '#libs/kafka/topic-writer.ts';
import { keepSubscribed, openSubscriber, waitUntilReady } from '#libs/redis/redis.ts';
import { type LatencyPercentiles, latencyPercentiles } from './latencies.ts';

export interface BaselineResult extends LatencyPercentiles {
  readonly connections: number;
  readonly perSecond: number;
}

const recordBytes = 700;

export async function measureWriteBaseline(
  addresses: BackingServiceAddresses,
  connections: readonly number[],
  durationMs: number,
): Promise<BaselineResult[]> {
  const topic = `baseline.${Date.now()}`;
  const kafka = connectKafka(addresses.kafkaBrokers, 'baseline');
  const admin = kafka.admin();
  await admin.connect();
  await admin.createTopics({
    waitForLeaders: true,
    topics: [{ topic, numPartitions: developmentPartitions, replicationFactor: 1 }],
  });
  const args = [addresses.kafkaBrokers, addresses.databaseUrl, addresses.redisUrl, topic];
  const worker = fork(new URL('./write-baseline-worker.ts', import.meta.url), args);
  await new Promise((resolve) => worker.once('message', resolve));
  const subscriber = openSubscriber(addresses.redisUrl, 'baseline');
  keepSubscribed(subscriber, 'baseline');
  const callbacks = new Map<string, () => void>();
  subscriber.on('message', (_channel, text: string) => {
    for (const id of text.split('\n')) callbacks.get(id)?.();
  });
  await waitUntilReady(subscriber);
  const writer = await TopicWriter.open(kafka);
  let count = 0;
  const value = randomBytes(recordBytes);
  const writeOne = async (): Promise<void> => {
    count += 1;
    const id = String(count);
    const committed = new Promise<void>((resolve) => callbacks.set(id, resolve));
    await writer.append({ topic, partition: count % developmentPartitions, key: id, value });
    await committed;
    callbacks.delete(id);
  };
  await Promise.all(Array.from({ length: 64 }, writeOne));
  const results: BaselineResult[] = [];
  for (const concurrency of connections) results.push(await run(concurrency, durationMs, writeOne));
  worker.kill();
  await writer.close();
  subscriber.disconnect();
  await admin.deleteTopics({ topics: [topic] });
  await admin.disconnect();
  return results;
}

async function run(connections: number, durationMs: number, writeOne: () => Promise<void>): Promise<BaselineResult> {
  const latencies: number[] = [];
  const start = performance.now();
  await Promise.all(
    Array.from({ length: connections }, async () => {
      for (let sentAt = performance.now(); sentAt < start + durationMs; ) {
        await writeOne();
        const now = performance.now();
        latencies.push(now - sentAt);
        sentAt = now;
      }
    }),
  );
  const seconds = (performance.now() - start) / 1_000;
  return { ...latencyPercentiles(latencies), connections, perSecond: latencies.length / seconds };
}
