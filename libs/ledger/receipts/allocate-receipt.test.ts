import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { calendarOf } from '#libs/calendar/banking-calendar.ts';
import { dayOf } from '#libs/calendar/civil-day.ts';
import { owedTotal } from '#libs/ledger/line.ts';
import {
  ceded,
  EXAMPLE_MARKET,
  issued,
  received,
  rescinded,
  settledForLess,
  writtenOff,
} from '#libs/ledger/testing/facts.ts';
import { given, type Scenario } from '#libs/ledger/testing/scenario.ts';
import type { Minor } from '#libs/money/minor.ts';
import { aLaterDay, randomLoan } from '#test/properties/random-loan.ts';

/** The lines of a Receipt as [Loan, period, charge, amount, tax]. */
function lines(scenario: Scenario, receipt: string) {
  return scenario
    .allocation(receipt)
    .shares.flatMap(({ order, lines: each }) =>
      each.map(({ period, charge, amount, tax }) => [order, period, charge, amount, tax]),
    );
}

const pay = (scenario: Scenario, on: string, amount: bigint, more = {}) =>
  scenario.when(received(on, amount, { reference: 'r', ...more }));

test('overdue lines are paid in the charge order of the product, and listed in the fixed order of charges', () => {
  const paid = pay(given(issued()), '2026-02-03', 104n + 10_44n + 100_00n);
  expect(lines(paid, 'r')).toEqual([
    [0, 1, 'principal', 100_00n, 0n],
    [0, 1, 'interest', 9_00n, 1_44n],
    [0, 1, 'penalty', 90n, 14n],
  ]);
  const other = issued({ product: { chargeOrder: ['principal', 'interest', 'fee', 'penalty', 'late_fee'] } });
  expect(lines(pay(given(other), '2026-02-03', 300_00n), 'r')).toEqual([[0, 1, 'principal', 300_00n, 0n]]);
});

test('money for part of a line pays its share of the tax', () => {
  // 5.22 is half of 10.44.
  expect(lines(pay(given(issued()), '2026-01-31', 5_22n), 'r')).toEqual([[0, 1, 'interest', 4_50n, 72n]]);
  expect(lines(pay(given(issued()), '2026-01-31', 1n), 'r')).toEqual([[0, 1, 'interest', 1n, 0n]]);
});

test('what fell due first is paid first, over all Loans; on the same day the older Loan first', () => {
  const loans = given(issued({ loan: 'A', anchor: '2026-01-03' }), issued({ loan: 'B', anchor: '2026-01-01' }));
  // A's first period is due on 2026-02-02, B's on 2026-01-31.
  expect(lines(pay(loans, '2026-02-02', 5n), 'r')).toEqual([[1, 1, 'penalty', 4n, 1n]]);
  const same = given(issued({ loan: 'A' }), issued({ loan: 'B' }));
  expect(lines(pay(same, '2026-01-31', 311_00n), 'r').map(([order]) => order)).toEqual([0, 0, 1]);
});

test('everything overdue is paid before any instalment', () => {
  const loans = given(issued({ loan: 'A' }), issued({ loan: 'B', anchor: '2026-01-20' }));
  const paid = pay(loans, '2026-01-31', 310_44n + 310_43n);
  // B's instalment is short of a cent: it is passed over, and so is A's next one, which is not actionable yet.
  expect(lines(paid, 'r').filter(([order]) => order === 1)).toEqual([]);
  const whole = pay(loans, '2026-01-31', 310_44n + 310_44n);
  expect(lines(whole, 'r').filter(([order]) => order === 1)).toEqual([
    [1, 1, 'principal', 300_00n, 0n],
    [1, 1, 'interest', 9_00n, 1_44n],
  ]);
});

test('the next instalment is settled in full, with the interest of its full period, or not at all', () => {
  const early = pay(given(issued()), '2026-01-10', 310_44n);
  expect(lines(early, 'r')).toEqual([
    [0, 1, 'principal', 300_00n, 0n],
    [0, 1, 'interest', 9_00n, 1_44n],
  ]);
  const short = pay(given(issued()), '2026-01-10', 310_43n);
  expect(lines(short, 'r')).toEqual([]);
  expect(short.allocation('r').shares).toMatchObject([{ early: 310_43n }]);
});

test('an instalment can be paid from the day after the previous scheduled day, one at a time', () => {
  const first = given(issued(), received('2026-01-10', 310_44n, { reference: 'first' }));
  expect(lines(pay(first, '2026-01-31', 306_96n), 'r')).toEqual([]);
  expect(lines(pay(first, '2026-02-01', 306_96n), 'r').map(([, period]) => period)).toEqual([2, 2]);
});

