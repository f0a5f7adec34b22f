import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ceiling, type Decimal, decimalOf, parseDecimal } from './decimal.ts';

describe('a number of a policy or an application', () => {
  test.each([
    [0, 0n],
    [-3, -300_000_000n],
    ['12', 1_200_000_000n],
    ['0.00000001', 1n],
    ['-0.5', -50_000_000n],
    ['-0', 0n],
    [Number.MAX_SAFE_INTEGER, 900_719_925_474_099_100_000_000n],
  ])('%p is exactly itself', (stated, units) => {
    expect(parseDecimal(stated)).toBe(units);
  });

  test.each([
    1.5,
    2 ** 53,
    Number.NaN,
    '',
    '1.',
    '.5',
    '01',
    '+1',
    '1e3',
    '0.000000001',
    ' 1',
    '1 ',
    '٣',
    null,
    true,
    [1],
  ])('%p is none', (stated) => {
    expect(parseDecimal(stated)).toBeUndefined();
  });

  test('written with other zeros it is the same number', () => {
    expect(parseDecimal('1.50')).toBe(parseDecimal('1.5'));
    expect(parseDecimal('7.00000000')).toBe(parseDecimal(7));
  });

  test('the least whole number not below it is at most one above it, and never below it', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }), (units) => {
        const whole = ceiling(units as Decimal) * 100_000_000n;
        expect(whole >= units && whole - units < 100_000_000n).toBe(true);
      }),
    );
  });

  test('a whole number is its own', () => {
    fc.assert(
      fc.property(fc.integer(), (whole) => {
        expect(ceiling(decimalOf(whole))).toBe(BigInt(whole));
      }),
    );
  });
});
