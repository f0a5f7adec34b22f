import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type CivilDay, dayOf } from '#libs/calendar/civil-day.ts';
import {
  DAY_COUNT_BASES,
  type DayCountBasis,
  penaltyYear,
  yearDenominator,
  yearFraction,
  yearFractionNumber,
} from '#libs/calendar/day-count.ts';

type Case = { basis: DayCountBasis; start: string; end: string; year_fraction: string };
const vectors = JSON.parse(readFileSync(new URL('../../test/vectors/day-count.json', import.meta.url), 'utf8')) as {
  cases: Case[];
};

const TWELVE_DECIMALS_FROM = 365n * 366n;

const anyDay = fc.integer({ min: dayOf('1900-01-01'), max: dayOf('9999-12-31') }).map((day) => day as CivilDay);
const anyBasis = fc.constantFrom(...DAY_COUNT_BASES);

describe('a year fraction', () => {
  test.each(vectors.cases)(
    'under $basis from $start to $end is $year_fraction',
    ({ basis, start, end, year_fraction }) => {
      const [num, den = '1'] = year_fraction.split('/');
      const off =
        yearFraction(basis, dayOf(start), dayOf(end)) * BigInt(den) - BigInt(num as string) * yearDenominator(basis);
      // Some sources give twelve decimals instead of a fraction: those must agree to half of the last one.
      const bound =
        BigInt(den) > TWELVE_DECIMALS_FROM ? (yearDenominator(basis) * BigInt(den)) / (2n * 10n ** 12n) : 0n;
      expect(off <= bound && off >= -bound).toBe(true);
    },
  );

  test('of a span is the sum of its parts', () => {
    fc.assert(
      fc.property(anyBasis, fc.tuple(anyDay, anyDay, anyDay), (basis, days) => {
        const [from, between, to] = [...days].sort((a, b) => a - b) as [CivilDay, CivilDay, CivilDay];
        expect(yearFraction(basis, from, between) + yearFraction(basis, between, to)).toBe(
          yearFraction(basis, from, to),
        );
      }),
    );
  });

  test('is zero for no time and never decreases', () => {
    fc.assert(
      fc.property(anyBasis, anyDay, fc.integer({ min: 0, max: 800 }), (basis, from, days) => {
        expect(yearFraction(basis, from, from)).toBe(0n);
        expect(yearFraction(basis, from, (from + days) as CivilDay)).toBeGreaterThanOrEqual(0n);
      }),
    );
  });

  test('under actual_actual divides each day by the length of its year', () => {
    fc.assert(
      fc.property(anyDay, fc.integer({ min: 0, max: 1_500 }), (from, length) => {
        let sum = 0n;
        for (let day = from; day < from + length; day = (day + 1) as CivilDay) {
          const year = new Date(day * 86_400_000).getUTCFullYear();
          const leap = new Date(Date.UTC(year, 1, 29)).getUTCDate() === 29;
          sum += leap ? 365n : 366n;
        }
        expect(yearFraction('actual_actual', from, (from + length) as CivilDay)).toBe(sum);
      }),
      { numRuns: 40 },
    );
  });

  test('is exact as a number for the longest span of two days', () => {
    for (const basis of DAY_COUNT_BASES) {
      expect(Number.isSafeInteger(yearFractionNumber(basis, dayOf('1900-01-01'), dayOf('9999-12-31')))).toBe(true);
    }
  });

  test('of one full year is one for bases that count full years', () => {
    for (const year of ['2024', '2025', '2100']) {
      const [from, to] = [dayOf(`${year}-01-01`), dayOf(`${Number(year) + 1}-01-01`)];
      expect(yearFraction('actual_actual', from, to)).toBe(yearDenominator('actual_actual'));
      expect(yearFraction('thirty_360', from, to)).toBe(yearDenominator('thirty_360'));
    }
  });
});

test.each([
  ['actual_360', 360n],
  ['thirty_360', 360n],
  ['actual_365', 365n],
  ['actual_actual', 365n],
] as const)('one day of penalty under %s is 1/%s of a year', (basis, days) => {
  expect(penaltyYear(basis)).toBe(days);
});