/** Saturdays and Sundays are no banking days: the first period ends on Saturday 2026-01-31 and is due on 2026-02-02. */
const closedOnWeekends = {
  calendar: {
    ...EXAMPLE_MARKET.calendar,
    value: calendarOf({ weekend: [6, 7], holidays: [], coversTo: dayOf('2030-12-31') }),
  },
};

test('between its scheduled day and its later due day an instalment can be paid in part', () => {
  const paid = pay(given(issued({ law: closedOnWeekends })), '2026-02-01', 100_00n);
  expect(lines(paid, 'r')).toEqual([
    [0, 1, 'principal', 89_56n, 0n],
    [0, 1, 'interest', 9_00n, 1_44n],
  ]);
  expect(paid.allocation('r').surplus).toBe(0n);
});

test('after such a part payment the next instalment is settled in full if the money covers it', () => {
  const loan = given(issued({ law: closedOnWeekends }));
  expect(lines(pay(loan, '2026-02-01', 310_44n + 306_96n), 'r').map(([, period]) => period)).toEqual([1, 1, 2, 2]);
  const short = pay(loan, '2026-02-01', 310_44n + 306_95n);
  expect(lines(short, 'r').map(([, period]) => period)).toEqual([1, 1]);
  expect(short.allocation('r').shares).toMatchObject([{ early: 306_95n }]);
});

test('a designated Receipt pays only its Loan, and the rest is surplus', () => {
  const loans = given(issued({ loan: 'A' }), issued({ loan: 'B' }));
  const paid = pay(loans, '2026-01-31', 950_00n, { loan: 'B' });
  expect(paid.allocation('r').shares.map(({ order }) => order)).toEqual([1]);
  expect(paid.state('B')).toBe('closed');
  expect(paid.allocation('r').surplus).toBe(950_00n - 910_44n);
  expect(paid.owes('2026-01-31', 'A').principal).toBe(900_00n);
});

test('a Receipt designated to a Loan that cannot receive money on its day is all surplus', () => {
  const loans = given(issued({ loan: 'A' }), issued({ loan: 'B', anchor: '2026-02-01' }));
  expect(pay(loans, '2026-01-31', 50_00n, { loan: 'B' }).allocation('r')).toMatchObject({
    shares: [],
    surplus: 50_00n,
  });
});

test('a Receipt pays only Loans in its currency', () => {
  const dollars = issued({ loan: 'A', currency: 'USD' });
  expect(pay(given(dollars), '2026-01-31', 50_00n).allocation('r').surplus).toBe(50_00n);
  const both = given(dollars, issued({ loan: 'B' }));
  expect(
    pay(both, '2026-01-31', 50_00n)
      .allocation('r')
      .shares.map(({ order }) => order),
  ).toEqual([1]);
  expect(pay(given(dollars), '2026-01-31', 50_00n, { loan: 'A' })).toBeRefused('currency_mismatch');
});

test('a Receipt meant as a payoff must designate its Loan', () => {
  expect(pay(given(issued()), '2026-01-31', 1n, { payoff: true })).toBeRefused('payoff_needs_designation');
});

test('a Receipt meant as a payoff discharges the Loan if it covers what has accrued', () => {
  const paid = pay(given(issued()), '2026-01-16', 905_22n, { loan: 'L', payoff: true });
  expect(paid.state()).toBe('closed');
  expect(paid.allocation('r')).toMatchObject({
    surplus: 0n,
    payoffShort: false,
    shares: [{ early: 900_00n, discharged: true }],
  });
  expect(lines(paid, 'r')).toEqual([[0, 1, 'interest', 4_50n, 72n]]);
  expect(paid.loan().discharged).toMatchObject({ by: 'r' });
});

test('a payoff one cent short is allocated as ordinary money and marked as short', () => {
  const short = pay(given(issued()), '2026-01-16', 905_21n, { loan: 'L', payoff: true });
  expect(short.state()).toBe('active');
  expect(short.allocation('r')).toMatchObject({ payoffShort: true, shares: [{ discharged: false }] });
  // The first instalment in full, then principal ahead.
  expect(lines(short, 'r')).toHaveLength(2);
  expect(pay(given(issued()), '2026-01-16', 905_21n, { loan: 'L' }).allocation('r').payoffShort).toBe(false);
});

test('money beyond the payoff is surplus', () => {
  expect(pay(given(issued()), '2026-01-16', 906_00n, { loan: 'L', payoff: true }).allocation('r').surplus).toBe(78n);
});

test('while a settlement runs, a payoff needs only what is left of the agreed sum', () => {
  const agreed = given(issued(), settledForLess('2026-02-05', 500_00n, '2026-02-20'));
  const paid = pay(agreed, '2026-02-10', 500_00n, { loan: 'L', payoff: true });
  expect(paid.state()).toBe('closed');
  expect(paid.allocation('r').payoffShort).toBe(false);
  const short = pay(agreed, '2026-02-10', 499_99n, { loan: 'L', payoff: true });
  expect(short.state()).toBe('active');
  expect(short.allocation('r').payoffShort).toBe(true);
});

