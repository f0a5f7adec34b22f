import { expect, jest, test } from '@jest/globals';
import { PartQueue, PartRunner } from './part-runner.ts';

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
  const pause = async (partMs: number): Promise<void> => void steps.push(partMs >= 0 ? 'pause' : 'no time');
  const runner = new PartRunner({ parallel: 1, pause });
  const part = () => runner.run(async () => void steps.push('part'));
  await runner.runAll([part, part]);
  expect(steps).toEqual(['part', 'pause', 'part', 'pause']);
});

test('pauses within a part, and after it only for the rest', async () => {
  const steps: string[] = [];
  const clock = jest.spyOn(performance, 'now').mockReturnValue(0);
  const runner = new PartRunner({ parallel: 1, pause: async (partMs) => void steps.push(`pause ${partMs}`) });
  const work = (step: string, until: number): void => {
    steps.push(step);
    clock.mockReturnValue(until);
  };
  await runner.run(async (time) => {
    work('first page', 10);
    await time.pause();
    work('second page', 25);
  });
  clock.mockRestore();
  expect(steps).toEqual(['first page', 'pause 10', 'second page', 'pause 15']);
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

test('a queue runs its parts one after the other, and works until the last pause is over', async () => {
  const steps: string[] = [];
  const { promise: paused, resolve: endPause } = Promise.withResolvers<void>();
  const queue = new PartQueue(async () => {
    steps.push('pause');
    await paused;
  });
  const all = Promise.all(['a', 'b'].map((name) => queue.run(async () => void steps.push(name))));
  await new Promise(setImmediate);
  expect([steps, queue.isWorking]).toEqual([['a', 'pause'], true]);
  endPause();
  await all;
  expect([steps, queue.isWorking]).toEqual([['a', 'pause', 'b', 'pause'], false]);
});
