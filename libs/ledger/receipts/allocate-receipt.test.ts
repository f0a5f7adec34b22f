import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { calendarOf } from '#libs/calendar/banking-calendar.ts';
import { dayOf } from '#libs/calendar/civil-day.ts';
import { owedOf } from '#libs/ledger/line.ts';
import {
  COMMON_LAW,
  ceded,
  given,
  issued,
  received,
  rescinded,
  settledForLess,
  type Told,
  writtenOff,
} from '#libs/ledger/testing/scenario.ts';
import type { Minor } from '#libs/money/minor.ts';
import { aLaterDay, lent } from '#test/properties/lent.ts';

/** The lines of a Receipt as [Loan, period, charge, amount, tax]. */
function lines(told: Told, receipt: string) {
  return told
    .placed(receipt)
    .shares.flatMap(({ order, lines: each }) =>
      each.map(({ period, charge, amount, tax }) => [order, period, charge, amount, tax]),
    );
}

const pay = (told: Told, on: string, amount: bigint, more = {}) =>
  told.when(received(on, amount, { reference: 'r', ...more }));

test('overdue money is met in the charge order of the product, and the lines are told in the order of charges', () => {
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

test('what has fallen due first is paid first, over all Loans; on one day the older Loan comes first', () => {
  const loans = given(issued({ loan: 'A', anchor: '2026-01-03' }), issued({ loan: 'B', anchor: '2026-01-01' }));
  // A's first period is due on 2026-02-02, B's on 2026-01-31.
  expect(lines(pay(loans, '2026-02-02', 5n), 'r')).toEqual([[1, 1, 'penalty', 4n, 1n]]);
  const same = given(issued({ loan: 'A' }), issued({ loan: 'B' }));
  expect(lines(pay(same, '2026-01-31', 311_00n), 'r').map(([order]) => order)).toEqual([0, 0, 1]);
});

test('all that is overdue is paid before any instalment that is not', () => {
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

test('the next instalment is settled entire with the interest of its whole period, or not at all', () => {
  const early = pay(given(issued()), '2026-01-10', 310_44n);
  expect(lines(early, 'r')).toEqual([
    [0, 1, 'principal', 300_00n, 0n],
    [0, 1, 'interest', 9_00n, 1_44n],
  ]);
  const short = pay(given(issued()), '2026-01-10', 310_43n);
  expect(lines(short, 'r')).toEqual([]);
  expect(short.placed('r').shares).toMatchObject([{ early: 310_43n }]);
});

test('an instalment is settled ahead from the day after the scheduled day before it, and one at a time', () => {
  const first = given(issued(), received('2026-01-10', 310_44n, { reference: 'first' }));
  expect(lines(pay(first, '2026-01-31', 306_96n), 'r')).toEqual([]);
  expect(lines(pay(first, '2026-02-01', 306_96n), 'r').map(([, period]) => period)).toEqual([2, 2]);
});

/** Saturdays and Sundays are no banking days: the first period ends on Saturday 2026-01-31 and is due on 2026-02-02. */
const resting = {
  calendar: {
    ...COMMON_LAW.calendar,
    value: calendarOf({ weekend: [6, 7], holidays: [], coversTo: dayOf('2030-12-31') }),
  },
};

test('between its scheduled and a moved due day an instalment is paid in part where the money is short', () => {
  const paid = pay(given(issued({ law: resting })), '2026-02-01', 100_00n);
  expect(lines(paid, 'r')).toEqual([
    [0, 1, 'principal', 89_56n, 0n],
    [0, 1, 'interest', 9_00n, 1_44n],
  ]);
  expect(paid.placed('r').surplus).toBe(0n);
});

test('after such a period the next one is settled entire where the money covers it', () => {
  const loan = given(issued({ law: resting }));
  expect(lines(pay(loan, '2026-02-01', 310_44n + 306_96n), 'r').map(([, period]) => period)).toEqual([1, 1, 2, 2]);
  const short = pay(loan, '2026-02-01', 310_44n + 306_95n);
  expect(lines(short, 'r').map(([, period]) => period)).toEqual([1, 1]);
  expect(short.placed('r').shares).toMatchObject([{ early: 306_95n }]);
});

test('a designated Receipt pays its Loan alone, and what that cannot take is surplus', () => {
  const loans = given(issued({ loan: 'A' }), issued({ loan: 'B' }));
  const paid = pay(loans, '2026-01-31', 950_00n, { loan: 'B' });
  expect(paid.placed('r').shares.map(({ order }) => order)).toEqual([1]);
  expect(paid.state('B')).toBe('closed');
  expect(paid.placed('r').surplus).toBe(950_00n - 910_44n);
  expect(paid.owes('2026-01-31', 'A').principal).toBe(900_00n);
});

test('a Receipt designated to a Loan that is not open on its day is surplus whole', () => {
  const loans = given(issued({ loan: 'A' }), issued({ loan: 'B', anchor: '2026-02-01' }));
  expect(pay(loans, '2026-01-31', 50_00n, { loan: 'B' }).placed('r')).toMatchObject({ shares: [], surplus: 50_00n });
});

test('a Receipt pays Loans of its own currency', () => {
  const dollars = issued({ loan: 'A', currency: 'USD' });
  expect(pay(given(dollars), '2026-01-31', 50_00n).placed('r').surplus).toBe(50_00n);
  const both = given(dollars, issued({ loan: 'B' }));
  expect(
    pay(both, '2026-01-31', 50_00n)
      .placed('r')
      .shares.map(({ order }) => order),
  ).toEqual([1]);
  expect(pay(given(dollars), '2026-01-31', 50_00n, { loan: 'A' }).refused).toBe('currency_mismatch');
});

test('payoff intent needs a designation', () => {
  expect(pay(given(issued()), '2026-01-31', 1n, { payoff: true }).refused).toBe('payoff_needs_designation');
});

test('payoff intent discharges the Loan at what has accrued, where the money covers it', () => {
  const paid = pay(given(issued()), '2026-01-16', 905_22n, { loan: 'L', payoff: true });
  expect(paid.state()).toBe('closed');
  expect(paid.placed('r')).toMatchObject({
    surplus: 0n,
    payoffShort: false,
    shares: [{ early: 900_00n, discharged: true }],
  });
  expect(lines(paid, 'r')).toEqual([[0, 1, 'interest', 4_50n, 72n]]);
  expect(paid.loan().discharged).toMatchObject({ by: 'r' });
});

test('meant as a payoff and short of it by a cent, the money is ordinary, and is said to be short', () => {
  const short = pay(given(issued()), '2026-01-16', 905_21n, { loan: 'L', payoff: true });
  expect(short.state()).toBe('active');
  expect(short.placed('r')).toMatchObject({ payoffShort: true, shares: [{ discharged: false }] });
  // The first instalment whole, then principal ahead.
  expect(lines(short, 'r')).toHaveLength(2);
  expect(pay(given(issued()), '2026-01-16', 905_21n, { loan: 'L' }).placed('r').payoffShort).toBe(false);
});

test('more than the payoff is surplus', () => {
  expect(pay(given(issued()), '2026-01-16', 906_00n, { loan: 'L', payoff: true }).placed('r').surplus).toBe(78n);
});

test('a payoff meant while a settlement runs discharges at what is left of the sum agreed', () => {
  const agreed = given(issued(), settledForLess('2026-02-05', 500_00n, '2026-02-20'));
  const paid = pay(agreed, '2026-02-10', 500_00n, { loan: 'L', payoff: true });
  expect(paid.state()).toBe('closed');
  expect(paid.placed('r').payoffShort).toBe(false);
  const short = pay(agreed, '2026-02-10', 499_99n, { loan: 'L', payoff: true });
  expect(short.state()).toBe('active');
  expect(short.placed('r').payoffShort).toBe(true);
});

test('a settlement that takes its sum leaves the rest of the Receipt to the other Loans, then owes it back', () => {
  const loans = given(
    issued({ loan: 'A' }),
    issued({ loan: 'B' }),
    settledForLess('2026-02-05', 100_00n, '2026-02-20', { loan: 'A' }),
  );
  const paid = pay(loans, '2026-02-10', 100_00n + 50_00n);
  expect(paid.state('A')).toBe('closed');
  expect(paid.loan('A').paid).toBe(100_00n);
  expect(paid.loan('B').paid).toBe(50_00n);
  expect(paid.placed('r').excess).toBeUndefined();
});

test('money meets no Loan that is closed, undone or ceded by its day; a written-off one takes it', () => {
  const closed = given(issued(), received('2026-01-31', 950_00n, { loan: 'L' }));
  expect(pay(closed, '2026-02-01', 5n).placed('r').surplus).toBe(5n);
  expect(pay(given(issued(), rescinded('2026-01-31')), '2026-01-31', 5n).placed('r').surplus).toBe(5n);
  expect(pay(given(issued(), ceded('2026-01-31')), '2026-02-01', 5n).placed('r').surplus).toBe(5n);
  expect(pay(given(issued(), writtenOff('2026-01-31')), '2026-02-01', 5n).placed('r').surplus).toBe(0n);
});

test('a Loan paid by several Receipts closes with the last of them', () => {
  const half = given(issued(), received('2026-02-03', 311_48n, { reference: 'a' }));
  const paid = pay(half, '2026-02-10', 700_00n);
  expect(paid.state()).toBe('closed');
  expect(paid.placed('a').shares).toMatchObject([{ discharged: false }]);
  expect(paid.placed('r').shares).toMatchObject([{ discharged: true }]);
  expect(paid.loan().principalReceived).toBe(900_00n);
});

test('the origination fee is paid with the first period, its tax with it', () => {
  const loan = given(issued({ product: { originationFee: 50_00n as Minor } }));
  expect(lines(pay(loan, '2026-01-31', 58_00n), 'r')).toEqual([[0, 1, 'fee', 50_00n, 8_00n]]);
});

const interestToCome = (told: Told) => told.loan().periods.reduce((sum, { interest }) => sum + owedOf(interest), 0n);

test('law: a Receipt is placed or surplus to the cent, and each Loan’s debt falls by no less than it took', () => {
  fc.assert(
    fc.property(lent, aLaterDay, fc.bigInt(1n, 9_000_000n), fc.boolean(), (loan, on, amount, payoff) => {
      const paid = pay(loan.told, on, amount, payoff ? { loan: 'L', payoff } : {});
      const { shares, surplus, excess } = paid.placed('r');
      const met = shares.flatMap(({ lines: each }) => each.map(({ period, charge }) => `${period} ${charge}`));
      expect(new Set(met).size).toBe(met.length);
      const settled = paid.loan().paid - loan.told.loan().paid;
      expect(settled + surplus + (excess?.amount ?? 0n)).toBe(amount);
      expect(
        shares.flatMap(({ lines: each }) => each).every(({ amount: a, tax }) => a >= 0n && tax >= 0n && a + tax > 0n),
      ).toBe(true);
      const [before, after] = [loan.told.debt(on), paid.debt(on)];
      // Ordinary money settles instalments whole, so to close a Loan it must cover interest that has yet to accrue.
      if (amount >= (payoff ? before : before + interestToCome(loan.told))) expect(after).toBe(0n);
      expect(after).toBeGreaterThanOrEqual(0n);
      // Interest of a whole period that is settled ahead is paid beyond what the payoff asks.
      expect(before - after).toBeLessThanOrEqual(settled);
    }),
  );
});

test('a payoff meant while a settlement runs takes no more than the sum agreed, even where it covers the debt', () => {
  const agreed = given(issued(), settledForLess('2026-02-05', 500_00n, '2026-02-20'));
  const paid = pay(agreed, '2026-02-10', 1_000_00n, { loan: 'L', payoff: true });
  expect(paid.loan().paid).toBe(500_00n);
  expect(paid.placed('r')).toMatchObject({ surplus: 0n, payoffShort: false, excess: { amount: 500_00n } });
  // What has fallen due first, in charge order; the rest is principal ahead.
  expect(lines(paid, 'r')).toEqual([
    [0, 1, 'principal', 300_00n, 0n],
    [0, 1, 'interest', 9_00n, 1_44n],
    [0, 1, 'penalty', 3_00n, 48n],
  ]);
});
