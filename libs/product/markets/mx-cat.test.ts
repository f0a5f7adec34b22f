import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { addMonths, type CivilDay, dayOf } from '#libs/calendar/civil-day.ts';
import { type Schedule, scheduledDay } from '#libs/calendar/schedule.ts';
import type { Minor } from '#libs/money/minor.ts';
import { discloseCat, yearsTo } from '#libs/product/markets/mx-cat.ts';

function figure(schedule: Schedule, anchor: string, disbursed: bigint, ...amounts: bigint[]) {
  const flows = amounts.map((amount, index) => ({
    k: index + 1,
    scheduledOn: scheduledDay(schedule, dayOf(anchor), index + 1),
    amount: amount as Minor,
  }));
  return discloseCat({ disbursed: disbursed as Minor, anchor: dayOf(anchor), schedule, flows });
}

const MONTHLY: Schedule = { kind: 'anchored_monthly' };
const every = (days: number): Schedule => ({ kind: 'anchored_every_n_days', interval_days: days });

// 10,000.00 at 36 %, actual/360, from 15 January 2025: principal and interest of each of its twelve periods.
const LEVEL_PLAN = [
  98_601n,
  99_384n,
  99_300n,
  99_786n,
  100_038n,
  100_526n,
  100_830n,
  101_245n,
  101_736n,
  102_123n,
  102_617n,
  103_069n,
];

describe('the yearly figure', () => {
  test.each([
    ['every 28 days', every(28), '13.8'],
    ['every 15 days', every(15), '27.0'],
    ['every 30 days', every(30), '12.9'],
    ['monthly', MONTHLY, '12.7'],
    [
      'on the 31st, eleven days on',
      { kind: 'anchored_monthly', day_of_month: 31, first_after_days: 11 } as Schedule,
      '39.1',
    ],
  ])('of 1,000.00 back as 1,010.00 %s is %3$s', (_, schedule, expected) => {
    expect(figure(schedule, '2026-01-20', 100_000n, 101_000n)).toEqual({ figure: expected });
  });

  test('of 10,000.00 at 36 % over twelve months is 43.1, and 51.5 with a fee of 300.00 in the first', () => {
    expect(figure(MONTHLY, '2025-01-15', 1_000_000n, ...LEVEL_PLAN)).toEqual({ figure: '43.1' });
    const [first = 0n, ...others] = LEVEL_PLAN;
    expect(figure(MONTHLY, '2025-01-15', 1_000_000n, first + 30_000n, ...others)).toEqual({ figure: '51.5' });
  });

  test('always has one decimal', () => {
    expect(figure(every(364), '2026-01-20', 100_000n, 100_000n)).toEqual({ figure: '0.0' });
    expect(figure(every(364), '2026-01-20', 100_000n, 200_000n)).toEqual({ figure: '100.0' });
    expect(figure(every(364), '2026-01-20', 100_000n, 100_070n)).toEqual({ figure: '0.1' });
  });

  test('is refused above 999,999 per cent', () => {
    expect(figure(every(364), '2026-01-20', 10_000n, 100_009_904n)).toEqual({ figure: '999999.0' });
    expect(figure(every(364), '2026-01-20', 10_000n, 100_009_905n)).toEqual({ refused: 'figure_out_of_range' });
  });

  test('of a plan that pays no more than was disbursed is 0.0', () => {
    expect(figure(MONTHLY, '2026-01-20', 100_000n, 50_000n, 49_999n)).toEqual({ figure: '0.0' });
  });
});

describe('the time of a scheduled day', () => {
  const at = (schedule: Schedule, anchor: string, k: number) => {
    const { num, den } = yearsTo(schedule, dayOf(anchor), k, scheduledDay(schedule, dayOf(anchor), k));
    return num / den;
  };

  test('is in twelfths, 52nds, 24ths or days of 365, depending on the schedule', () => {
    expect(at(MONTHLY, '2025-01-31', 7)).toBe(7 / 12);
    expect(at(every(14), '2025-01-31', 3)).toBe(6 / 52);
    expect(at(every(15), '2025-01-31', 3)).toBe(3 / 24);
    expect(at(every(10), '2025-01-31', 3)).toBe(30 / 365);
    expect(at(every(30), '2025-01-31', 3)).toBe(90 / 365);
  });

  test.each([
    // The scheduled day is 31 March. One month back is 28 February, two months back 31 January, before the anchor.
    ['2026-02-10', 31, 2, 365 * 1 + 12 * 18],
    ['2026-01-31', 31, 1, 12 * 28],
    ['2026-01-28', 31, 1, 12 * 3],
    ['2026-01-20', 20, 1, 365],
    ['2026-01-20', 19, 1, 12 * 30],
    ['2024-02-29', 28, 12, 365 * 11 + 12 * 28],
  ])(
    'of a day of the month from %s, day %s, period %s, is whole months and days of 365',
    (anchor, day, k, expected) => {
      const schedule: Schedule = { kind: 'anchored_monthly', day_of_month: day };
      const years = yearsTo(schedule, dayOf(anchor), k, scheduledDay(schedule, dayOf(anchor), k));
      expect(years).toEqual({ num: expected, den: 4_380 });
    },
  );

  test('of a day of the month counts the whole months after the anchor', () => {
    const anyDay = fc.integer({ min: dayOf('2000-01-01'), max: dayOf('2040-12-31') }).map((day) => day as CivilDay);
    fc.assert(
      fc.property(anyDay, fc.integer({ min: 1, max: 31 }), fc.integer({ min: 1, max: 60 }), (anchor, day, k) => {
        const schedule: Schedule = { kind: 'anchored_monthly', day_of_month: day };
        const scheduledOn = scheduledDay(schedule, anchor, k);
        let months = 0;
        while (addMonths(scheduledOn, -(months + 1)) >= anchor) months += 1;
        const days = addMonths(scheduledOn, -months) - anchor;
        expect(yearsTo(schedule, anchor, k, scheduledOn)).toEqual({ num: 365 * months + 12 * days, den: 4_380 });
      }),
    );
  });
});
