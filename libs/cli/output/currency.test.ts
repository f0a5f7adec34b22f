import { expect, test } from '@jest/globals';
import { formatAmount } from './currency.ts';

test.each([
  [103561, 'MXN', '1,035.61'],
  [5, 'MXN', '0.05'],
  [0, 'MXN', '0.00'],
  [-103561, 'MXN', '-1,035.61'],
  [1035, 'JPY', '1,035'],
  [1234, 'KWD', '1.234'],
  [99_999_999_999, 'MXN', '999,999,999.99'],
])('%i minor units of %s are %s', (units, currency, text) => {
  expect(formatAmount(units, currency)).toBe(text);
});
