import { expect, test } from '@jest/globals';
import { halfOfAll } from './adaptive-batch-size.ts';

test('half of the most who asked lately go together, also just after the other half was answered', () => {
  const together = halfOfAll();
  expect([64, 32, 40, 33].map(together)).toEqual([32, 32, 32, 32]);
});

test('callers who have gone are forgotten', () => {
  const together = halfOfAll();
  together(512);
  const later = Array.from({ length: 8 }, () => together(20));
  expect(later.at(0)).toBe(256);
  expect(later.at(-1)).toBe(10);
});

test('a few are not divided', () => {
  expect([0, 1, 8, 15].map(halfOfAll())).toEqual([8, 8, 8, 8]);
});
