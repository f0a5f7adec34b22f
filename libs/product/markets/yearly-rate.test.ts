import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type CashFlows, isYearlyRateAtLeast, yearlyRate } from '#libs/product/markets/yearly-rate.ts';

type Vector = {
  id: string;
  description: string;
  inputs: { flows_consumer_view: [amount: string, years: string][] };
  expected: { cat_pct: string | null; decimals: number };
};
const vectors = JSON.parse(readFileSync(new URL('../../../test/vectors/mx-cat.json', import.meta.url), 'utf8')) as {
  cases: Vector[];
};

const DECIMALS = 52;
const TENTHS = 1_000;
const MAX = 9_999_990;

function scaled(text: string): bigint {
  const [integer = '', decimals = ''] = text.split('.');
  return BigInt(integer + decimals.padEnd(DECIMALS, '0'));
}

// In the vectors, flows on the first day reduce the amount disbursed.
function flowsOf({ inputs }: Vector): CashFlows {
  const flows = inputs.flows_consumer_view.map(([amount, years]) => {
    const [num = 0, den = 1] = years.split('/').map(Number);
    return { amount: scaled(amount), num, den };
  });
  return {
    disbursed: flows.filter(({ num }) => num === 0).reduce((sum, { amount }) => sum + amount, 0n),
    payments: flows.filter(({ num }) => num > 0).map((flow) => ({ ...flow, amount: -flow.amount })),
  };
}

const singlePayment = (disbursed: bigint, amount: bigint, num: number, den: number): CashFlows => ({
  disbursed: disbursed,
  payments: [{ amount, num, den }],
});

/** Plans by months, weeks and days, up to fifty years long, with low and very high rates. */
const anyFlows: fc.Arbitrary<CashFlows> = fc
  .record({
    disbursed: fc.bigInt({ min: 1n, max: 10n ** 9n }),
    parts: fc.array(fc.bigInt({ min: 0n, max: 10n ** 8n }), { minLength: 1, maxLength: 24 }),
    den: fc.constantFrom(12, 24, 52, 365, 4380),
    step: fc.integer({ min: 1, max: 40 }),
  })
  .map(({ disbursed, parts, den, step }) => ({
    disbursed,
    payments: parts.map((amount, index) => ({ amount, num: (index + 1) * step, den })),
  }));

