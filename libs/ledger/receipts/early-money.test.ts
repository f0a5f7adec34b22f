import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { dayOf } from '#libs/calendar/civil-day.ts';
import {
  accelerated,
  given,
  issued,
  received,
  settledForLess,
  type Terms,
  type Told,
} from '#libs/ledger/testing/scenario.ts';
import type { Minor } from '#libs/money/minor.ts';
import { dayAfter } from '#test/properties/lent.ts';

const treated = (treatment: 'reduces_principal' | 'shortens_term' | 'settles_next', more: Terms['product'] = {}) =>
  issued({ product: { treatment, ...more } });

/** What the periods that live charge: [index, principal, interest]. */
const plan = (told: Told) =>
  told
    .loan()
    .periods.filter(({ alive }) => alive)
    .map(({ index, principal, interest }) => [index, principal.charged, interest.charged]);

/** The first instalment, and 300.00 more on 2026-01-16. */
const paid = (loan: ReturnType<typeof issued>, more = 300_00n) =>
  given(loan, received('2026-01-16', 310_44n + more, { reference: 'r' }));

test('reduces principal: what is left is divided over the periods left', () => {
  const told = paid(treated('reduces_principal'));
  expect(told.placed('r').shares).toMatchObject([{ early: 300_00n }]);
  expect(plan(told)).toEqual([
    [1, 300_00n, 9_00n],
    [2, 150_00n, 3_00n],
    [3, 150_00n, 1_50n],
  ]);
});

test('shortens the term: the principal of a period stays, and the last of them is empty', () => {
  const told = paid(treated('shortens_term'), 400_00n);
  expect(plan(told)).toEqual([
    [1, 300_00n, 9_00n],
    [2, 200_00n, 2_00n],
    [3, 0n, 0n],
  ]);
});

test('settles the next: following periods in order with their whole interest, and a last part on the next one', () => {
  const told = paid(treated('settles_next'));
  // 300.00 do not cover 306.96: the interest first, then principal, which lowers the balance of a period not begun.
  expect(told.placed('r').shares[0]?.lines.filter(({ period }) => period === 2)).toEqual([
    { period: 2, charge: 'principal', amount: 293_04n, tax: 0n },
    { period: 2, charge: 'interest', amount: 6_00n, tax: 96n },
  ]);
  expect(plan(told)).toEqual([
    [1, 300_00n, 9_00n],
    [2, 300_00n, 6_00n],
    [3, 300_00n, 3_00n],
  ]);
  const two = paid(treated('settles_next'), 306_96n + 5n);
  expect(two.loan().periods.map(({ settledOn }) => settledOn !== undefined)).toEqual([true, true, false]);
  expect(two.placed('r').surplus).toBe(0n);
});

test('a part of the next period whose interest is not yet settled lowers what that charges', () => {
  const order = ['principal', 'interest', 'fee', 'penalty', 'late_fee'] as const;
  const told = paid(treated('settles_next', { chargeOrder: order }), 100_00n);
  // 100.00 of the 600.00 are gone before the second period begins: thirty days of 500.00.
  expect(plan(told)).toEqual([
    [1, 300_00n, 9_00n],
    [2, 300_00n, 5_00n],
    [3, 300_00n, 3_00n],
  ]);
});

test('early money for all the principal ends the plan, and a later period charges nothing', () => {
  const loan = given(treated('reduces_principal'), received('2026-01-10', 310_44n));
  const told = loan.when(received('2026-02-15', 306_96n + 300_00n, { reference: 'r' }));
  expect(told.state()).toBe('closed');
  expect(told.placed('r')).toMatchObject({ surplus: 0n, shares: [{ early: 300_00n, discharged: true }] });
  // Before the second instalment can be settled ahead, both that are left are principal ahead.
  expect(loan.when(received('2026-01-31', 600_00n, { reference: 'r' })).state()).toBe('closed');
});

test('the running period ends on the day of such money, and owes what has accrued', () => {
  const single = given(issued({ termPeriods: 1 }), received('2026-01-16', 902_00n, { reference: 'r' }));
  expect(single.placed('r').shares).toMatchObject([
    { early: 900_00n, lines: [{ charge: 'interest', amount: 1_72n, tax: 28n }] },
  ]);
  expect(single.owes('2026-03-01')).toEqual({ interest: 2_78n, tax: 44n });
  expect(single.loan().periods[0]?.dueOn).toBe(dayOf('2026-01-16'));
});

