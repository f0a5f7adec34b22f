import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { floorDiv, halfEven, halfUp } from './minor.ts';

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
  ])('%s/%s is %s half to even, %s half up, %s down', (num, den, even, up, down) => {
    expect([halfEven(num, den), halfUp(num, den), floorDiv(num, den)]).toEqual([even, up, down]);
  });

  test('changes a figure by at most half a unit, and moves a half in its direction', () => {
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

  test('rounds halves', () => {
    fc.assert(
      fc.property(numerator, denominator, (whole, den) => {
        expect(halfEven((2n * whole + 1n) * den, 2n * den)).toBe(whole % 2n === 0n ? whole : whole + 1n);
        expect(halfUp((2n * whole + 1n) * den, 2n * den)).toBe(whole + 1n);
      }),
    );
  });

  test('half to even is symmetric around zero', () => {
    fc.assert(fc.property(numerator, denominator, (num, den) => halfEven(-num, den) === -halfEven(num, den)));
  });

  test('down gives the largest whole number not above the fraction', () => {
    fc.assert(
      fc.property(numerator, denominator, (num, den) => {
        const below = floorDiv(num, den);
        expect(below * den <= num && (below + 1n) * den > num).toBe(true);
      }),
    );
  });

  test('throws for a denominator that is not positive', () => {
    for (const den of [0n, -1n]) {
      expect(() => floorDiv(1n, den)).toThrow(RangeError);
      expect(() => halfEven(1n, den)).toThrow(RangeError);
      expect(() => halfUp(1n, den)).toThrow(RangeError);
    }
  });
});
