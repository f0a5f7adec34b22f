import { describe, expect, test } from '@jest/globals';
import { waitForCompletion, withTimeout } from './with-timeout.ts';

const never = new Promise<never>(() => undefined);

describe('a time limit', () => {
  test('returns the value of work that ends in time', async () => {
    expect(await withTimeout(Promise.resolve('joined'), 60_000)).toEqual({ value: 'joined' });
  });

  test('returns undefined for work that does not end in time', async () => {
    expect(await withTimeout(never, 1)).toBeUndefined();
  });

  test('rejects with the failure of the work', async () => {
    await expect(withTimeout(Promise.reject(new Error('connection lost')), 60_000)).rejects.toThrow('connection lost');
  });
});

describe('waiting for completion', () => {
  const stalled = {
    isDone: () => false,
    progress: () => 7,
    isWorking: () => false,
    stallTimeoutMs: 60_000,
    failed: never,
  };

  test('goes on as long as there is progress', async () => {
    let progress = 0;
    const isDone = () => progress === 20;
    expect(await waitForCompletion({ ...stalled, isDone, progress: () => ++progress, stallTimeoutMs: 50 })).toBe(true);
  });

  test('goes on as long as received data is processed', async () => {
    let polls = 0;
    const isDone = () => ++polls === 20;
    expect(await waitForCompletion({ ...stalled, isDone, isWorking: () => true, stallTimeoutMs: 50 })).toBe(true);
  });

  test('ends with false when there is no progress', async () => {
    expect(await waitForCompletion({ ...stalled, stallTimeoutMs: 1 })).toBe(false);
  });

  test('rejects when its source fails, even if the work is done by then', async () => {
    const failed = Promise.reject(new Error('topic lost'));
    await failed.catch(() => undefined);
    let polls = 0;
    const isDone = () => ++polls > 1;
    await expect(waitForCompletion({ ...stalled, isDone, failed })).rejects.toThrow('topic lost');
  });
});
