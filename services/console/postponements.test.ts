import { expect, test } from '@jest/globals';
import { Postponements } from './postponements.ts';

test('each failure postpones longer, up to half a minute, until it succeeds', () => {
  let now = 0;
  const postponements = new Postponements(() => now);
  const delays: number[] = [];
  for (let attempt = 0; attempt < 7; attempt += 1) {
    postponements.postpone('lender');
    const from = now;
    while (postponements.names().length > 0) now += 1_000;
    delays.push((now - from) / 1_000);
  }
  expect(delays).toEqual([1, 2, 4, 8, 16, 30, 30]);
  postponements.postpone('other');
  postponements.remove('other');
  expect(postponements.names()).toEqual([]);
  postponements.postpone('other');
  now += 1_000;
  expect(postponements.names()).toEqual([]);
});
