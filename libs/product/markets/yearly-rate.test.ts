import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type Flows, isRateAtLeast, yearlyRate } from '#libs/product/markets/yearly-rate.ts';

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
const MOST = 9_999_990;

function whole(text: string): bigint {
  const [integer = '', decimals = ''] = text.split('.');
  return BigInt(integer + decimals.padEnd(DECIMALS, '0'));
}

// The worked figures have flows on the first day too: those are less handed over.
function flowsOf({ inputs }: Vector): Flows {
  const flows = inputs.flows_consumer_view.map(([amount, years]) => {
    const [num = 0, den = 1] = years.split('/').map(Number);
    return { amount: whole(amount), num, den };
  });
  return {
    handedOver: flows.filter(({ num }) => num === 0).reduce((sum, { amount }) => sum + amount, 0n),
    payments: flows.filter(({ num }) => num > 0).map((flow) => ({ ...flow, amount: -flow.amount })),
  };
}

const once = (handedOver: bigint, amount: bigint, num: number, den: number): Flows => ({
  handedOver,
  payments: [{ amount, num, den }],
});

/** Monthly, by days and mixed plans, up to fifty years long, from nearly free to ruinous. */
const anyFlows: fc.Arbitrary<Flows> = fc
  .record({
    handedOver: fc.bigInt({ min: 1n, max: 10n ** 9n }),
    parts: fc.array(fc.bigInt({ min: 0n, max: 10n ** 8n }), { minLength: 1, maxLength: 24 }),
    den: fc.constantFrom(12, 24, 52, 365, 4380),
    step: fc.integer({ min: 1, max: 40 }),
  })
  .map(({ handedOver, parts, den, step }) => ({
    handedOver,
    payments: parts.map((amount, index) => ({ amount, num: (index + 1) * step, den })),
  }));

