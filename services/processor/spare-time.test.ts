import { expect, test } from '@jest/globals';
import { spareTime } from './spare-time.ts';

test.each([
  ['what others leave', { own: 10, busy: 70 }, 0.7],
  ['all of it where only this process works', { own: 90, busy: 90 }, 1],
  ['a tenth where others leave nothing', { own: 20, busy: 200 }, 0.1],
  ['no more than all where the clocks differ', { own: 90, busy: 80 }, 1],
])('a process that can wait gets %s', (_what, { own, busy }, expected) => {
  const times = [
    { own: 5, busy: 15, total: 20 },
    { own: 5 + own, busy: 15 + busy, total: 220 },
  ];
  const share = spareTime(() => times.shift() as (typeof times)[0]);
  expect(share()).toBeCloseTo(expected);
});
