import { expect, test } from '@jest/globals';
import { MOST } from '#libs/money/minor.ts';

test('the most that can be stated is the last integer JSON carries without loss', () => {
  expect(MOST).toBe(2n ** 53n - 1n);
});
