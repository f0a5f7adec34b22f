import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Schedule } from '#libs/calendar/schedule.ts';
import { type Period, periodOwes } from '#libs/ledger/loan.ts';
import { accelerated, given, issued, received, restructured, type Told } from '#libs/ledger/testing/scenario.ts';
import { rateOf } from '#libs/money/rate.ts';
import { aLaterDay, lent } from '#test/properties/lent.ts';

const framed = issued({
  product: {
    terms: [3, 4],
    rateMin: rateOf('6'),
    rateMax: rateOf('60'),
    penaltyRateMin: rateOf('12'),
    penaltyRateMax: rateOf('72'),
  },
});

/** The days of the living plan. */
const days = (told: Told, on: string) =>
  told.schedule(on).periods.flatMap(({ alive, scheduled_on }) => (alive ? [scheduled_on] : []));

test('all unpaid principal is planned anew from the day, and what else was owed is in the first new period', () => {
  const after = given(issued()).when(restructured('2026-01-31', { termPeriods: 3, rate: '24' }));
  expect(after.state()).toBe('restructured');
  expect(after.overdue('2026-01-31')).toEqual({});
  // Thirty days of 900.00 at 24 %, beside the interest that was owed, with its tax.
  expect(after.overdue('2026-03-02')).toEqual({ principal: 300_00n, interest: 18_00n + 9_00n, tax: 2_88n + 1_44n });
  expect(after.schedule('2026-01-31').periods.map(({ index, alive }) => [index, alive])).toEqual([
    [1, false],
    [2, false],
    [3, false],
    [4, true],
    [5, true],
    [6, true],
  ]);
});

test('a settled period stays as it was, and the first new one can be paid from the day on', () => {
  const after = given(issued(), received('2026-01-31', 310_44n)).when(
    restructured('2026-02-10', { termPeriods: 2, rate: '12' }),
  );
  const { periods } = after.schedule('2026-02-10');
  expect(periods[0]).toMatchObject({ index: 1, alive: true, settled_on: '2026-01-31' });
  expect(periods[3]).toMatchObject({ index: 4, actionable_from: '2026-02-10', due_on: '2026-03-12' });
  expect(periods[4]).toMatchObject({ index: 5, actionable_from: '2026-03-13' });
});

test('where the law lets interest capitalise, interest with its tax is principal from now on', () => {
  const law = { capitalises: { value: true, source: '', provisional: true } };
  const after = given(issued({ law })).when(restructured('2026-01-31', { termPeriods: 1, rate: '0' }));
  expect(after.owes('2026-01-31')).toEqual({ principal: 900_00n + 10_44n });
});

test('the terms stay inside the frame the Loan was issued under', () => {
  const loan = given(framed);
  const ask = (more: object) => loan.when(restructured('2026-01-31', { termPeriods: 3, rate: '24', ...more })).refusal;
  expect(ask({ termPeriods: 5 })).toMatchObject({ code: 'term_not_offered', details: { bound: [3, 4], observed: 5 } });
  expect(ask({ schedule: { kind: 'anchored_monthly' } })).toMatchObject({ code: 'schedule_not_offered' });
  expect(ask({ rate: '5' })).toMatchObject({ code: 'rate_outside_corridor', details: { bound: '6', observed: '5' } });
  expect(ask({ rate: '61' })).toMatchObject({ code: 'rate_outside_corridor', details: { bound: '60' } });
  expect(ask({ penaltyRate: '11' })).toMatchObject({
    code: 'penalty_rate_outside_corridor',
    details: { bound: '12', observed: '11' },
  });
  expect(ask({ penaltyRate: '73' })).toMatchObject({ code: 'penalty_rate_outside_corridor', details: { bound: '72' } });
  for (const edge of [
    { rate: '6' },
    { rate: '60' },
    { penaltyRate: '12' },
    { penaltyRate: '72' },
    { termPeriods: 4 },
  ]) {
    expect(ask(edge)).toBeUndefined();
  }
});

test('a payday Loan is restructured over one period', () => {
  const loan = given(issued({ termPeriods: 1, product: { archetype: 'payday' } }));
  const ask = (termPeriods: number) => loan.when(restructured('2026-01-31', { termPeriods, rate: '12' })).refused;
  expect(ask(2)).toBe('term_not_offered');
  expect(ask(1)).toBeUndefined();
});

test('the penalty rate, stated or standing, keeps to the cap over the new rate', () => {
  const law = {
    penaltyCap: { value: { form: 'multiple_of_rate', value: rateOf('3') }, source: '', provisional: true },
  };
  const loan = given(issued({ law }));
  expect(loan.when(restructured('2026-01-31', { termPeriods: 3, rate: '11' })).refused).toBe('penalty_rate_above_cap');
  expect(loan.when(restructured('2026-01-31', { termPeriods: 3, rate: '12' })).refused).toBeUndefined();
  expect(
    loan.when(restructured('2026-01-31', { termPeriods: 3, rate: '11', penaltyRate: '33' })).refused,
  ).toBeUndefined();
});

