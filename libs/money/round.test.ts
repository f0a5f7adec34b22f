import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { floorDiv, halfEven, halfUp } from '#libs/money/round.ts';

const numerator = fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n });
const denominator = fc.bigInt({ min: 1n, max: 10n ** 12n });

describe('rounding', () => {
  test.each([
    // numerator, denominator, half to even, half up, down
    [5n, 2n, 2n, 3n, 2n],
    [7n, 2n, 4n, 4n, 3n],
    [1n, 2n, 0n, 1n, 0n],
    [-1n, 2n, 0n, 0n, -1n],
    [-3n, 2n, -2n, -1n, -2n],
    [-5n, 2n, -2n, -2n, -3n],
    [4n, 3n, 1n, 1n, 1n],
    [5n, 3n, 2n, 2n, 1n],
    [-4n, 3n, -1n, -1n, -2n],
    [-5n, 3n, -2n, -2n, -2n],
    [6n, 3n, 2n, 2n, 2n],
    [-6n, 3n, -2n, -2n, -2n],
    [0n, 7n, 0n, 0n, 0n],
  ])('%s/%s is %s to even, %s half up, %s below', (num, den, even, up, below) => {
    expect([halfEven(num, den), halfUp(num, den), floorDiv(num, den)]).toEqual([even, up, below]);
  });

  test('moves a figure by at most half a unit, and a half to the side its name says', () => {
    fc.assert(
      fc.property(numerator, denominator, (num, den) => {
        const [even, up] = [halfEven(num, den), halfUp(num, den)];
        for (const rounded of [even, up]) {
          const off = 2n * (rounded * den - num);
          expect(off <= den && off >= -den).toBe(true);
        }
        if (2n * (even * den - num) === den || 2n * (even * den - num) === -den) expect(even % 2n).toBe(0n);
        expect(2n * (up * den - num)).not.toBe(-den);
      }),
    );
  });

  test('meets halves', () => {
    fc.assert(
      fc.property(numerator, denominator, (whole, den) => {
        expect(halfEven((2n * whole + 1n) * den, 2n * den)).toBe(whole % 2n === 0n ? whole : whole + 1n);
        expect(halfUp((2n * whole + 1n) * den, 2n * den)).toBe(whole + 1n);
      }),
    );
  });

  test('of the negative is the negative, where halves go to even', () => {
    fc.assert(fc.property(numerator, denominator, (num, den) => halfEven(-num, den) === -halfEven(num, den)));
  });

  test('down is the greatest whole number not above the fraction', () => {
    fc.assert(
      fc.property(numerator, denominator, (num, den) => {
        const below = floorDiv(num, den);
        expect(below * den <= num && (below + 1n) * den > num).toBe(true);
      }),
    );
  });

  test('of what is over nothing, or over less, stops rather than answer', () => {
    for (const den of [0n, -1n]) {
      expect(() => floorDiv(1n, den)).toThrow(RangeError);
      expect(() => halfEven(1n, den)).toThrow(RangeError);
      expect(() => halfUp(1n, den)).toThrow(RangeError);
    }
  });
});
