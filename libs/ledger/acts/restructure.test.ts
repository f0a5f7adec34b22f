import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Schedule } from '#libs/calendar/schedule.ts';
import { owedByPeriod, type Period } from '#libs/ledger/loan.ts';
import { accelerated, issued, received, restructured } from '#libs/ledger/testing/facts.ts';
import { given, type Scenario } from '#libs/ledger/testing/scenario.ts';
import type { Minor } from '#libs/money/minor.ts';
import { rateOf } from '#libs/money/rate.ts';
import { aLaterDay, randomLoan } from '#test/properties/random-loan.ts';

const framed = issued({
  product: {
    terms: [3, 4],
    rateMin: rateOf('6'),
    rateMax: rateOf('60'),
    penaltyRateMin: rateOf('12'),
    penaltyRateMax: rateOf('72'),
  },
});

/** The scheduled days of the periods that have not ended early. */
const days = (scenario: Scenario, on: string) =>
  scenario.schedule(on).periods.flatMap(({ alive, scheduled_on }) => (alive ? [scheduled_on] : []));

test('a restructure makes a new plan of all unpaid principal, and moves other debt into its first period', () => {
  const after = given(issued()).when(restructured('2026-01-31', { termPeriods: 3, rate: '24' }));
  expect(after.state()).toBe('restructured');
  expect(after.overdue('2026-01-31')).toEqual({});
  // Thirty days of 900.00 at 24 %, and the interest that was owed before, each with its tax.
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

test('a restructure leaves settled periods unchanged, and the first new period can be paid from its day on', () => {
  const after = given(issued(), received('2026-01-31', 310_44n)).when(
    restructured('2026-02-10', { termPeriods: 2, rate: '12' }),
  );
  const { periods } = after.schedule('2026-02-10');
  expect(periods[0]).toMatchObject({ index: 1, alive: true, settled_on: '2026-01-31' });
  expect(periods[3]).toMatchObject({ index: 4, actionable_from: '2026-02-10', due_on: '2026-03-12' });
  expect(periods[4]).toMatchObject({ index: 5, actionable_from: '2026-03-13' });
});

test('where the law lets interest capitalise, a restructure makes owed interest and its tax principal', () => {
  const law = { capitalises: { value: true, source: '', provisional: true } };
  const after = given(issued({ law })).when(restructured('2026-01-31', { termPeriods: 1, rate: '0' }));
  expect(after.owes('2026-01-31')).toEqual({ principal: 900_00n + 10_44n });
});

test('new terms must be within the frame the Loan was issued under', () => {
  const loan = given(framed);
  const afterChanging = (changed: object) =>
    loan.when(restructured('2026-01-31', { termPeriods: 3, rate: '24', ...changed }));
  expect(afterChanging({ termPeriods: 5 })).toBeRefused('term_not_offered', { bound: [3, 4], observed: 5 });
  expect(afterChanging({ schedule: { kind: 'anchored_monthly' } })).toBeRefused('schedule_not_offered');
  expect(afterChanging({ rate: '5' })).toBeRefused('rate_outside_corridor', { bound: '6', observed: '5' });
  expect(afterChanging({ rate: '61' })).toBeRefused('rate_outside_corridor', { bound: '60' });
  expect(afterChanging({ penaltyRate: '11' })).toBeRefused('penalty_rate_outside_corridor', {
    bound: '12',
    observed: '11',
  });
  expect(afterChanging({ penaltyRate: '73' })).toBeRefused('penalty_rate_outside_corridor', { bound: '72' });
  for (const limit of [
    { rate: '6' },
    { rate: '60' },
    { penaltyRate: '12' },
    { penaltyRate: '72' },
    { termPeriods: 4 },
  ]) {
    expect(afterChanging(limit)).toBeAdmitted();
  }
});

test('a payday Loan is restructured over one period', () => {
  const loan = given(issued({ termPeriods: 1, product: { archetype: 'payday' } }));
  expect(loan.when(restructured('2026-01-31', { termPeriods: 2, rate: '12' }))).toBeRefused('term_not_offered');
  expect(loan.when(restructured('2026-01-31', { termPeriods: 1, rate: '12' }))).toBeAdmitted();
});

test('the penalty rate, new or old, must be within the law’s cap for the new rate', () => {
  const law = {
    penaltyCap: { value: { form: 'multiple_of_rate', value: rateOf('3') }, source: '', provisional: true },
  };
  const loan = given(issued({ law }));
  expect(loan.when(restructured('2026-01-31', { termPeriods: 3, rate: '11' }))).toBeRefused('penalty_rate_above_cap', {
    field: '/penalty_rate',
    bound: '33',
    observed: '36',
  });
  expect(loan.when(restructured('2026-01-31', { termPeriods: 3, rate: '12' }))).toBeAdmitted();
  expect(loan.when(restructured('2026-01-31', { termPeriods: 3, rate: '11', penaltyRate: '33' }))).toBeAdmitted();
});

test('a new penalty rate is refused for a product with a late fee where the law forbids both', () => {
  const law = { lateFeeBesidePenalty: { value: false, source: '', provisional: true } };
  const lateFee = 10_00n as Minor;
  const loan = given(issued({ law, penaltyRate: '0', product: { lateFee } }));
  const newTerms = { termPeriods: 3, rate: '12' };
  expect(loan.when(restructured('2026-01-31', { ...newTerms, penaltyRate: '1' }))).toBeRefused(
    'late_fee_beside_penalty',
    { field: '/penalty_rate' },
  );
  expect(loan.when(restructured('2026-01-31', { ...newTerms, penaltyRate: '0' }))).toBeAdmitted();
  // A product without a late fee, and a law that permits both.
  expect(given(issued({ law })).when(restructured('2026-01-31', newTerms))).toBeAdmitted();
  const permitted = given(issued({ penaltyRate: '0', product: { lateFee } }));
  expect(permitted.when(restructured('2026-01-31', { ...newTerms, penaltyRate: '1' }))).toBeAdmitted();
});

test('a new schedule is in force from the restructure on', () => {
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

test('the level amount of a new plan includes the tax on interest, as that of the first plan did', () => {
  const level = issued({ rate: '36', product: { amortisation: 'level_payment' } });
  const after = given(level).when(restructured('2026-01-01', { termPeriods: 3, rate: '36' }));
  const totals = (periods: readonly Period[]) => periods.map((period) => owedByPeriod(period));
  const { periods } = after.loan();
  expect(totals(periods.slice(3))).toEqual(totals(given(level).loan().periods));
});

test('a new plan beyond the calendar or beyond the largest amount is refused', () => {
  const loan = given(issued());
  expect(loan.when(restructured('2026-01-31', { termPeriods: 600, rate: '12' }))).toBeRefused('beyond_horizon');
  // Near the largest amount, any interest exceeds it.
  const maxAmount = 9_007_199_254_740_991n;
  const vast = given(issued({ principal: maxAmount - 1_000n, rate: '0', termPeriods: 1 }));
  expect(vast.when(restructured('2026-01-10', { termPeriods: 1, rate: '12' }))).toBeRefused('amount_out_of_range', {
    bound: Number(maxAmount),
  });
  expect(vast.when(restructured('2026-01-10', { termPeriods: 1, rate: '0' }))).toBeAdmitted();
});

test('debt moved into the new plan counts towards the largest amount', () => {
  const vast = given(issued({ principal: 9_007_000_000_000_000n, termPeriods: 1, rate: '0', penaltyRate: '36' }));
  // Five years of penalty with its tax exceed what is left below the bound.
  expect(vast.when(restructured('2031-01-31', { termPeriods: 1, rate: '0' }))).toBeRefused('amount_out_of_range');
});

test('a Loan whose principal is paid cannot be restructured', () => {
  const law = { capitalises: { value: true, source: '', provisional: true } };
  // The principal is ahead of the interest in this charge order, so interest alone is left.
  const chargeOrder = ['principal', 'interest', 'fee', 'penalty', 'late_fee'] as const;
  const loan = given(issued({ law, termPeriods: 1, product: { chargeOrder } }), received('2026-01-31', 900_00n));
  expect(loan.owes('2026-01-31')).toEqual({ interest: 9_00n, tax: 1_44n });
  expect(loan.when(restructured('2026-02-01', { termPeriods: 1, rate: '12' }))).toBeRefused('invalid_event');
});

test('a restructure ends an acceleration, starts lateness again and applies the new penalty rate', () => {
  const after = given(issued(), accelerated('2026-02-05')).when(
    restructured('2026-02-10', { termPeriods: 3, rate: '0', penaltyRate: '72' }),
  );
  expect(after.loan().accelerated).toBe(false);
  expect(after.overdue('2026-03-11')).toEqual({});
  const asDue = after.overdue('2026-03-12');
  // Two days at 72 % on 300.00.
  expect(after.overdue('2026-03-14').penalty).toBe((asDue.penalty ?? 0n) + 120n);
});

test('law: a restructure neither adds nor releases debt on its day', () => {
  fc.assert(
    fc.property(
      randomLoan,
      aLaterDay,
      fc.integer({ min: 1, max: 12 }),
      fc.constantFrom('0', '24', '90'),
      (loan, on, termPeriods, rate) => {
        const after = loan.scenario.when(restructured(on, { termPeriods, rate }));
        expect(after.owes(on)).toEqual(loan.scenario.owes(on));
        if (after.refusal?.code === undefined) expect(after.overdue(on)).toEqual({});
      },
    ),
  );
});
