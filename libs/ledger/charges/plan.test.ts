import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { calendarOf } from '#libs/calendar/banking-calendar.ts';
import { addDays, dayOf, formatDay } from '#libs/calendar/civil-day.ts';
import { canBeStated, type Plan, type PlanTerms, planDays, planOf } from '#libs/ledger/charges/plan.ts';
import { taxOn } from '#libs/ledger/line.ts';
import { MOST } from '#libs/money/minor.ts';
import { type Rate, rateOf } from '#libs/money/rate.ts';
import type { Amortisation } from '#libs/product/terms.ts';
import { isRefusal } from '#libs/schema/refusals.ts';

const OPEN = calendarOf({ weekend: [], holidays: [], coversTo: dayOf('2030-12-31') });
const NO_TAX = 0n as Rate;

const COMMON: PlanTerms = {
  balance: 900_00n,
  termPeriods: 3,
  rate: rateOf('12'),
  anchor: dayOf('2026-01-01'),
  schedule: { kind: 'anchored_every_n_days', interval_days: 30 },
  basis: 'actual_360',
  amortisation: 'equal_principal',
  interestTax: rateOf('16'),
};

function plan(terms: Partial<PlanTerms>, calendar = OPEN): Plan {
  const planned = planOf({ ...COMMON, ...terms }, calendar);
  if (isRefusal(planned)) throw new Error(planned.code);
  return planned;
}

const figures = ({ periods }: Plan) =>
  periods.map(({ balance, principal, interest }) => [balance, principal, interest]);

test('equal principal: what does not divide is in the last period', () => {
  expect(figures(plan({ balance: 1_000_00n }))).toEqual([
    [1_000_00n, 333_33n, 10_00n],
    [666_67n, 333_33n, 6_67n],
    [333_34n, 333_34n, 3_33n],
  ]);
});

test('a level payment holds the tax on interest, so that every payment but the last is the level', () => {
  const { level, periods } = plan({ amortisation: 'level_payment' });
  const payments = periods.map(({ principal, interest }) => principal + interest + taxOn(interest, COMMON.interestTax));
  expect(payments.slice(0, 2)).toEqual([level, level]);
  expect(periods[0]).toMatchObject({ principal: 296_55n, interest: 9_00n });
});

test('a level of principal and interest leaves the tax on top', () => {
  const { level, periods } = plan({ amortisation: 'level_principal_and_interest' });
  expect(periods.slice(0, 2).map(({ principal, interest }) => principal + interest)).toEqual([level, level]);
  expect(periods[0]).toMatchObject({ principal: 297_02n, interest: 9_00n });
});

test('the level is the exact quotient: 1,708.50 at 1 % over two periods is half a cent, and rounds to even', () => {
  const { level } = plan({
    balance: 1_708_50n,
    termPeriods: 2,
    interestTax: NO_TAX,
    amortisation: 'level_principal_and_interest',
  });
  expect(level).toBe(867_08n);
});

test('periods run from one scheduled day to the next; a due day that is no banking day moves, interest does not', () => {
  const saturdays = calendarOf({ weekend: [6, 7], holidays: [dayOf('2026-02-02')], coversTo: dayOf('2030-12-31') });
  const days = plan({}, saturdays).periods.map((each) => [each.start, each.scheduledOn, each.dueOn].map(formatDay));
  expect(days).toEqual([
    ['2026-01-01', '2026-01-31', '2026-02-03'],
    ['2026-01-31', '2026-03-02', '2026-03-02'],
    ['2026-03-02', '2026-04-01', '2026-04-01'],
  ]);
});

test('a plan may end on the last day the calendar covers, and not a day later', () => {
  const until = (text: string) => planOf(COMMON, calendarOf({ weekend: [], holidays: [], coversTo: dayOf(text) }));
  expect(isRefusal(until('2026-04-01'))).toBe(false);
  expect(until('2026-03-31')).toMatchObject({
    code: 'beyond_horizon',
    details: { bound: '2026-03-31', observed: '2026-04-01' },
  });
});