test('a Receipt that completes a settlement pays the other Loans next, and the rest is owed back', () => {
  const loans = given(
    issued({ loan: 'A' }),
    issued({ loan: 'B' }),
    settledForLess('2026-02-05', 100_00n, '2026-02-20', { loan: 'A' }),
  );
  const paid = pay(loans, '2026-02-10', 100_00n + 50_00n);
  expect(paid.state('A')).toBe('closed');
  expect(paid.loan('A').paid).toBe(100_00n);
  expect(paid.loan('B').paid).toBe(50_00n);
  expect(paid.allocation('r').excess).toBeUndefined();
});

test('closed, rescinded and ceded Loans receive no money; written-off Loans do', () => {
  const closed = given(issued(), received('2026-01-31', 950_00n, { loan: 'L' }));
  expect(pay(closed, '2026-02-01', 5n).allocation('r').surplus).toBe(5n);
  expect(pay(given(issued(), rescinded('2026-01-31')), '2026-01-31', 5n).allocation('r').surplus).toBe(5n);
  expect(pay(given(issued(), ceded('2026-01-31')), '2026-02-01', 5n).allocation('r').surplus).toBe(5n);
  expect(pay(given(issued(), writtenOff('2026-01-31')), '2026-02-01', 5n).allocation('r').surplus).toBe(0n);
});

test('a Loan paid by several Receipts closes with the last of them', () => {
  const half = given(issued(), received('2026-02-03', 311_48n, { reference: 'a' }));
  const paid = pay(half, '2026-02-10', 700_00n);
  expect(paid.state()).toBe('closed');
  expect(paid.allocation('a').shares).toMatchObject([{ discharged: false }]);
  expect(paid.allocation('r').shares).toMatchObject([{ discharged: true }]);
  expect(paid.loan().principalReceived).toBe(900_00n);
});

test('the origination fee and its tax are paid with the first period', () => {
  const loan = given(issued({ product: { originationFee: 50_00n as Minor } }));
  expect(lines(pay(loan, '2026-01-31', 58_00n), 'r')).toEqual([[0, 1, 'fee', 50_00n, 8_00n]]);
});

const interestToCome = (scenario: Scenario) =>
  scenario.loan().periods.reduce((sum, { interest }) => sum + owedTotal(interest), 0n);

test('law: a Receipt is allocated or surplus to the cent, and each Loan’s debt falls by at least what it took', () => {
  fc.assert(
    fc.property(randomLoan, aLaterDay, fc.bigInt(1n, 9_000_000n), fc.boolean(), (loan, on, amount, payoff) => {
      const paid = pay(loan.scenario, on, amount, payoff ? { loan: 'L', payoff } : {});
      const { shares, surplus, excess } = paid.allocation('r');
      const paidLines = shares.flatMap(({ lines: each }) => each.map(({ period, charge }) => `${period} ${charge}`));
      expect(new Set(paidLines).size).toBe(paidLines.length);
      const settled = paid.loan().paid - loan.scenario.loan().paid;
      expect(settled + surplus + (excess?.amount ?? 0n)).toBe(amount);
      expect(
        shares.flatMap(({ lines: each }) => each).every(({ amount: a, tax }) => a >= 0n && tax >= 0n && a + tax > 0n),
      ).toBe(true);
      const [before, after] = [loan.scenario.debt(on), paid.debt(on)];
      // Ordinary money settles instalments in full, so to close a Loan it must cover interest that has yet to accrue.
      if (amount >= (payoff ? before : before + interestToCome(loan.scenario))) expect(after).toBe(0n);
      expect(after).toBeGreaterThanOrEqual(0n);
      // Interest of a full period that is settled ahead is more than the payoff contains.
      expect(before - after).toBeLessThanOrEqual(settled);
    }),
  );
});

test('while a settlement runs, a payoff takes no more than the agreed sum, even if it covers the debt', () => {
  const agreed = given(issued(), settledForLess('2026-02-05', 500_00n, '2026-02-20'));
  const paid = pay(agreed, '2026-02-10', 1_000_00n, { loan: 'L', payoff: true });
  expect(paid.loan().paid).toBe(500_00n);
  expect(paid.allocation('r')).toMatchObject({ surplus: 0n, payoffShort: false, excess: { amount: 500_00n } });
  // What has fallen due first, in charge order; the rest is principal ahead.
  expect(lines(paid, 'r')).toEqual([
    [0, 1, 'principal', 300_00n, 0n],
    [0, 1, 'interest', 9_00n, 1_44n],
    [0, 1, 'penalty', 3_00n, 48n],
  ]);
});
