/** Keys that are vouched for while Postgres is asked, and for how long where it says nothing. */
import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import type { Redis } from 'ioredis';
import { DependencyUnavailableError } from '#libs/runtime/dependency-unavailable.ts';
import type { Database } from './database.ts';
import { KeyWatch, keysChannel } from './key-watch.ts';

const fp = 'nobody';

/** Postgres as the watch asks it: answers nothing new, at once or later, or nothing at all. */
class Store {
  answers = true;
  takesMs = 0;
  asked = 0;
  readonly subscriber = Object.assign(new EventEmitter(), { subscribe: async () => 1 });
  readonly database = { query: () => this.#query() } as unknown as Database;
  #query(): Promise<{ rows: object[] }> {
    this.asked += 1;
    const rows: object[] = [];
    if (!this.answers) return new Promise(() => undefined);
    if (this.takesMs === 0) return Promise.resolve({ rows });
    return new Promise((resolve) => setTimeout(() => resolve({ rows }), this.takesMs));
  }
}

/** The clock is the test's: a machine that stands still for a moment says nothing of the watch. */
let clock = 0;
beforeEach(() => {
  clock = 0;
  jest.useFakeTimers({ doNotFake: ['performance'] });
  jest.spyOn(performance, 'now').mockImplementation(() => clock);
});

let watch: KeyWatch;
afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
  watch.close();
});

/** The loop goes round all the while. */
async function pause(ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 10) {
    clock += 10;
    await jest.advanceTimersByTimeAsync(10);
  }
}

function standStill(ms: number): void {
  clock += ms;
}

async function opened(store: Store): Promise<void> {
  const quiet = { warn: () => undefined, error: () => undefined };
  watch = await KeyWatch.open(store.database, store.subscriber as unknown as Redis, quiet);
}

test('keys are vouched for as long as the store answers, and for less than a second where it does not', async () => {
  const store = new Store();
  await opened(store);
  await pause(1_200);
  expect(watch.find(fp)).toBeUndefined();
  store.answers = false;
  await pause(1_000);
  expect(() => watch.find(fp)).toThrow(DependencyUnavailableError);
});

test('what took long to be answered is as old as the question', async () => {
  const store = new Store();
  await opened(store);
  store.takesMs = 400;
  await pause(300);
  // Asked at 150, answered at 550; what is asked then is not answered.
  store.answers = false;
  await pause(790);
  expect(watch.find(fp)).toBeUndefined();
  await pause(30);
  expect(() => watch.find(fp)).toThrow(DependencyUnavailableError);
});

test('a process that stood still vouches for nobody on what it knew, and says what to wait for', async () => {
  const store = new Store();
  await opened(store);
  await pause(200);
  expect(watch.current()).toBeUndefined();
  standStill(1_500);
  expect(() => watch.find(fp)).toThrow(DependencyUnavailableError);
  const { asked } = store;
  for (let looked = watch.current(); looked !== undefined; looked = watch.current()) await looked;
  expect(store.asked).toBeGreaterThan(asked);
  expect(watch.find(fp)).toBeUndefined();
});

test('and refuses within a second of going on where nobody answers', async () => {
  const store = new Store();
  await opened(store);
  store.answers = false;
  await pause(200);
  standStill(1_500);
  expect(watch.current()).toBeInstanceOf(Promise);
  await pause(1_000);
  expect(watch.current()).toBeUndefined();
  expect(() => watch.find(fp)).toThrow(DependencyUnavailableError);
});

test('what is told to have changed is asked for at once', async () => {
  const store = new Store();
  await opened(store);
  const { asked } = store;
  store.subscriber.emit('message', keysChannel, '');
  expect(store.asked).toBe(asked + 1);
});
