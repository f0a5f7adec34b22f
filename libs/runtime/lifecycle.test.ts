import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { Lifecycle } from './lifecycle.ts';
import { createLogger } from './logging.ts';

const lines: string[] = [];
let ended: jest.SpiedFunction<typeof process.exit>;

beforeEach(() => {
  jest.useFakeTimers();
  lines.length = 0;
  ended = jest.spyOn(process, 'exit').mockImplementation((() => undefined) as typeof process.exit);
});
afterEach(() => {
  jest.useRealTimers();
  ended.mockRestore();
});

function lifecycle(drainMs?: number): Lifecycle {
  return new Lifecycle(createLogger('test', 'info', { write: (line) => void lines.push(line) }), drainMs);
}

describe('a process that cannot go on', () => {
  test('closes what it has opened and ends badly', async () => {
    const life = lifecycle();
    const closed: string[] = [];
    life.onStop('one', async () => closed.push('one'));
    life.onStop('two', async () => closed.push('two'));
    life.fail();
    await jest.advanceTimersByTimeAsync(0);
    expect(closed).toEqual(['two', 'one']);
    expect(ended.mock.calls).toEqual([[1]]);
  });

  test('serves nobody on', async () => {
    const life = lifecycle(5_000);
    life.onLeave('callers', () => life.drain());
    life.fail();
    await jest.advanceTimersByTimeAsync(0);
    expect(ended.mock.calls).toEqual([[1]]);
  });

  test('ends though what it has opened never closes', async () => {
    const life = lifecycle();
    life.onStop('stuck', () => new Promise(() => undefined));
    life.fail();
    await jest.advanceTimersByTimeAsync(19_999);
    expect(ended).not.toHaveBeenCalled();
    await jest.advanceTimersByTimeAsync(1);
    expect(ended.mock.calls).toEqual([[1]]);
    expect(lines.join()).toContain('not stopped within 20000 ms');
  });
});

describe('a process that is told to end', () => {
  test('has its time to close beside the one in which it drains', async () => {
    const life = lifecycle(5_000);
    life.onStop('stuck', () => new Promise(() => undefined));
    const hears = jest.spyOn(process, 'on').mockReturnThis();
    life.listen();
    const told = hears.mock.calls.find(([name]) => String(name) === 'SIGTERM')?.[1] as (() => void) | undefined;
    hears.mockRestore();
    told?.();
    await jest.advanceTimersByTimeAsync(24_999);
    expect(ended).not.toHaveBeenCalled();
    await jest.advanceTimersByTimeAsync(1);
    expect(ended.mock.calls).toEqual([[1]]);
  });
});