describe('the yearly rate', () => {
  test.each(vectors.cases.filter(({ expected }) => expected.cat_pct !== null))(
    'of $id ($description) is $expected.cat_pct',
    (vector) => {
      const scale = 10 ** vector.expected.decimals;
      expect(yearlyRate(flowsOf(vector), 100 * scale, MOST)).toBe(Math.round(Number(vector.expected.cat_pct) * scale));
    },
  );

  test('of 9,700 handed over against twelve payments of 10,000 at 3 % a month is 51.4', () => {
    const vector = vectors.cases.find(({ id }) => id === 'MX-CAT-8') as Vector;
    expect(yearlyRate(flowsOf(vector), TENTHS, MOST)).toBe(514);
  });

  test('is nothing where no more is paid than was handed over', () => {
    expect(yearlyRate(once(100n, 100n, 1, 12), TENTHS, MOST)).toBe(0);
    expect(yearlyRate(once(100n, 99n, 1, 12), TENTHS, MOST)).toBe(0);
    expect(yearlyRate({ handedOver: 100n, payments: [] }, TENTHS, MOST)).toBe(0);
  });

  test('exactly half way between two figures is the upper one, and a hair below it the lower', () => {
    // Paid after one year, so that the rate is the surplus itself: 0.05 % is 0.1, and 36.25 % is 36.3.
    const handedOver = 10n ** 15n;
    for (const [perTenThousand, figure] of [
      [5n, 1],
      [3_625n, 363],
      [3_615n, 362],
      [99_995n, 10_000],
    ] as const) {
      const half = (handedOver * (10_000n + perTenThousand)) / 10_000n;
      expect(yearlyRate(once(handedOver, half, 1, 1), TENTHS, MOST)).toBe(figure);
      expect(yearlyRate(once(handedOver, half - 1n, 1, 1), TENTHS, MOST)).toBe(figure - 1);
    }
  });

  test('half way is met where months make the power a whole one: 1.05 each quarter over 2 quarters is 10.25 %, so 10.3', () => {
    expect(yearlyRate(once(10n ** 12n, 105n * 10n ** 10n, 6, 12), TENTHS, MOST)).toBe(103);
    expect(yearlyRate(once(10n ** 12n, 105n * 10n ** 10n - 1n, 6, 12), TENTHS, MOST)).toBe(102);
  });

  test('is served up to the most that may be, and not beyond', () => {
    expect(yearlyRate(once(10_000n, 100_009_904n, 1, 1), TENTHS, MOST)).toBe(MOST);
    expect(yearlyRate(once(10_000n, 100_009_905n, 1, 1), TENTHS, MOST)).toBeUndefined();
    expect(yearlyRate(once(1n, 2n ** 53n, 1, 365), TENTHS, MOST)).toBeUndefined();
  });

  test('of surpluses that doubles cannot tell apart is still exact', () => {
    // One part in 2^53 over a day, a year of which comes to nothing a tenth could show.
    expect(yearlyRate(once(2n ** 53n - 2n, 2n ** 53n - 1n, 1, 365), TENTHS, MOST)).toBe(0);
  });

  test('lies between the two half-way rates that round to it', () => {
    fc.assert(
      fc.property(anyFlows, (flows) => {
        const rate = yearlyRate(flows, TENTHS, MOST);
        const paid = flows.payments.reduce((sum, { amount }) => sum + amount, 0n);
        if (rate === undefined) {
          expect(isRateAtLeast(flows, 2 * MOST + 1, 2 * TENTHS)).toBe(true);
        } else if (paid <= flows.handedOver) {
          expect(rate).toBe(0);
        } else {
          expect(isRateAtLeast(flows, 2 * rate + 1, 2 * TENTHS)).toBe(false);
          if (rate > 0) expect(isRateAtLeast(flows, 2 * rate - 1, 2 * TENTHS)).toBe(true);
        }
      }),
      { numRuns: 300 },
    );
  });

  test('of a plan with one large late payment and small early ones is found all the same', () => {
    const flows: Flows = {
      handedOver: 1_000_000n,
      payments: [
        { amount: 999_999n, num: 1, den: 365 },
        { amount: 10n ** 12n, num: 600, den: 12 },
      ],
    };
    const rate = yearlyRate(flows, TENTHS, MOST) as number;
    expect(isRateAtLeast(flows, 2 * rate - 1, 2 * TENTHS)).toBe(true);
    expect(isRateAtLeast(flows, 2 * rate + 1, 2 * TENTHS)).toBe(false);
  });

  test('rises with every payment', () => {
    fc.assert(
      fc.property(anyFlows, fc.bigInt({ min: 1n, max: 10n ** 9n }), (flows, more) => {
        const [first, ...others] = flows.payments;
        if (first === undefined) return;
        const dearer = { ...flows, payments: [{ ...first, amount: first.amount + more }, ...others] };
        const above = Number.POSITIVE_INFINITY;
        expect(yearlyRate(dearer, TENTHS, MOST) ?? above).toBeGreaterThanOrEqual(
          yearlyRate(flows, TENTHS, MOST) ?? above,
        );
      }),
    );
  });
});

describe('the side of a rate', () => {
  test('is that of the same sum in whole fractions, where payments are whole years away', () => {
    const wholeYears = fc.record({
      handedOver: fc.bigInt({ min: 1n, max: 10n ** 12n }),
      amounts: fc.array(fc.bigInt({ min: 0n, max: 10n ** 12n }), { minLength: 1, maxLength: 8 }),
      num: fc.integer({ min: 0, max: 5_000 }),
    });
    fc.assert(
      fc.property(wholeYears, ({ handedOver, amounts, num }) => {
        // handedOver x (2000 + num)^n / 2000^n against each amount grown for the years left, over one denominator.
        const [up, down] = [BigInt(2_000 + num), 2_000n];
        const years = BigInt(amounts.length);
        const worth = amounts.reduce((sum, amount, index) => {
          const k = BigInt(index + 1);
          return sum + amount * down ** k * up ** (years - k);
        }, 0n);
        const payments = amounts.map((amount, index) => ({ amount, num: index + 1, den: 1 }));
        expect(isRateAtLeast({ handedOver, payments }, num, 2_000)).toBe(worth >= handedOver * up ** years);
      }),
    );
  });
});
