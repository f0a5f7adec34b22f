import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { freePort } from '#deploy/stack/ports.ts';
import { mustRun } from './must-run.ts';

const listening = createServer((socket) => socket.destroy());
let there: number;
let gone: number;
beforeAll(async () => {
  await once(listening.listen(0, '127.0.0.1'), 'listening');
  there = (listening.address() as AddressInfo).port;
  gone = await freePort();
});
afterAll(() => void listening.close());

const stackAt = (port: number) => ({
  KAFKA_BROKERS: `127.0.0.1:${port},localhost:${port}`,
  SCHEMA_REGISTRY_URL: `http://127.0.0.1:${port}`,
  DATABASE_URL: `postgres://services:secret@127.0.0.1:${port}/lending`,
  REDIS_URL: `redis://127.0.0.1:${port}`,
  LENDING_URL: `http://127.0.0.1:${port}`,
});

describe('a command', () => {
  test('of a caller says that npm start is not running where nobody listens at its address', async () => {
    const left = stackAt(gone);
    await expect(mustRun('service', left, left)).rejects.toThrow(
      `npm start is not running: nobody listens at 127.0.0.1:${gone}, as`,
    );
  });

  test('of a cell says so where nobody listens at any address, and tells no password', async () => {
    const left = stackAt(gone);
    const told: unknown = await mustRun('cell', left, left).catch(String);
    expect(told).toContain(`npm start is not running: nobody listens at 127.0.0.1:${gone}, localhost:${gone}, `);
    expect(told).not.toContain('secret');
  });

  test.each(['service', 'cell'] as const)('that needs the %s says so where it left no address', async (needs) => {
    await expect(mustRun(needs, {}, {})).rejects.toThrow('npm start is not running, or not ready yet');
  });

  test('goes on where npm start runs, or one of what it runs does not', async () => {
    const running = stackAt(there);
    await mustRun('service', running, running);
    await mustRun('cell', running, running);
    const limping = { ...running, REDIS_URL: `redis://127.0.0.1:${gone}` };
    await mustRun('cell', limping, limping);
  });

  test('goes on where another cell is named, or none is needed', async () => {
    await mustRun('cell', stackAt(gone), {});
    await mustRun('service', { LENDING_URL: `http://127.0.0.1:${gone}` }, {});
    await mustRun('cell', { DATABASE_URL: 'postgres://prod/lending' }, {});
    await mustRun('nobody', {}, {});
  });
});
