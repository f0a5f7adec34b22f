import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { calendarOf } from '#libs/calendar/banking-calendar.ts';
import { addDays, dayOf, formatDay } from '#libs/calendar/civil-day.ts';
import { fitsAmounts, makePlan, type Plan, type PlanTerms, planDays } from '#libs/ledger/charges/plan.ts';
import { taxOn } from '#libs/ledger/line.ts';
import { MAX_AMOUNT } from '#libs/money/minor.ts';
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
  const planned = makePlan({ ...COMMON, ...terms }, calendar);
  if (isRefusal(planned)) throw new Error(planned.code);
  return planned;
}

const figures = ({ periods }: Plan) =>
  periods.map(({ balance, principal, interest }) => [balance, principal, interest]);

test('equal principal: the last period takes the remainder of the division', () => {
  expect(figures(plan({ balance: 1_000_00n }))).toEqual([
    [1_000_00n, 333_33n, 10_00n],
    [666_67n, 333_33n, 6_67n],
    [333_34n, 333_34n, 3_33n],
  ]);
});

test('a level payment includes the tax on interest, so that all payments but the last are equal', () => {
  const { level, periods } = plan({ amortisation: 'level_payment' });
  const payments = periods.map(({ principal, interest }) => principal + interest + taxOn(interest, COMMON.interestTax));
  expect(payments.slice(0, 2)).toEqual([level, level]);
  expect(periods[0]).toMatchObject({ principal: 296_55n, interest: 9_00n });
});

test('a level of principal and interest has the tax added to it', () => {
  const { level, periods } = plan({ amortisation: 'level_principal_and_interest' });
  expect(periods.slice(0, 2).map(({ principal, interest }) => principal + interest)).toEqual([level, level]);
  expect(periods[0]).toMatchObject({ principal: 297_02n, interest: 9_00n });
});

test('the level amount is the exact quotient: 1,708.50 at 1 % over two periods ends in half a cent and rounds to even', () => {
  const { level } = plan({
    balance: 1_708_50n,
    termPeriods: 2,
    interestTax: NO_TAX,
    amortisation: 'level_principal_and_interest',
  });
  expect(level).toBe(867_08n);
});

test('a due day moves to the next banking day, while interest runs between the scheduled days', () => {
  const saturdays = calendarOf({ weekend: [6, 7], holidays: [dayOf('2026-02-02')], coversTo: dayOf('2030-12-31') });
  const days = plan({}, saturdays).periods.map((each) => [each.start, each.scheduledOn, each.dueOn].map(formatDay));
  expect(days).toEqual([
    ['2026-01-01', '2026-01-31', '2026-02-03'],
    ['2026-01-31', '2026-03-02', '2026-03-02'],
    ['2026-03-02', '2026-04-01', '2026-04-01'],
  ]);
});

test('a plan may end on the last day the calendar covers, but not later', () => {
  const until = (text: string) => makePlan(COMMON, calendarOf({ weekend: [], holidays: [], coversTo: dayOf(text) }));
  expect(isRefusal(until('2026-04-01'))).toBe(false);
  expect(until('2026-03-31')).toMatchObject({
    code: 'beyond_horizon',
    details: { bound: '2026-03-31', observed: '2026-04-01' },
  });
});

test('a due day that would move beyond the calendar is refused', () => {
  // 2026-04-01 is a Wednesday, and the rest of the covered week is closed.
  const closed = calendarOf({ weekend: [3, 4, 5], holidays: [], coversTo: dayOf('2026-04-03') });
  expect(makePlan(COMMON, closed)).toMatchObject({
    code: 'beyond_horizon',
    details: { bound: '2026-04-03', observed: '2026-04-01' },
  });
});

test('a plan beyond the year 9999 is refused with the last day that can be written', () => {
  const days = planDays(
    { ...COMMON, schedule: { kind: 'anchored_every_n_days', interval_days: 36_600 }, termPeriods: 90 },
    {
      ...OPEN,
      coversTo: 2_932_896 as typeof OPEN.coversTo,
    },
  );
  expect(days).toMatchObject({ code: 'beyond_horizon', details: { observed: '9999-12-31' } });
});

test('a plan whose interest exceeds the level amount is refused; one whose interest equals it is not', () => {
  // A first period of many months and short ones after it.
  const schedule = { kind: 'anchored_monthly', day_of_month: 1, first_after_days: 700 } as const;
  const long = { ...COMMON, schedule, rate: rateOf('400'), amortisation: 'level_payment' } as const;
  expect(makePlan(long, OPEN)).toMatchObject({ code: 'plan_not_amortising' });
  expect(figures(plan({ balance: 1n, rate: NO_TAX, amortisation: 'level_payment' }))).toEqual([
    [1n, 0n, 0n],
    [1n, 0n, 0n],
    [1n, 1n, 0n],
  ]);
});

test('no period repays more than the balance; later periods are empty', () => {
  const { level, periods } = plan({ balance: 5n, termPeriods: 3, rate: NO_TAX, amortisation: 'level_payment' });
  expect(level).toBe(2n);
  expect(periods.map(({ principal }) => principal)).toEqual([2n, 2n, 1n]);
  const early = plan({ balance: 3n, termPeriods: 5, rate: NO_TAX, amortisation: 'level_payment' });
  expect(early.level).toBe(1n);
  expect(early.periods.map(({ principal }) => principal)).toEqual([1n, 1n, 1n, 0n, 0n]);
});

test('a plan may collect the largest amount in total, but not one unit more', () => {
  const of = (principal: bigint) => fitsAmounts([{ principal, interest: 1n, fee: 2n, tax: 3n }]);
  expect([of(MAX_AMOUNT - 6n), of(MAX_AMOUNT - 5n)]).toEqual([true, false]);
  const half = { principal: MAX_AMOUNT / 2n + 1n, interest: 0n, fee: 0n, tax: 0n };
  expect(fitsAmounts([half, half])).toBe(false);
  expect(fitsAmounts([])).toBe(true);
});

test('law: a plan repays its balance, no period repays less than zero, and its days are consecutive', () => {
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
