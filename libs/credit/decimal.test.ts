import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ceiling, type Decimal, decimalOf, parseDecimal, type Stated } from './decimal.ts';

function decimal(stated: Stated): Decimal {
  const parsed = parseDecimal(stated);
  if (parsed === undefined) throw new Error(`not a decimal: ${stated}`);
  return parsed;
}

// Near each other as often as far apart, in units of 1e-8.
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
  ])('%p is exactly itself', (stated, written) => {
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
  ])('%p is none', (stated) => {
    expect(parseDecimal(stated)).toBeUndefined();
  });

  test('written with other zeros it is the same number', () => {
    expect(decimal('1.5').eq(decimal('1.50'))).toBe(true);
    expect(decimal(7).eq(decimal('7.00000000'))).toBe(true);
    expect(decimal(0).eq(decimal('-0'))).toBe(true);
  });

  test('compares as whole units of its last place do', () => {
    fc.assert(
      fc.property(units, units, (a, b) => {
        expect(decimal(written(a)).cmp(decimal(written(b)))).toBe(a === b ? 0 : a < b ? -1 : 1);
      }),
    );
  });

  test('is never compared by its text', () => {
    expect(() => decimal(10) < decimal(9)).toThrow();
  });

  test('the least whole number not below it is at most one above it, and never below it', () => {
    fc.assert(
      fc.property(units, (stated) => {
        const whole = BigInt(ceiling(decimal(written(stated))).toFixed()) * 100_000_000n;
        expect(whole >= stated && whole - stated < 100_000_000n).toBe(true);
      }),
    );
  });

  test('a whole number is its own', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), (whole) => {
        expect(ceiling(decimalOf(whole)).toFixed()).toBe(`${whole}`);
      }),
    );
  });
});
