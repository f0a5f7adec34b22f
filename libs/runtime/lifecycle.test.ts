import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { Lifecycle } from './lifecycle.ts';
import { createLogger } from './logging.ts';

const lines: string[] = [];
let exit: jest.SpiedFunction<typeof process.exit>;

beforeEach(() => {
  jest.useFakeTimers();
  lines.length = 0;
  exit = jest.spyOn(process, 'exit').mockImplementation((() => undefined) as typeof process.exit);
});
afterEach(() => {
  jest.useRealTimers();
  exit.mockRestore();
});

function createLifecycle(drainTimeMs?: number): Lifecycle {
  return new Lifecycle(createLogger('test', 'info', { write: (line) => void lines.push(line) }), drainTimeMs);
}

describe('a process that fails', () => {
  test('closes what it has opened and exits with status 1', async () => {
    const lifecycle = createLifecycle();
    const closed: string[] = [];
    lifecycle.onStop('one', async () => closed.push('one'));
    lifecycle.onStop('two', async () => closed.push('two'));
    lifecycle.fail();
    await jest.advanceTimersByTimeAsync(0);
    expect(closed).toEqual(['two', 'one']);
    expect(exit.mock.calls).toEqual([[1]]);
  });

  test('does not wait for load balancers', async () => {
    const lifecycle = createLifecycle(5_000);
    lifecycle.onDrain('callers', () => lifecycle.drain());
    lifecycle.fail();
    await jest.advanceTimersByTimeAsync(0);
    expect(exit.mock.calls).toEqual([[1]]);
  });

  test('exits although a resource never closes', async () => {
    const lifecycle = createLifecycle();
    lifecycle.onStop('stuck', () => new Promise(() => undefined));
    lifecycle.fail();
    await jest.advanceTimersByTimeAsync(19_999);
    expect(exit).not.toHaveBeenCalled();
    await jest.advanceTimersByTimeAsync(1);
    expect(exit.mock.calls).toEqual([[1]]);
    expect(lines.join()).toContain('did not stop in time');
  });
});

describe('a process that gets SIGTERM', () => {
  test('has its time to close in addition to the drain time', async () => {
    const lifecycle = createLifecycle(5_000);
    lifecycle.onStop('stuck', () => new Promise(() => undefined));
    const on = jest.spyOn(process, 'on').mockReturnThis();
    lifecycle.listen();
    const handler = on.mock.calls.find(([name]) => String(name) === 'SIGTERM')?.[1] as (() => void) | undefined;
    on.mockRestore();
    handler?.();
    await jest.advanceTimersByTimeAsync(24_999);
    expect(exit).not.toHaveBeenCalled();
    await jest.advanceTimersByTimeAsync(1);
    expect(exit.mock.calls).toEqual([[1]]);
  });
});