test('a due day that would move past the calendar is beyond it too', () => {
  // 2026-04-01 is a Wednesday, and the rest of the covered week is closed.
  const closed = calendarOf({ weekend: [3, 4, 5], holidays: [], coversTo: dayOf('2026-04-03') });
  expect(planOf(COMMON, closed)).toMatchObject({
    code: 'beyond_horizon',
    details: { bound: '2026-04-03', observed: '2026-04-01' },
  });
});

test('a plan past the year 9999 is refused with the last day that can be written', () => {
  const days = planDays(
    { ...COMMON, schedule: { kind: 'anchored_every_n_days', interval_days: 36_600 }, termPeriods: 90 },
    {
      ...OPEN,
      coversTo: 2_932_896 as typeof OPEN.coversTo,
    },
  );
  expect(days).toMatchObject({ code: 'beyond_horizon', details: { observed: '9999-12-31' } });
});

test('a plan whose interest alone exceeds the level is refused, one that only stands still is not', () => {
  // A first period of many months and short ones after it.
  const schedule = { kind: 'anchored_monthly', day_of_month: 1, first_after_days: 700 } as const;
  const long = { ...COMMON, schedule, rate: rateOf('400'), amortisation: 'level_payment' } as const;
  expect(planOf(long, OPEN)).toMatchObject({ code: 'plan_not_amortising' });
  expect(figures(plan({ balance: 1n, rate: NO_TAX, amortisation: 'level_payment' }))).toEqual([
    [1n, 0n, 0n],
    [1n, 0n, 0n],
    [1n, 1n, 0n],
  ]);
});

test('no period repays more than what is left: the rest of the plan is empty', () => {
  const { level, periods } = plan({ balance: 5n, termPeriods: 3, rate: NO_TAX, amortisation: 'level_payment' });
  expect(level).toBe(2n);
  expect(periods.map(({ principal }) => principal)).toEqual([2n, 2n, 1n]);
  const early = plan({ balance: 3n, termPeriods: 5, rate: NO_TAX, amortisation: 'level_payment' });
  expect(early.level).toBe(1n);
  expect(early.periods.map(({ principal }) => principal)).toEqual([1n, 1n, 1n, 0n, 0n]);
});

test('what a plan collects may be the most that can be stated, and no unit more', () => {
  const of = (principal: bigint) => canBeStated([{ principal, interest: 1n, fee: 2n, tax: 3n }]);
  expect([of(MOST - 6n), of(MOST - 5n)]).toEqual([true, false]);
  const half = { principal: MOST / 2n + 1n, interest: 0n, fee: 0n, tax: 0n };
  expect(canBeStated([half, half])).toBe(false);
  expect(canBeStated([])).toBe(true);
});

test('law: a plan repays its balance, no period repays below nothing, and the days follow one another', () => {
  const terms = fc.record({
    balance: fc.bigInt(1n, 10_000_000n),
    termPeriods: fc.integer({ min: 1, max: 24 }),
    rate: fc.constantFrom('0', '12', '99.99999999').map(rateOf),
    amortisation: fc.constantFrom<Amortisation[]>('level_payment', 'level_principal_and_interest', 'equal_principal'),
    basis: fc.constantFrom(
      'actual_360' as const,
      'actual_365' as const,
      'thirty_360' as const,
      'actual_actual' as const,
    ),
  });
  fc.assert(
    fc.property(terms, (stated) => {
      const { periods } = plan(stated);
      expect(periods).toHaveLength(stated.termPeriods);
      let { balance } = stated;
      let start = COMMON.anchor;
      for (const each of periods) {
        expect(each.balance).toBe(balance);
        expect(each.principal).toBeGreaterThanOrEqual(0n);
        expect(each.start).toBe(start);
        expect(each.scheduledOn).toBe(addDays(start, 30));
        balance -= each.principal;
        start = each.scheduledOn;
      }
      expect(balance).toBe(0n);
    }),
  );
});