test('no penalty rate comes beside a late fee where the law forbids both', () => {
  const law = { lateFeeBesidePenalty: { value: false, source: '', provisional: true } };
  const loan = given(issued({ law, penaltyRate: '0', product: { lateFee: 10_00n as never } }));
  const ask = (penaltyRate: string) =>
    loan.when(restructured('2026-01-31', { termPeriods: 3, rate: '12', penaltyRate })).refusal;
  expect(ask('1')).toMatchObject({ code: 'late_fee_beside_penalty', details: { field: '/penalty_rate' } });
  expect(ask('0')).toBeUndefined();
  // A penalty rate alone, and both where the law does not mind, are fine.
  expect(
    given(issued({ law })).when(restructured('2026-01-31', { termPeriods: 3, rate: '12' })).refused,
  ).toBeUndefined();
  const mild = given(issued({ penaltyRate: '0', product: { lateFee: 10_00n as never } }));
  expect(
    mild.when(restructured('2026-01-31', { termPeriods: 3, rate: '12', penaltyRate: '1' })).refused,
  ).toBeUndefined();
});

test('a stated schedule is the one in force from then on', () => {
  const [monthly, fortnights] = [30, 14].map((days) => ({
    kind: 'anchored_every_n_days' as const,
    interval_days: days,
  })) as [Schedule, Schedule];
  const loan = given(issued({ schedule: monthly, product: { schedules: [monthly, fortnights] } }));
  const terms = { termPeriods: 2, rate: '12' };
  const once = loan.when(restructured('2026-01-10', { ...terms, schedule: fortnights }));
  expect(days(once, '2026-01-10')).toEqual(['2026-01-24', '2026-02-07']);
  const again = once.when(restructured('2026-01-20', terms, { event: 'again' }));
  expect(days(again, '2026-01-20')).toEqual(['2026-02-03', '2026-02-17']);
  expect(days(loan.when(restructured('2026-01-10', terms)), '2026-01-10')).toEqual(['2026-02-09', '2026-03-11']);
});

test('a new level plan holds the tax on its interest, as the first one did', () => {
  const level = issued({ rate: '36', product: { amortisation: 'level_payment' } });
  const after = given(level).when(restructured('2026-01-01', { termPeriods: 3, rate: '36' }));
  const totals = (periods: readonly Period[]) => periods.map((period) => periodOwes(period));
  const { periods } = after.loan();
  expect(totals(periods.slice(3))).toEqual(totals(given(level).loan().periods));
});

test('a new plan that the calendar does not reach, or that cannot be stated, is refused', () => {
  const loan = given(issued());
  expect(loan.when(restructured('2026-01-31', { termPeriods: 600, rate: '12' })).refused).toBe('beyond_horizon');
  // Near the most that can be stated, interest on top is too much.
  const most = 9_007_199_254_740_991n;
  const vast = given(issued({ principal: most - 1_000n, rate: '0', termPeriods: 1 }));
  expect(vast.when(restructured('2026-01-10', { termPeriods: 1, rate: '12' })).refusal).toMatchObject({
    code: 'amount_out_of_range',
    details: { bound: Number(most) },
  });
  expect(vast.when(restructured('2026-01-10', { termPeriods: 1, rate: '0' })).refused).toBeUndefined();
});

test('what moves in counts among the figures that must be statable', () => {
  const vast = given(issued({ principal: 9_007_000_000_000_000n, termPeriods: 1, rate: '0', penaltyRate: '36' }));
  // Five years of penalty with its tax exceed what is left below the bound.
  expect(vast.when(restructured('2031-01-31', { termPeriods: 1, rate: '0' })).refused).toBe('amount_out_of_range');
});

test('a Loan whose principal is paid has nothing to restructure', () => {
  const law = { capitalises: { value: true, source: '', provisional: true } };
  // The principal is ahead of the interest in this charge order, so interest alone is left.
  const chargeOrder = ['principal', 'interest', 'fee', 'penalty', 'late_fee'] as const;
  const loan = given(issued({ law, termPeriods: 1, product: { chargeOrder } }), received('2026-01-31', 900_00n));
  expect(loan.owes('2026-01-31')).toEqual({ interest: 9_00n, tax: 1_44n });
  expect(loan.when(restructured('2026-02-01', { termPeriods: 1, rate: '12' })).refused).toBe('invalid_event');
});

test('an earlier acceleration is over, lateness starts anew and the stated penalty rate holds', () => {
  const after = given(issued(), accelerated('2026-02-05')).when(
    restructured('2026-02-10', { termPeriods: 3, rate: '0', penaltyRate: '72' }),
  );
  expect(after.loan().accelerated).toBe(false);
  expect(after.overdue('2026-03-11')).toEqual({});
  const asDue = after.overdue('2026-03-12');
  // Two days at 72 % on 300.00.
  expect(after.overdue('2026-03-14').penalty).toBe((asDue.penalty ?? 0n) + 120n);
});

test('law: a restructure neither makes nor forgives debt on its day', () => {
  fc.assert(
    fc.property(
      lent,
      aLaterDay,
      fc.integer({ min: 1, max: 12 }),
      fc.constantFrom('0', '24', '90'),
      (loan, on, termPeriods, rate) => {
        const after = loan.told.when(restructured(on, { termPeriods, rate }));
        expect(after.owes(on)).toEqual(loan.told.owes(on));
        if (after.refused === undefined) expect(after.overdue(on)).toEqual({});
      },
    ),
  );
});
