import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, test } from '@jest/globals';
import { probeKafka } from '#libs/kafka/kafka-client.ts';
import { Health } from '#libs/runtime/health.ts';
import { kafkaCheck } from './readiness-checks.ts';

let server: Server | undefined;
const connections = new Set<Socket>();
afterEach(() => {
  for (const connection of connections) connection.destroy();
  connections.clear();
  server?.close();
  server = undefined;
});

/** Listens on a port without being a broker. */
async function listen(onConnection: (connection: Socket) => void): Promise<number> {
  server = createServer((connection) => {
    connections.add(connection);
    connection.on('error', () => undefined);
    onConnection(connection);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

async function closedPort(): Promise<number> {
  const port = await listen(() => undefined);
  server?.close();
  return port;
}

describe('the readiness check of Kafka', () => {
  test('reports a refused connection immediately', async () => {
    const health = new Health();
    health.markStarted();
    health.addCheck('kafka', kafkaCheck(probeKafka(`127.0.0.1:${await closedPort()}`, 'check')));
    const startedAt = performance.now();
    expect((await health.readiness()).not_ready).toEqual([{ name: 'kafka', reason: 'ECONNREFUSED' }]);
    expect(performance.now() - startedAt).toBeLessThan(1_000);
  });

  test('connects to each configured broker once and does not retry', async () => {
    let connectionCount = 0;
    const port = await listen((connection) => {
      connectionCount += 1;
      connection.destroy();
    });
    const check = kafkaCheck(probeKafka(`127.0.0.1:${port},127.0.0.1:${port}`, 'check'));
    await expect(check()).rejects.toThrow();
    await sleep(700);
    expect(connectionCount).toBe(2);
  });

  test('opens no second connection while one check is running', async () => {
    let connectionCount = 0;
    const port = await listen(() => {
      connectionCount += 1;
    });
    const check = kafkaCheck(probeKafka(`127.0.0.1:${port}`, 'check'));
    await Promise.allSettled([check(), check(), sleep(100).then(check)]);
    expect(connectionCount).toBe(1);
  });
});
