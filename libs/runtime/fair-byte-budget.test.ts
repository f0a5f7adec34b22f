import { expect, jest, test } from '@jest/globals';
import { DependencyUnavailableError } from './dependency.ts';
import { FairByteBudget } from './fair-byte-budget.ts';

/** A budget of 100 bytes, and what was granted of it in that order. */
function testBudget() {
  const budget = new FairByteBudget('memory', 100);
  const granted: string[] = [];
  const releases = new Map<string, () => void>();
  const take = (name: string, bytes: number, tenantId = name, waitUntil = performance.now() + 60_000): Promise<void> =>
    budget.take({ tenantId, bytes, waitUntil }).then((release) => {
      granted.push(name);
      releases.set(name, release);
    });
  const release = async (name: string): Promise<void> => {
    releases.get(name)?.();
    await new Promise(setImmediate);
  };
  return { take, release, granted };
}

jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask', 'performance'] });

test('requests are granted together while there is room, the others in the order of arrival', async () => {
  const { take, release, granted } = testBudget();
  await Promise.all([take('a', 60), take('b', 40)]);
  void take('c', 50);
  // It would fit sooner, but the request before it would then wait longer.
  void take('d', 10);
  await release('b');
  expect(granted).toEqual(['a', 'b']);
  await release('a');
  expect(granted).toEqual(['a', 'b', 'c', 'd']);
});

test('a request for more than the bound is granted alone', async () => {
  const { take, release, granted } = testBudget();
  await take('a', 1);
  void take('long', 1_000);
  void take('b', 1);
  await release('a');
  expect(granted).toEqual(['a', 'long']);
  await release('long');
  expect(granted).toEqual(['a', 'long', 'b']);
});

test('several requests of one Tenancy get half of the room, and the Tenancy that uses the least is next', async () => {
  const { take, release, granted } = testBudget();
  for (const name of ['a1', 'a2', 'a3', 'a4']) void take(name, 25, 'a');
  void take('b1', 25, 'b');
  void take('b2', 25, 'b');
  await new Promise(setImmediate);
  expect(granted).toEqual(['a1', 'a2', 'b1', 'b2']);
  await release('b1');
  expect(granted).toHaveLength(4);
  void take('c', 25);
  await release('a1');
  expect(granted.slice(4)).toEqual(['c', 'a3']);
});

test('a request that has waited until its end is rejected as unavailable, and those behind it are granted', async () => {
  const { take, granted } = testBudget();
  await take('a', 60);
  const late = take('late', 50, 'b', 0);
  void take('c', 40);
  const rejected = expect(late).rejects.toThrow(DependencyUnavailableError);
  jest.advanceTimersByTime(1);
  await rejected;
  await new Promise(setImmediate);
  expect(granted).toEqual(['a', 'c']);
});
