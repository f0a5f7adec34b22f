import { expect, test } from '@jest/globals';
import { toDecimal, toMoney } from './money.ts';

test.each([
  ['1035.61', 2, 103_561],
  ['1035.610', 2, 103_561],
  ['1035', 2, 103_500],
  ['0.5', 2, 50],
  ['-0.05', 2, -5],
  ['-0', 2, 0],
  ['500', 0, 500],
  ['1.234', 3, 1_234],
  [7n, 2, 700],
] as const)('%s with %i decimals is an amount', (amount, digits, minorUnits) => {
  expect(toMoney(amount, 'MXN', digits)).toEqual({ minor_units: minorUnits, currency: 'MXN' });
});

test.each([
  [103.56, 'the amount is a number; expected a text'],
  ['1.005', 'has more than 2 decimals'],
  ['1,5', 'is no decimal number'],
  ['', 'is no decimal number'],
  ['1e3', 'is no decimal number'],
  ['99999999999999999999', 'is larger than any that is admitted'],
])('%p is refused', (amount, message) => {
  expect(() => toMoney(amount as string, 'MXN')).toThrow(message);
});

test.each([
  [103_561, 2, '1035.61'],
  [5, 2, '0.05'],
  [-5, 2, '-0.05'],
  [0, 2, '0.00'],
  [500, 0, '500'],
])('%i minor units with %i decimals are a text', (minorUnits, digits, text) => {
  expect(toDecimal({ minor_units: minorUnits, currency: 'MXN' }, digits)).toBe(text);
});