test('a debt that is called has no early money', () => {
  const told = given(issued(), accelerated('2026-02-05'), received('2026-02-05', 2_000_00n, { reference: 'r' }));
  expect(told.placed('r').shares[0]?.early).toBe(0n);
  expect(told.placed('r').surplus).toBeGreaterThan(0n);
});

test('early money keeps to what a running settlement still takes', () => {
  const told = given(
    treated('reduces_principal'),
    settledForLess('2026-01-10', 400_00n, '2026-01-20'),
    received('2026-01-16', 500_00n, { reference: 'r' }),
  );
  expect(told.loan().paid).toBe(400_00n);
  expect(told.placed('r')).toMatchObject({ excess: { amount: 100_00n } });
});

/** 1,000.00 for thirty days at 120 %: 3.33 a day. */
const payday = (more: Terms['product'] = {}) =>
  issued({
    principal: 1_000_00n,
    termPeriods: 1,
    rate: '120',
    product: { archetype: 'payday', amortisation: 'level_payment', treatment: 'reduces_principal', ...more },
  });

test('on a payday Loan the fee and the interest accrued come before principal, in the charge order', () => {
  const told = given(payday({ originationFee: 10_00n as Minor }), received('2026-01-16', 200_00n, { reference: 'r' }));
  expect(told.placed('r').shares).toMatchObject([
    {
      lines: [
        { charge: 'interest', amount: 50_00n, tax: 8_00n },
        { charge: 'fee', amount: 10_00n, tax: 1_60n },
      ],
      early: 130_40n,
    },
  ]);
  expect(told.owes('2026-01-16')).toEqual({ principal: 869_60n });
  // Fifteen days more on what is left.
  expect(told.owes('2026-01-31').interest).toBe(43_48n);
});

test('on a payday Loan a part of the accrued interest is a part, and no principal is touched', () => {
  const told = given(payday(), received('2026-01-16', 29_00n, { reference: 'r' }));
  expect(told.placed('r').shares).toMatchObject([
    { lines: [{ charge: 'interest', amount: 25_00n, tax: 4_00n }], early: 0n },
  ]);
  expect(told.owes('2026-01-31')).toMatchObject({ principal: 1_000_00n, interest: 75_00n });
});

test('a payday Loan paid down to its principal is closed by what has accrued', () => {
  const told = given(payday(), received('2026-01-16', 1_058_00n, { reference: 'r' }));
  expect(told.state()).toBe('closed');
  expect(told.placed('r')).toMatchObject({ surplus: 0n, shares: [{ early: 1_000_00n, discharged: true }] });
});

test('early money goes Loan by Loan, in the order of their next instalments', () => {
  const later = issued({ loan: 'A', anchor: '2026-01-10' });
  const sooner = issued({ loan: 'B', anchor: '2026-01-05' });
  const told = given(later, sooner, received('2026-01-12', 310_44n * 2n + 50_00n, { reference: 'r' }));
  const early = told.placed('r').shares.map((share) => [share.order, share.early]);
  expect(early).toContainEqual([1, 50_00n]);
  expect(early).toContainEqual([0, 0n]);
});

test('law: whatever the treatment, early money never leaves more to pay, and all principal is paid once', () => {
  const treatments = fc.constantFrom('reduces_principal' as const, 'shortens_term' as const, 'settles_next' as const);
  const amortisations = fc.constantFrom('level_payment' as const, 'equal_principal' as const);
  fc.assert(
    fc.property(
      treatments,
      amortisations,
      fc.integer({ min: 0, max: 29 }),
      fc.bigInt(1n, 1_200_00n),
      (treatment, amortisation, day, amount) => {
        const loan = treated(treatment, { amortisation });
        const told = given(loan, received(dayAfter(day), amount, { reference: 'r' }));
        const charged = (each: Told) =>
          each.loan().periods.reduce((sum, { alive, interest }) => (alive ? sum + interest.charged : sum), 0n);
        expect(charged(told)).toBeLessThanOrEqual(charged(given(loan)));
        const principal = told
          .loan()
          .periods.reduce((sum, { principal: line }) => sum + line.charged, told.placed('r').shares[0]?.early ?? 0n);
        expect(principal).toBe(900_00n);
      },
    ),
  );
});

test('two parts of the next period lower its balance by both, each from its own day', () => {
  const order = ['principal', 'interest', 'fee', 'penalty', 'late_fee'] as const;
  const told = given(
    treated('settles_next', { chargeOrder: order }),
    received('2026-01-16', 410_44n),
    received('2026-02-15', 60_00n),
  );
  // Fifteen days of 500.00, then fifteen of 440.00.
  expect(plan(told)[1]).toEqual([2, 300_00n, 2_50n + 2_20n]);
});
