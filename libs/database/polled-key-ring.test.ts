/** How long keys stay usable while Postgres answers late or not at all. */
import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import type { Redis } from 'ioredis';
import { DependencyUnavailableError } from '#libs/runtime/dependency.ts';
import { silentLogger } from '#libs/runtime/logging.ts';
import type { Database } from './database.ts';
import { keysChannel, PolledKeyRing } from './polled-key-ring.ts';

const fp = 'unregistered';

/** A Postgres without changes: it answers immediately, after `answerDelayMs`, or never. */
class FakePostgres {
  isAnswering = true;
  answerDelayMs = 0;
  queryCount = 0;
  readonly subscriber = Object.assign(new EventEmitter(), { subscribe: async () => 1 });
  readonly database = { query: () => this.#query() } as unknown as Database;

  #query(): Promise<{ rows: object[] }> {
    this.queryCount += 1;
    const rows: object[] = [];
    if (!this.isAnswering) return new Promise(() => undefined);
    if (this.answerDelayMs === 0) return Promise.resolve({ rows });
    return new Promise((resolve) => setTimeout(() => resolve({ rows }), this.answerDelayMs));
  }
}

/** The test controls the clock, so that a pause of the machine does not fail a test. */
let clockMs = 0;
beforeEach(() => {
  clockMs = 0;
  jest.useFakeTimers({ doNotFake: ['performance'] });
  jest.spyOn(performance, 'now').mockImplementation(() => clockMs);
});

let keyRing: PolledKeyRing;
afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
  keyRing.close();
});

/** Time passes while the event loop runs. */
async function run(ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 10) {
    clockMs += 10;
    await jest.advanceTimersByTimeAsync(10);
  }
}

/** Time passes while the process is paused. */
function pauseProcess(ms: number): void {
  clockMs += ms;
}

async function open(postgres: FakePostgres): Promise<void> {
  keyRing = await PolledKeyRing.open(postgres.database, postgres.subscriber as unknown as Redis, silentLogger);
}

test('keys are usable as long as Postgres answers, and for less than a second after it stops', async () => {
  const postgres = new FakePostgres();
  await open(postgres);
  await run(1_200);
  expect(keyRing.find(fp)).toBeUndefined();
  postgres.isAnswering = false;
  await run(1_000);
  expect(() => keyRing.find(fp)).toThrow(DependencyUnavailableError);
});

test('the age of the keys counts from when they were requested, not from when the answer arrived', async () => {
  const postgres = new FakePostgres();
  await open(postgres);
  postgres.answerDelayMs = 400;
  await run(300);
  // Requested at 150 ms, answered at 550 ms; the next request is not answered.
  postgres.isAnswering = false;
  await run(790);
  expect(keyRing.find(fp)).toBeUndefined();
  await run(30);
  expect(() => keyRing.find(fp)).toThrow(DependencyUnavailableError);
});

test('after a pause of the process keys are unusable until the refresh that it offers to wait for', async () => {
  const postgres = new FakePostgres();
  await open(postgres);
  await run(200);
  expect(keyRing.refreshed()).toBeUndefined();
  pauseProcess(1_500);
  expect(() => keyRing.find(fp)).toThrow(DependencyUnavailableError);
  const { queryCount } = postgres;
  for (let refresh = keyRing.refreshed(); refresh !== undefined; refresh = keyRing.refreshed()) await refresh;
  expect(postgres.queryCount).toBeGreaterThan(queryCount);
  expect(keyRing.find(fp)).toBeUndefined();
});

test('after a pause without an answer of Postgres, requests are refused within a second', async () => {
  const postgres = new FakePostgres();
  await open(postgres);
  postgres.isAnswering = false;
  await run(200);
  pauseProcess(1_500);
  expect(keyRing.refreshed()).toBeInstanceOf(Promise);
  await run(1_000);
  expect(keyRing.refreshed()).toBeUndefined();
  expect(() => keyRing.find(fp)).toThrow(DependencyUnavailableError);
});

test('an announced change is read immediately', async () => {
  const postgres = new FakePostgres();
  await open(postgres);
  const { queryCount } = postgres;
  postgres.subscriber.emit('message', keysChannel, '');
  expect(postgres.queryCount).toBe(queryCount + 1);
});