describe('the yearly rate', () => {
  test.each(vectors.cases.filter(({ expected }) => expected.cat_pct !== null))(
    'of $id ($description) is $expected.cat_pct',
    (vector) => {
      const scale = 10 ** vector.expected.decimals;
      expect(yearlyRate(flowsOf(vector), 100 * scale, MAX)).toBe(Math.round(Number(vector.expected.cat_pct) * scale));
    },
  );

  test('of 9,700 disbursed against twelve payments of 10,000 at 3 % a month is 51.4', () => {
    const vector = vectors.cases.find(({ id }) => id === 'MX-CAT-8') as Vector;
    expect(yearlyRate(flowsOf(vector), TENTHS, MAX)).toBe(514);
  });

  test('is zero if no more is paid than was disbursed', () => {
    expect(yearlyRate(singlePayment(100n, 100n, 1, 12), TENTHS, MAX)).toBe(0);
    expect(yearlyRate(singlePayment(100n, 99n, 1, 12), TENTHS, MAX)).toBe(0);
    expect(yearlyRate({ disbursed: 100n, payments: [] }, TENTHS, MAX)).toBe(0);
  });

  test('is rounded up exactly at half, and down just below it', () => {
    // Paid after one year, so that the rate is the surplus itself: 0.05 % is 0.1, and 36.25 % is 36.3.
    const disbursed = 10n ** 15n;
    for (const [perTenThousand, figure] of [
      [5n, 1],
      [3_625n, 363],
      [3_615n, 362],
      [99_995n, 10_000],
    ] as const) {
      const half = (disbursed * (10_000n + perTenThousand)) / 10_000n;
      expect(yearlyRate(singlePayment(disbursed, half, 1, 1), TENTHS, MAX)).toBe(figure);
      expect(yearlyRate(singlePayment(disbursed, half - 1n, 1, 1), TENTHS, MAX)).toBe(figure - 1);
    }
  });

  test('is rounded up at a half that only exact arithmetic can see: 1.05 over half a year is 10.25 %, so 10.3', () => {
    expect(yearlyRate(singlePayment(10n ** 12n, 105n * 10n ** 10n, 6, 12), TENTHS, MAX)).toBe(103);
    expect(yearlyRate(singlePayment(10n ** 12n, 105n * 10n ** 10n - 1n, 6, 12), TENTHS, MAX)).toBe(102);
  });

  test('is undefined above the maximum', () => {
    expect(yearlyRate(singlePayment(10_000n, 100_009_904n, 1, 1), TENTHS, MAX)).toBe(MAX);
    expect(yearlyRate(singlePayment(10_000n, 100_009_905n, 1, 1), TENTHS, MAX)).toBeUndefined();
    expect(yearlyRate(singlePayment(1n, 2n ** 53n, 1, 365), TENTHS, MAX)).toBeUndefined();
  });

  test('is exact for surpluses that doubles cannot represent', () => {
    // One part in 2^53 in a day: over a year still far below a tenth of a per cent.
    expect(yearlyRate(singlePayment(2n ** 53n - 2n, 2n ** 53n - 1n, 1, 365), TENTHS, MAX)).toBe(0);
  });

  test('lies between the two rounding boundaries of the figure', () => {
    fc.assert(
      fc.property(anyFlows, (flows) => {
        const rate = yearlyRate(flows, TENTHS, MAX);
        const paid = flows.payments.reduce((sum, { amount }) => sum + amount, 0n);
        if (rate === undefined) {
          expect(isYearlyRateAtLeast(flows, 2 * MAX + 1, 2 * TENTHS)).toBe(true);
        } else if (paid <= flows.disbursed) {
          expect(rate).toBe(0);
        } else {
          expect(isYearlyRateAtLeast(flows, 2 * rate + 1, 2 * TENTHS)).toBe(false);
          if (rate > 0) expect(isYearlyRateAtLeast(flows, 2 * rate - 1, 2 * TENTHS)).toBe(true);
        }
      }),
      { numRuns: 300 },
    );
  });

  test('is found for a plan with one large late payment and small early ones', () => {
    const flows: CashFlows = {
      disbursed: 1_000_000n,
      payments: [
        { amount: 999_999n, num: 1, den: 365 },
        { amount: 10n ** 12n, num: 600, den: 12 },
      ],
    };
    const rate = yearlyRate(flows, TENTHS, MAX) as number;
    expect(isYearlyRateAtLeast(flows, 2 * rate - 1, 2 * TENTHS)).toBe(true);
    expect(isYearlyRateAtLeast(flows, 2 * rate + 1, 2 * TENTHS)).toBe(false);
  });

  test('rises with every payment', () => {
    fc.assert(
      fc.property(anyFlows, fc.bigInt({ min: 1n, max: 10n ** 9n }), (flows, more) => {
        const [first, ...others] = flows.payments;
        if (first === undefined) return;
        const dearer = { ...flows, payments: [{ ...first, amount: first.amount + more }, ...others] };
        const above = Number.POSITIVE_INFINITY;
        expect(yearlyRate(dearer, TENTHS, MAX) ?? above).toBeGreaterThanOrEqual(
          yearlyRate(flows, TENTHS, MAX) ?? above,
        );
      }),
    );
  });
});

describe('the comparison with a rate', () => {
  test('agrees with exact fractions if all payments are whole years away', () => {
    const wholeYears = fc.record({
      disbursed: fc.bigInt({ min: 1n, max: 10n ** 12n }),
      amounts: fc.array(fc.bigInt({ min: 0n, max: 10n ** 12n }), { minLength: 1, maxLength: 8 }),
      num: fc.integer({ min: 0, max: 5_000 }),
    });
    fc.assert(
      fc.property(wholeYears, ({ disbursed, amounts, num }) => {
        // disbursed x (2000 + num)^n / 2000^n against each amount grown for the years left, over one denominator.
        const [up, down] = [BigInt(2_000 + num), 2_000n];
        const years = BigInt(amounts.length);
        const worth = amounts.reduce((sum, amount, index) => {
          const k = BigInt(index + 1);
          return sum + amount * down ** k * up ** (years - k);
        }, 0n);
        const payments = amounts.map((amount, index) => ({ amount, num: index + 1, den: 1 }));
        expect(isYearlyRateAtLeast({ disbursed: disbursed, payments }, num, 2_000)).toBe(
          worth >= disbursed * up ** years,
        );
      }),
    );
  });
});
