import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { decay, naturalLog, PRECISION } from '#libs/money/fixed-point.ts';

const ONE = 1n << PRECISION;
const MIN_EQUAL_BITS = 224n;

// Digits of a published table, as a whole number over 2^256.
function fromDigits(text: string): bigint {
  const [whole = '0', decimals = ''] = text.split('.');
  return (BigInt(whole + decimals) << PRECISION) / 10n ** BigInt(decimals.length);
}

function equalBits(a: bigint, b: bigint): bigint {
  const apart = a > b ? a - b : b - a;
  return PRECISION - BigInt(apart.toString(2).length);
}

const LN_2 = fromDigits(
  '0.693147180559945309417232121458176568075500134360255254120680009493393621969694715605863326996',
);
const LN_10 = fromDigits(
  '2.302585092994045684017991454684364207601101488628772976033327900967572609677352480235997205090',
);
const INVERSE_E = fromDigits(
  '0.367879441171442321595523770161460867445811131031767834507836801697461495744899803357147274345',
);

describe('in 256 bits', () => {
  test('the logarithms of 2 and 10 match published values', () => {
    expect(equalBits(naturalLog(2n, 1n), LN_2)).toBeGreaterThan(MIN_EQUAL_BITS);
    expect(equalBits(naturalLog(10n, 1n), LN_10)).toBeGreaterThan(MIN_EQUAL_BITS);
    expect(naturalLog(7n, 7n)).toBe(0n);
  });

  test('1/e matches the published value', () => {
    expect(equalBits(decay(ONE), INVERSE_E)).toBeGreaterThan(MIN_EQUAL_BITS);
    expect(decay(0n)).toBe(ONE);
  });

  test('the exponential is the inverse of the logarithm', () => {
    const whole = fc.bigInt({ min: 1n, max: 10n ** 9n });
    fc.assert(
      fc.property(whole, fc.bigInt({ min: 0n, max: 10n ** 13n }), (den, more) => {
        const inverse = (den << PRECISION) / (den + more);
        expect(equalBits(decay(naturalLog(den + more, den)), inverse)).toBeGreaterThan(MIN_EQUAL_BITS);
      }),
    );
  });

  test('the logarithm of a product is the sum of logarithms', () => {
    const ratio = fc.tuple(fc.bigInt({ min: 1n, max: 10n ** 6n }), fc.bigInt({ min: 0n, max: 10n ** 9n }));
    fc.assert(
      fc.property(ratio, ratio, ([a, moreA], [b, moreB]) => {
        const product = naturalLog((a + moreA) * (b + moreB), a * b);
        expect(equalBits(product, naturalLog(a + moreA, a) + naturalLog(b + moreB, b))).toBeGreaterThan(MIN_EQUAL_BITS);
      }),
    );
  });

  test('values outside the domain throw', () => {
    expect(() => naturalLog(1n, 2n)).toThrow(RangeError);
    expect(() => naturalLog(1n, 0n)).toThrow(RangeError);
    expect(() => decay(-1n)).toThrow(RangeError);
  });
});
