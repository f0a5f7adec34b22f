import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { formatRate, type Rate } from '#libs/money/rate.ts';
import { isWithinRates, quoted, type Ratio, ratioOfPercent } from './ratio.ts';

const ratio = (numerator: number, denominator: number): Ratio => ({
  numerator,
  denominator,
  quotation: 'nominal_annual',
});

describe('a rate as a fraction of one a year', () => {
  test.each([
    [48, 100, '48'],
    [3, 8, '37.5'],
    [1, 1, '100'],
    [6, 16, '37.5'],
    [1, 10_000_000_000, '0.00000001'],
    [2, 3, undefined],
    [1, 20_000_000_000, undefined],
  ])('%i over %i is %s per cent', (numerator, denominator, percent) => {
    const answered = quoted(ratio(numerator, denominator));
    expect(answered).toEqual({ numerator, denominator, quotation: 'nominal_annual', ...(percent && { percent }) });
  });

  test('its percentage is exact: written back over a hundred it is the same fraction', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10 ** 9 }), fc.integer({ min: 0, max: 10 }), (numerator, twos) => {
        const denominator = 2 ** twos * 5 ** (twos % 4);
        const { percent = '' } = quoted(ratio(numerator, denominator));
        const [whole = '', fraction = ''] = percent.split('.');
        const units = BigInt(whole + fraction.padEnd(8, '0'));
        expect(units * BigInt(denominator)).toBe(BigInt(numerator) * 10n ** 10n);
      }),
    );
  });

  test('stated in per cent is the fraction in lowest terms, and reads back as it was stated', () => {
    expect(ratioOfPercent('37.50')).toEqual(ratio(3, 8));
    expect([ratioOfPercent('0'), ratioOfPercent('-1'), ratioOfPercent('1.123456789')]).toEqual(
      Array(3).fill(undefined),
    );
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 10n ** 14n - 1n }), (units) => {
        const stated = formatRate(units as Rate);
        const fraction = ratioOfPercent(stated);
        expect(fraction && quoted(fraction).percent).toBe(stated);
      }),
    );
  });

  test('a Loan could not state a million per cent', () => {
    expect(isWithinRates(ratio(9999, 1))).toBe(true);
    expect(isWithinRates(ratio(10_000, 1))).toBe(false);
  });
});
