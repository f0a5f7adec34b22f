import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, test } from '@jest/globals';
import { askKafka } from '#libs/kafka/kafka.ts';
import { kafkaAnswers } from './backing.ts';
import { Health } from './health.ts';

let server: Server | undefined;
const lines = new Set<Socket>();
afterEach(() => {
  for (const line of lines) line.destroy();
  lines.clear();
  server?.close();
  server = undefined;
});

/** Something that is no broker. */
async function listening(meet: (line: Socket) => void): Promise<number> {
  const made = createServer((line) => {
    lines.add(line);
    line.on('error', () => undefined);
    meet(line);
  });
  server = made;
  made.listen(0, '127.0.0.1');
  await once(made, 'listening');
  return (made.address() as AddressInfo).port;
}

async function nobodyListens(): Promise<number> {
  const port = await listening(() => undefined);
  server?.close();
  return port;
}

describe('a service that asks whether Kafka is there', () => {
  test('is told at once and as it is that nobody listens there', async () => {
    const health = new Health();
    health.started();
    health.add('kafka', kafkaAnswers(askKafka(`127.0.0.1:${await nobodyListens()}`, 'asks')));
    const from = performance.now();
    expect((await health.ready()).not_ready).toEqual([{ name: 'kafka', reason: 'ECONNREFUSED' }]);
    expect(performance.now() - from).toBeLessThan(1_000);
  });

  test('asks each broker it knows of once and no more', async () => {
    let asked = 0;
    const port = await listening((line) => {
      asked += 1;
      line.destroy();
    });
    const check = kafkaAnswers(askKafka(`127.0.0.1:${port},127.0.0.1:${port}`, 'asks'));
    await expect(check()).rejects.toThrow();
    await sleep(700);
    expect(asked).toBe(2);
  });

  test('asks nothing anew while it waits for an answer', async () => {
    let asked = 0;
    const port = await listening(() => {
      asked += 1;
    });
    const check = kafkaAnswers(askKafka(`127.0.0.1:${port}`, 'asks'));
    await Promise.allSettled([check(), check(), sleep(100).then(check)]);
    expect(asked).toBe(1);
  });
});
