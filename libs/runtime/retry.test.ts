import { describe, expect, jest, test } from '@jest/globals';
import { retry } from './retry.ts';

const delays = { firstDelayMs: 1, maxDelayMs: 4 };

/** Fails with each error in turn, then returns `done`. */
function failing(...errors: readonly Error[]) {
  const remaining = [...errors];
  return jest.fn(async (_attempt: number) => {
    const error = remaining.shift();
    if (error !== undefined) throw error;
    return 'done';
  });
}

describe('retry', () => {
  test('repeats a failing operation until it succeeds', async () => {
    const operation = failing(new Error('1'), new Error('2'));
    await expect(retry(operation, delays)).resolves.toBe('done');
    expect(operation.mock.calls).toEqual([[1], [2], [3]]);
  });

  test('immediately throws a failure that is not retryable', async () => {
    const failure = new TypeError('x is undefined');
    const operation = failing(failure);
    const isRetryable = (cause: unknown): boolean => !(cause instanceof TypeError);
    await expect(retry(operation, { ...delays, isRetryable })).rejects.toBe(failure);
    expect(operation).toHaveBeenCalledTimes(1);
  });

  test('doubles its pauses up to the longest, each at least half of it', async () => {
    const pauses: number[] = [];
    const failures = Array.from({ length: 5 }, () => new Error('unavailable'));
    await retry(failing(...failures), { ...delays, onRetry: (_cause, _attempt, delayMs) => void pauses.push(delayMs) });
    for (const [at, longest] of [1, 2, 4, 4, 4].entries()) {
      expect(pauses[at]).toBeGreaterThanOrEqual(longest / 2);
      expect(pauses[at]).toBeLessThanOrEqual(longest);
    }
  });

  test('adds the pause that the failure requests', async () => {
    const pauses: number[] = [];
    await retry(failing(new Error('busy')), {
      ...delays,
      retryAfterMs: () => 20,
      onRetry: (_cause, _attempt, delayMs) => void pauses.push(delayMs),
    });
    expect(pauses[0]).toBeGreaterThanOrEqual(20);
  });

  test('throws the last failure once the timeout is reached', async () => {
    const operation = jest.fn(async () => Promise.reject(new Error('unavailable')));
    await expect(retry(operation, { ...delays, timeoutMs: 20 })).rejects.toThrow('unavailable');
    expect(operation.mock.calls.length).toBeGreaterThan(1);
  });

  test('stops during a pause when its signal is aborted, with the reason given', async () => {
    const stop = new AbortController();
    const reason = new Error('partition revoked');
    const operation = jest.fn(async () => Promise.reject(new Error('unavailable')));
    const onRetry = () => stop.abort(reason);
    const retried = retry(operation, { firstDelayMs: 60_000, maxDelayMs: 60_000, signal: stop.signal, onRetry });
    await expect(retried).rejects.toBe(reason);
    expect(operation).toHaveBeenCalledTimes(1);
  });

  test('does not start when its signal is already aborted', async () => {
    const operation = failing();
    await expect(retry(operation, { ...delays, signal: AbortSignal.abort(new Error('stopping')) })).rejects.toThrow(
      'stopping',
    );
    expect(operation).not.toHaveBeenCalled();
  });
});
