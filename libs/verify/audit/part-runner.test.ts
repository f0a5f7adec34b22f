import { once } from 'node:events';
import { afterAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { PartQueue, PartRunner, type Pause } from './part-runner.ts';

test('runs as many tasks at once as it may, and all of them', async () => {
  const runner = new PartRunner({ parallel: 2 });
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const begun: number[] = [];
  const task = (number: number) => () =>
    runner.run(async () => {
      begun.push(number);
      await released;
    });
  const all = runner.runAll([task(1), task(2), task(3)]);
  await new Promise(setImmediate);
  expect(begun).toEqual([1, 2]);
  release();
  await all;
  expect(begun).toEqual([1, 2, 3]);
});

test('waits for the pause after each part', async () => {
  const steps: string[] = [];
  const pause = async (workedMs: number): Promise<void> => void steps.push(workedMs >= 0 ? 'pause' : 'no time');
  const runner = new PartRunner({ parallel: 1, pause });
  const part = () => runner.run(async () => void steps.push('part'));
  await runner.runAll([part, part]);
  expect(steps).toEqual(['part', 'pause', 'part', 'pause']);
});

describe('a pause', () => {
  const clock = jest.spyOn(performance, 'now');
  beforeEach(() => void clock.mockReturnValue(0));
  afterAll(() => clock.mockRestore());

  test('within a part is for what was worked before it, and that after the part for the rest', async () => {
    const steps: string[] = [];
    const runner = new PartRunner({ parallel: 1, pause: async (workedMs) => void steps.push(`pause ${workedMs}`) });
    const work = (step: string, until: number): void => {
      steps.push(step);
      clock.mockReturnValue(until);
    };
    await runner.run(async (pacer) => {
      work('first page', 10);
      await pacer.pause();
      work('second page', 25);
    });
    expect(steps).toEqual(['first page', 'pause 10', 'second page', 'pause 15']);
  });

  test('is not for more than a minute: a standby was waited for', async () => {
    const pauses: number[] = [];
    const runner = new PartRunner({ parallel: 1, pause: async (workedMs) => void pauses.push(workedMs) });
    await runner.run(async () => void clock.mockReturnValue(180_000));
    expect(pauses).toEqual([60_000]);
  });
});

/** Never ends but with the audit. */
const endlessPause: Pause = (_workedMs, ended) => once(ended, 'abort').then(() => ended.throwIfAborted());

test('a part that fails breaks off the pauses of the others', async () => {
  const runner = new PartRunner({ parallel: 2, pause: endlessPause });
  const { promise: failed, resolve: fail } = Promise.withResolvers<void>();
  const failing = (): Promise<void> => runner.run(() => failed.then(() => Promise.reject(new Error('no connection'))));
  const all = runner.runAll([() => runner.run(async () => undefined), failing]);
  await new Promise(setImmediate);
  fail();
  await expect(all).rejects.toThrow('no connection');
});

test('a part that fails ends the others at their next part, and the failure is that of the audit', async () => {
  const runner = new PartRunner({ parallel: 2 });
  const { promise: failed, resolve: fail } = Promise.withResolvers<void>();
  const parts: string[] = [];
  const failing = (): Promise<void> => runner.run(() => Promise.reject(new Error('no connection')));
  const other = async (): Promise<void> => {
    await runner.run(async () => {
      parts.push('first');
      await failed;
    });
    await runner.run(async () => void parts.push('second'));
  };
  const all = runner.runAll([failing, other, async () => void parts.push('third task')]);
  await new Promise(setImmediate);
  fail();
  await expect(all).rejects.toThrow('no connection');
  expect(parts).toEqual(['first']);
});

describe('a queue', () => {
  let steps: string[];
  let endPause: () => void;
  let queue: PartQueue;
  beforeEach(() => {
    steps = [];
    const { promise: paused, resolve } = Promise.withResolvers<void>();
    endPause = resolve;
    queue = new PartQueue(async () => {
      steps.push('pause');
      await paused;
    });
  });
  const add = (name: string): Promise<void> => queue.run(async () => void steps.push(name));

  test('runs its parts one after the other, each with its pause', async () => {
    const all = Promise.all([add('a'), add('b')]);
    await new Promise(setImmediate);
    expect(steps).toEqual(['a', 'pause']);
    endPause();
    await all;
    expect(steps).toEqual(['a', 'pause', 'b', 'pause']);
  });

  test('is busy until the last pause is over', async () => {
    const last = add('a');
    await new Promise(setImmediate);
    expect([steps, queue.isBusy]).toEqual([['a', 'pause'], true]);
    endPause();
    await last;
    expect(queue.isBusy).toBe(false);
  });

  test('that is stopped waits for the part that runs, and runs no other one', async () => {
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    const parts = [queue.run(() => ended.then(() => void steps.push('a'))), add('b')];
    const outcomes = Promise.allSettled(parts);
    await new Promise(setImmediate);
    const stopped = queue.stop().then(() => steps.push('stopped'));
    end();
    await stopped;
    await outcomes;
    expect(steps).toEqual(['a', 'stopped']);
  });

  test('that is stopped breaks off its pause', async () => {
    const pausing = new PartQueue(endlessPause);
    const part = expect(pausing.run(async () => undefined)).rejects.toThrow('aborted');
    await new Promise(setImmediate);
    await pausing.stop();
    await part;
    expect(pausing.isBusy).toBe(false);
  });

  test('runs nothing after a part that failed', async () => {
    const failed = queue.run(() => Promise.reject(new Error('no connection')));
    const next = add('b');
    await expect(failed).rejects.toThrow('no connection');
    await expect(next).rejects.toThrow('no connection');
    expect(steps).toEqual([]);
    await queue.stop();
  });
});
