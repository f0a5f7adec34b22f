import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { formatRate, type Rate } from '#libs/money/rate.ts';
import {
  ceiling,
  type Decimal,
  decimalOf,
  fractionOfPercent,
  isStatableRate,
  parseDecimal,
  quotedRate,
  type RateFraction,
  type StatedNumber,
} from './numbers.ts';

function decimal(stated: StatedNumber): Decimal {
  const parsed = parseDecimal(stated);
  if (parsed === undefined) throw new Error(`not a decimal: ${stated}`);
  return parsed;
}

// In units of 1e-8: large values, and values close to each other.
const units = fc.oneof(
  fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }),
  fc.bigInt({ min: -300_000_000n, max: 300_000_000n }),
  fc.bigInt({ min: -3n, max: 3n }),
);

function written(inUnits: bigint): string {
  const digits = (inUnits < 0n ? -inUnits : inUnits).toString().padStart(9, '0');
  return `${inUnits < 0n ? '-' : ''}${digits.slice(0, -8)}.${digits.slice(-8)}`;
}

describe('a number of a policy or an application', () => {
  test.each([
    [0, '0'],
    [-3, '-3'],
    ['12', '12'],
    ['0.00000001', '0.00000001'],
    ['-0.50', '-0.5'],
    ['9'.repeat(64), '9'.repeat(64)],
    [Number.MAX_SAFE_INTEGER, '9007199254740991'],
  ])('%p is parsed exactly', (stated, written) => {
    expect(parseDecimal(stated)?.toFixed()).toBe(written);
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
  ])('%p is not a number', (stated) => {
    expect(parseDecimal(stated)).toBeUndefined();
  });

  test('trailing zeros do not change the number', () => {
    expect(decimal('1.5').eq(decimal('1.50'))).toBe(true);
    expect(decimal(7).eq(decimal('7.00000000'))).toBe(true);
    expect(decimal(0).eq(decimal('-0'))).toBe(true);
  });

  test('compares like its value in units of the last decimal place', () => {
    fc.assert(
      fc.property(units, units, (a, b) => {
        expect(decimal(written(a)).cmp(decimal(written(b)))).toBe(a === b ? 0 : a < b ? -1 : 1);
      }),
    );
  });

  test('throws when compared by an operator', () => {
    expect(() => decimal(10) < decimal(9)).toThrow();
  });

  test('the ceiling is not below the value and less than one above it', () => {
    fc.assert(
      fc.property(units, (stated) => {
        const whole = BigInt(ceiling(decimal(written(stated))).toFixed()) * 100_000_000n;
        expect(whole >= stated && whole - stated < 100_000_000n).toBe(true);
      }),
    );
  });

  test('the ceiling of an integer is that integer', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), (whole) => {
        expect(ceiling(decimalOf(whole)).toFixed()).toBe(`${whole}`);
      }),
    );
  });
});

const ratio = (numerator: number, denominator: number): RateFraction => ({
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
    const answered = quotedRate(ratio(numerator, denominator));
    expect(answered).toEqual({ numerator, denominator, quotation: 'nominal_annual', ...(percent && { percent }) });
  });

  test('its percentage is exact', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10 ** 9 }), fc.integer({ min: 0, max: 10 }), (numerator, twos) => {
        const denominator = 2 ** twos * 5 ** (twos % 4);
        const { percent = '' } = quotedRate(ratio(numerator, denominator));
        const [whole = '', fraction = ''] = percent.split('.');
        const units = BigInt(whole + fraction.padEnd(8, '0'));
        expect(units * BigInt(denominator)).toBe(BigInt(numerator) * 10n ** 10n);
      }),
    );
  });

  test('stated in per cent becomes a fraction in lowest terms and formats back to the same text', () => {
    expect(fractionOfPercent('37.50')).toEqual(ratio(3, 8));
    expect([fractionOfPercent('0'), fractionOfPercent('-1'), fractionOfPercent('1.123456789')]).toEqual(
      Array(3).fill(undefined),
    );
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 10n ** 14n - 1n }), (units) => {
        const stated = formatRate(units as Rate);
        const fraction = fractionOfPercent(stated);
        expect(fraction && quotedRate(fraction).percent).toBe(stated);
      }),
    );
  });

  test('a rate of a million per cent cannot be stated on a Loan', () => {
    expect(isStatableRate(ratio(9999, 1))).toBe(true);
    expect(isStatableRate(ratio(10_000, 1))).toBe(false);
  });
});
