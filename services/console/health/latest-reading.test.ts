import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { silentLogger } from '#libs/runtime/logging.ts';
import { LatestReading } from './latest-reading.ts';

const times = { intervalMs: 30_000, freshMs: 1_000, maxWaitMs: 100, maxAgeMs: 120_000 };

beforeEach(() => {
  jest.useFakeTimers({ now: 0 });
});
afterEach(() => {
  jest.useRealTimers();
});

/** Each reading takes so long, and is of the moment at which it ends. */
function readingOf(duration: { ms: number; fails?: boolean }) {
  const read = jest.fn(async () => {
    await new Promise((resolve) => setTimeout(resolve, duration.ms));
    if (duration.fails === true) throw new Error('Kafka does not answer');
    return { readAt: Date.now() };
  });
  const warn = jest.fn();
  const reading = new LatestReading({ name: 'topics', read, times, logger: { ...silentLogger, warn } });
  return { reading, read, warn, latest: async () => (await reading.get()).latest };
}

/** What a look gets, and after how long. */
async function look({ get }: { get: () => Promise<unknown> }): Promise<readonly [value: unknown, ms: number]> {
  const startedAt = Date.now();
  let result: readonly [unknown, number] | undefined;
  void get().then((value) => {
    result = [value, Date.now() - startedAt];
  });
  for (let ms = 0; result === undefined && ms <= 1_000; ms += 1) await jest.advanceTimersByTimeAsync(1);
  return result ?? ['no answer', 1_000];
}

test('a look waits for a reading no longer than its bound, and gets it later', async () => {
  const { latest: get } = readingOf({ ms: 500 });
  expect((await look({ get }))[0]).toBeUndefined();
  await jest.advanceTimersByTimeAsync(500);
  expect((await look({ get }))[0]).toEqual({ readAt: 500 });
});

test('a look at an older reading begins one, and gets the older one where that takes longer', async () => {
  const duration = { ms: 10 };
  const { latest, read } = readingOf(duration);
  await jest.advanceTimersByTimeAsync(20_000);
  duration.ms = 5_000;
  const [value, ms] = await look({ get: latest });
  expect(value).toEqual({ readAt: 10 });
  expect(ms).toBeLessThanOrEqual(times.maxWaitMs + 1);
  expect(read).toHaveBeenCalledTimes(2);
});

test('it is read in the background without a look, until it is stopped', async () => {
  const { reading, read } = readingOf({ ms: 10 });
  await jest.advanceTimersByTimeAsync(60_000);
  expect(read).toHaveBeenCalledTimes(3);
  reading.stop();
  await jest.advanceTimersByTimeAsync(60_000);
  expect(read).toHaveBeenCalledTimes(3);
});

test('a reading is not shown when newer ones have failed for long', async () => {
  const duration: { ms: number; fails?: boolean } = { ms: 10 };
  const { latest } = readingOf(duration);
  await jest.advanceTimersByTimeAsync(1_000);
  duration.fails = true;
  await jest.advanceTimersByTimeAsync(118_000);
  expect((await look({ get: latest }))[0]).toEqual({ readAt: 10 });
  await jest.advanceTimersByTimeAsync(2_000);
  expect((await look({ get: latest }))[0]).toBeUndefined();
});

test('it says since when readings fail until one succeeds, and logs each failure', async () => {
  const duration: { ms: number; fails?: boolean } = { ms: 10 };
  const { reading, warn } = readingOf(duration);
  const get = async () => (await reading.get()).failingSince;
  await jest.advanceTimersByTimeAsync(10);
  expect(await get()).toBeUndefined();
  duration.fails = true;
  await jest.advanceTimersByTimeAsync(60_000);
  expect((await look({ get }))[0]).toBe(30_010);
  const fields = { event: 'console.reading_failed', reading: 'topics', err: new Error('Kafka does not answer') };
  expect(warn.mock.calls).toEqual(Array.from({ length: 3 }, () => [fields, expect.any(String)]));
  duration.fails = false;
  expect((await look({ get }))[0]).toBeUndefined();
});
