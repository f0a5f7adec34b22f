import { expect, test } from '@jest/globals';
import { spareTime } from './spare-time.ts';

/** The shares after seconds in which so many of four cores were idle. */
function sharesAfter(idleCores: readonly number[]): number[] {
  let times = { cores: 4, idle: 500, total: 9_000 };
  const share = spareTime(() => times);
  return idleCores.map((idle) => {
    times = { cores: 4, idle: times.idle + idle * 1_000, total: times.total + 4_000 };
    return share();
  });
}

test('a process that can wait works all the time while more cores are idle than it needs', () => {
  expect(sharesAfter([3, 1, 0.7])).toEqual([1, 1, 1]);
});

test('it works less and less while hardly a core is idle, down to a tenth', () => {
  expect(sharesAfter([0, 0.5, 0, 0, 0])).toEqual([0.5, 0.25, 0.125, 0.1, 0.1]);
});

test('it works more by half of what is idle', () => {
  const shares = sharesAfter([0, 0, 0, 0, 0.7, 0, 0.7, 2]);
  expect(shares.slice(4).map((share) => Number(share.toFixed(3)))).toEqual([0.45, 0.225, 0.575, 1]);
});
