import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { levelPayment, levelPaymentOf, type Ratio } from '#libs/money/level-payment.ts';
import { halfEven } from './minor.ts';

const times = (a: Ratio, b: Ratio): Ratio => ({ num: a.num * b.num, den: a.den * b.den });
const plus = (a: Ratio, b: Ratio): Ratio => ({ num: a.num * b.den + b.num * a.den, den: a.den * b.den });
const ONE: Ratio = { num: 1n, den: 1n };

/** The definition: the present value divided by the sum of the discount factors. */
function byDefinition(present: Ratio, growth: readonly Ratio[]): bigint {
  const discounts = growth.map((_, k) =>
    growth.slice(0, k + 1).reduce((product, { num, den }) => times(product, { num: den, den: num }), ONE),
  );
  const annuity = discounts.reduce(plus, { num: 0n, den: 1n });
  return halfEven(present.num * annuity.den, present.den * annuity.num);
}

const growth = fc
  .tuple(fc.bigInt({ min: 1n, max: 10n ** 13n }), fc.bigInt({ min: 0n, max: 10n ** 13n }))
  .map(([den, more]): Ratio => ({ num: den + more, den }));
const balance = fc.bigInt({ min: 0n, max: 2n ** 53n });

describe('the level payment', () => {
  test('rounds an exact half to even: 1,708.50 at 1 % a period over two periods is 867.085, so 867.08', () => {
    const onePerCent = { num: 101n, den: 100n };
    expect(levelPayment(170_850n, [onePerCent, onePerCent])).toBe(86_708n);
  });

  test('of 10,000.00 over 12 months at 36 %, actual/360, with 16 % tax on the interest is 1,035.61', () => {
    const days = [31n, 28n, 31n, 30n, 31n, 30n, 31n, 31n, 30n, 31n, 30n, 31n];
    const taxed = days.map((length) => ({ num: 1_000_000n + (36n * length * 116n * 100n) / 360n, den: 1_000_000n }));
    expect(levelPayment(1_000_000n, taxed)).toBe(103_561n);
  });

  test('without interest is the balance divided by the periods', () => {
    expect(levelPayment(100_000n, [ONE, ONE, ONE])).toBe(33_333n);
    expect(levelPayment(5n, [ONE, ONE])).toBe(2n);
    expect(levelPayment(7n, [ONE, ONE])).toBe(4n);
  });

  test('of one period is the balance with its interest', () => {
    expect(levelPayment(100_000n, [{ num: 103n, den: 100n }])).toBe(103_000n);
  });

  test('equals the plain quotient for short and long plans', () => {
    fc.assert(
      fc.property(balance, fc.array(growth, { minLength: 1, maxLength: 30 }), (owed, factors) => {
        expect(levelPayment(owed, factors)).toBe(byDefinition({ num: owed, den: 1n }, factors));
      }),
      { numRuns: 60 },
    );
  });

  test('accepts a present value that is a fraction', () => {
    const present = fc.tuple(fc.bigInt({ min: 0n, max: 10n ** 25n }), fc.bigInt({ min: 1n, max: 10n ** 12n }));
    fc.assert(
      fc.property(present, fc.array(growth, { minLength: 1, maxLength: 8 }), ([num, den], factors) => {
        expect(levelPaymentOf({ num, den }, factors)).toBe(byDefinition({ num, den }, factors));
      }),
    );
  });

  test('is the same whether repeated factors are reduced or not', () => {
    fc.assert(
      fc.property(balance, fc.array(growth, { minLength: 2, maxLength: 3 }), (owed, few) => {
        const factors = Array.from({ length: 40 }, (_, k) => few[k % few.length] as Ratio);
        expect(levelPayment(owed, factors)).toBe(byDefinition({ num: owed, den: 1n }, factors));
      }),
      { numRuns: 10 },
    );
  });

  test('repays the balance within half a unit per period', () => {
    const monthly = fc.bigInt({ min: 0n, max: 100n }).map((more): Ratio => ({ num: 1_000n + more, den: 1_000n }));
    fc.assert(
      fc.property(balance, monthly, fc.integer({ min: 1, max: 60 }), (owed, factor, periods) => {
        const level = levelPayment(owed, new Array<Ratio>(periods).fill(factor));
        let left: Ratio = { num: owed, den: 1n };
        let slack: Ratio = { num: 0n, den: 1n };
        for (let k = 0; k < periods; k += 1) {
          left = plus(times(left, factor), { num: -level, den: 1n });
          slack = plus(times(slack, factor), { num: 1n, den: 2n });
        }
        const size = left.num < 0n ? -left.num : left.num;
        expect(size * slack.den <= slack.num * left.den).toBe(true);
      }),
      { numRuns: 40 },
    );
  });

  test('of no period throws', () => {
    expect(() => levelPayment(1n, [])).toThrow(RangeError);
  });
});
