import { EventEmitter, once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Redis } from 'ioredis';
import type { Database } from '#libs/database/database.ts';
import type { KafkaClient } from '#libs/kafka/kafka.ts';
import { DependencyUnavailableError } from '#libs/runtime/dependency-unavailable.ts';
import { openCounter } from './client.ts';

/** A registry that knows every schema. */
let registry: Server;
let schemaRegistryUrl: string;
beforeAll(async () => {
  registry = createServer((request, response) => {
    const told = request.url?.startsWith('/config') === true ? { compatibility: 'BACKWARD' } : { id: 7 };
    response.setHeader('content-type', 'application/json').end(JSON.stringify(told));
  });
  await once(registry.listen(0, '127.0.0.1'), 'listening');
  schemaRegistryUrl = `http://127.0.0.1:${(registry.address() as AddressInfo).port}`;
});
afterAll(() => {
  registry.close();
  registry.closeAllConnections();
});

/** Redis, and who listens to what on it. */
function subscriberWith(channels: Set<string>) {
  return Object.assign(new EventEmitter(), {
    status: 'ready',
    subscribe: async (channel: string) => void channels.add(channel),
    unsubscribe: async (channel: string) => void channels.delete(channel),
  });
}

/** A log that is away, until it is there. */
function logOf(isThere: () => boolean): KafkaClient {
  const connect = async (): Promise<void> => {
    if (!isThere()) throw new Error('away');
  };
  return { producer: () => ({ connect, disconnect: async () => undefined }) } as unknown as KafkaClient;
}

const tries = 10;
const timers = (): number => process.getActiveResourcesInfo().filter((each) => each === 'Timeout').length;

test('a place that cannot be opened while the log is away leaves nothing behind, however often it is tried', async () => {
  const channels = new Set<string>();
  const subscriber = subscriberWith(channels);
  const heard = () => ({ listeners: subscriber.listenerCount('message'), channels: channels.size });
  let isThere = false;
  const parts = {
    log: logOf(() => isThere),
    schemaRegistryUrl,
    database: {} as Database,
    subscriber: subscriber as unknown as Redis,
    say: { warn: () => undefined, error: () => undefined },
  };
  const before = timers();
  for (let times = 0; times < tries; times += 1)
    await expect(openCounter(parts)).rejects.toThrow(DependencyUnavailableError);
  expect(heard()).toEqual({ listeners: 0, channels: 0 });
  // A line to the registry may have some of its own.
  expect(timers() - before).toBeLessThan(tries);
  isThere = true;
  const counter = await openCounter(parts);
  expect(heard()).toEqual({ listeners: 1, channels: 1 });
  await counter.close();
  expect(heard()).toEqual({ listeners: 0, channels: 0 });
});
