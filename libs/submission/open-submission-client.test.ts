import { EventEmitter, once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Redis } from 'ioredis';
import type { Database } from '#libs/database/database.ts';
import { PartitionDatabases } from '#libs/database/partition-databases.ts';
import type { KafkaClient } from '#libs/kafka/kafka-client.ts';
import { DependencyUnavailableError } from '#libs/runtime/dependency.ts';
import { silentLogger } from '#libs/runtime/logging.ts';
import { openSubmissionClient } from './open-submission-client.ts';

/** A registry that accepts every schema. */
let registry: Server;
let schemaRegistryUrl: string;
beforeAll(async () => {
  registry = createServer((request, response) => {
    const body = request.url?.startsWith('/config') === true ? { compatibility: 'BACKWARD' } : { id: 7 };
    response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
  });
  await once(registry.listen(0, '127.0.0.1'), 'listening');
  schemaRegistryUrl = `http://127.0.0.1:${(registry.address() as AddressInfo).port}`;
});
afterAll(() => {
  registry.close();
  registry.closeAllConnections();
});

/** A fake Redis subscriber that records its subscriptions in `channels`. */
function fakeSubscriber(channels: Set<string>) {
  return Object.assign(new EventEmitter(), {
    status: 'ready',
    subscribe: async (channel: string) => void channels.add(channel),
    unsubscribe: async (channel: string) => void channels.delete(channel),
  });
}

/** A fake Kafka client that can be connected to when `isAvailable` returns true. */
function fakeKafkaClient(isAvailable: () => boolean): KafkaClient {
  const connect = async (): Promise<void> => {
    if (!isAvailable()) throw new Error('broker unavailable');
  };
  return { producer: () => ({ connect, disconnect: async () => undefined }) } as unknown as KafkaClient;
}

const attempts = 10;
const activeTimers = (): number => process.getActiveResourcesInfo().filter((each) => each === 'Timeout').length;

test('failed attempts to open a client while Kafka is unavailable leave no subscription and no timer', async () => {
  const channels = new Set<string>();
  const subscriber = fakeSubscriber(channels);
  const subscriptions = () => ({ listeners: subscriber.listenerCount('message'), channels: channels.size });
  let isAvailable = false;
  const options = {
    kafka: fakeKafkaClient(() => isAvailable),
    schemaRegistryUrl,
    databases: PartitionDatabases.of({ query: async () => ({ rows: [{ partition: 0 }] }) } as unknown as Database),
    subscriber: subscriber as unknown as Redis,
    logger: silentLogger,
  };
  const before = activeTimers();
  for (let attempt = 0; attempt < attempts; attempt += 1)
    await expect(openSubmissionClient(options)).rejects.toThrow(DependencyUnavailableError);
  expect(subscriptions()).toEqual({ listeners: 0, channels: 0 });
  // A connection to the registry may have timers of its own.
  expect(activeTimers() - before).toBeLessThan(attempts);
  isAvailable = true;
  const client = await openSubmissionClient(options);
  expect(subscriptions()).toEqual({ listeners: 1, channels: 1 });
  await client.close();
  expect(subscriptions()).toEqual({ listeners: 0, channels: 0 });
});
