import { expect, test } from '@jest/globals';
import { MAX_AMOUNT } from '#libs/money/minor.ts';

test('the largest amount is the last integer that JSON holds exactly', () => {
  expect(MAX_AMOUNT).toBe(2n ** 53n - 1n);
});
