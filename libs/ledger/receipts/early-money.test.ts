import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { dayOf } from '#libs/calendar/civil-day.ts';
import { accelerated, type IssuanceExample, issued, received, settledForLess } from '#libs/ledger/testing/facts.ts';
import { given, type Scenario } from '#libs/ledger/testing/scenario.ts';
import type { Minor } from '#libs/money/minor.ts';
import { dayAfter } from '#test/properties/random-loan.ts';

const treated = (
  treatment: 'reduces_principal' | 'shortens_term' | 'settles_next',
  more: IssuanceExample['product'] = {},
) => issued({ product: { treatment, ...more } });

/** The charges of the periods that have not ended early: [index, principal, interest]. */
const plan = (scenario: Scenario) =>
  scenario
    .loan()
    .periods.filter(({ alive }) => alive)
    .map(({ index, principal, interest }) => [index, principal.charged, interest.charged]);

/** The first instalment, and 300.00 more on 2026-01-16. */
const paid = (loan: ReturnType<typeof issued>, more = 300_00n) =>
  given(loan, received('2026-01-16', 310_44n + more, { reference: 'r' }));

test('early money that reduces principal lowers every remaining period', () => {
  const scenario = paid(treated('reduces_principal'));
  expect(scenario.allocation('r').shares).toMatchObject([{ early: 300_00n }]);
  expect(plan(scenario)).toEqual([
    [1, 300_00n, 9_00n],
    [2, 150_00n, 3_00n],
    [3, 150_00n, 1_50n],
  ]);
});

test('early money that shortens the term leaves the last periods empty', () => {
  const scenario = paid(treated('shortens_term'), 400_00n);
  expect(plan(scenario)).toEqual([
    [1, 300_00n, 9_00n],
    [2, 200_00n, 2_00n],
    [3, 0n, 0n],
  ]);
});

test('early money that settles the next pays the following periods in full, and the next one in part', () => {
  const scenario = paid(treated('settles_next'));
  // 300.00 do not cover 306.96: the interest first, then principal, which lowers the balance of a period that has not
  // started.
  expect(scenario.allocation('r').shares[0]?.lines.filter(({ period }) => period === 2)).toEqual([
    { period: 2, charge: 'principal', amount: 293_04n, tax: 0n },
    { period: 2, charge: 'interest', amount: 6_00n, tax: 96n },
  ]);
  expect(plan(scenario)).toEqual([
    [1, 300_00n, 9_00n],
    [2, 300_00n, 6_00n],
    [3, 300_00n, 3_00n],
  ]);
  const two = paid(treated('settles_next'), 306_96n + 5n);
  expect(two.loan().periods.map(({ settledOn }) => settledOn !== undefined)).toEqual([true, true, false]);
  expect(two.allocation('r').surplus).toBe(0n);
});

test('a part payment of the next period lowers its interest if that is not settled yet', () => {
  const order = ['principal', 'interest', 'fee', 'penalty', 'late_fee'] as const;
  const scenario = paid(treated('settles_next', { chargeOrder: order }), 100_00n);
  // 100.00 of the 600.00 are repaid before the second period begins: thirty days of 500.00.
  expect(plan(scenario)).toEqual([
    [1, 300_00n, 9_00n],
    [2, 300_00n, 5_00n],
    [3, 300_00n, 3_00n],
  ]);
});

test('early money for all principal ends the plan, and later periods charge nothing', () => {
  const loan = given(treated('reduces_principal'), received('2026-01-10', 310_44n));
  const scenario = loan.when(received('2026-02-15', 306_96n + 300_00n, { reference: 'r' }));
  expect(scenario.state()).toBe('closed');
  expect(scenario.allocation('r')).toMatchObject({ surplus: 0n, shares: [{ early: 300_00n, discharged: true }] });
  // Before the second instalment can be settled ahead, both that are left are principal ahead.
  expect(loan.when(received('2026-01-31', 600_00n, { reference: 'r' })).state()).toBe('closed');
});

test('when early money ends the plan, the running period owes what has accrued', () => {
  const single = given(issued({ termPeriods: 1 }), received('2026-01-16', 902_00n, { reference: 'r' }));
  expect(single.allocation('r').shares).toMatchObject([
    { early: 900_00n, lines: [{ charge: 'interest', amount: 1_72n, tax: 28n }] },
  ]);
  expect(single.owes('2026-03-01')).toEqual({ interest: 2_78n, tax: 44n });
  expect(single.loan().periods[0]?.dueOn).toBe(dayOf('2026-01-16'));
});

test('after an acceleration no money is early', () => {
  const scenario = given(issued(), accelerated('2026-02-05'), received('2026-02-05', 2_000_00n, { reference: 'r' }));
  expect(scenario.allocation('r').shares[0]?.early).toBe(0n);
  expect(scenario.allocation('r').surplus).toBeGreaterThan(0n);
});

test('early money pays no more than what is left of a running settlement', () => {
  const scenario = given(
    treated('reduces_principal'),
    settledForLess('2026-01-10', 400_00n, '2026-01-20'),
    received('2026-01-16', 500_00n, { reference: 'r' }),
  );
  expect(scenario.loan().paid).toBe(400_00n);
  expect(scenario.allocation('r')).toMatchObject({ excess: { amount: 100_00n } });
});

/** 1,000.00 for thirty days at 120 %: 3.33 a day. */
const payday = (more: IssuanceExample['product'] = {}) =>
  issued({
    principal: 1_000_00n,
    termPeriods: 1,
    rate: '120',
    product: { archetype: 'payday', amortisation: 'level_payment', treatment: 'reduces_principal', ...more },
  });

test('early money on a payday Loan pays the fee and the accrued interest before principal', () => {
  const scenario = given(
    payday({ originationFee: 10_00n as Minor }),
    received('2026-01-16', 200_00n, { reference: 'r' }),
  );
  expect(scenario.allocation('r').shares).toMatchObject([
    {
      lines: [
        { charge: 'interest', amount: 50_00n, tax: 8_00n },
        { charge: 'fee', amount: 10_00n, tax: 1_60n },
      ],
      early: 130_40n,
    },
  ]);
  expect(scenario.owes('2026-01-16')).toEqual({ principal: 869_60n });
  // Fifteen days more on what is left.
  expect(scenario.owes('2026-01-31').interest).toBe(43_48n);
});

test('early money below the accrued interest of a payday Loan pays no principal', () => {
  const scenario = given(payday(), received('2026-01-16', 29_00n, { reference: 'r' }));
  expect(scenario.allocation('r').shares).toMatchObject([
    { lines: [{ charge: 'interest', amount: 25_00n, tax: 4_00n }], early: 0n },
  ]);
  expect(scenario.owes('2026-01-31')).toMatchObject({ principal: 1_000_00n, interest: 75_00n });
});

test('early money for the principal and the accrued interest closes a payday Loan', () => {
  const scenario = given(payday(), received('2026-01-16', 1_058_00n, { reference: 'r' }));
  expect(scenario.state()).toBe('closed');
  expect(scenario.allocation('r')).toMatchObject({ surplus: 0n, shares: [{ early: 1_000_00n, discharged: true }] });
});

test('early money goes Loan by Loan, in the order of their next instalments', () => {
  const later = issued({ loan: 'A', anchor: '2026-01-10' });
  const sooner = issued({ loan: 'B', anchor: '2026-01-05' });
  const scenario = given(later, sooner, received('2026-01-12', 310_44n * 2n + 50_00n, { reference: 'r' }));
  const early = scenario.allocation('r').shares.map((share) => [share.order, share.early]);
  expect(early).toContainEqual([1, 50_00n]);
  expect(early).toContainEqual([0, 0n]);
});

test('law: under every treatment early money never raises what is to pay, and all principal is paid once', () => {
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
        const scenario = given(loan, received(dayAfter(day), amount, { reference: 'r' }));
        const charged = (each: Scenario) =>
          each.loan().periods.reduce((sum, { alive, interest }) => (alive ? sum + interest.charged : sum), 0n);
        expect(charged(scenario)).toBeLessThanOrEqual(charged(given(loan)));
        const principal = scenario
          .loan()
          .periods.reduce(
            (sum, { principal: line }) => sum + line.charged,
            scenario.allocation('r').shares[0]?.early ?? 0n,
          );
        expect(principal).toBe(900_00n);
      },
    ),
  );
});

test('two part payments of the next period lower its balance, each from its own day', () => {
  const order = ['principal', 'interest', 'fee', 'penalty', 'late_fee'] as const;
  const scenario = given(
    treated('settles_next', { chargeOrder: order }),
    received('2026-01-16', 410_44n),
    received('2026-02-15', 60_00n),
  );
  // Fifteen days of 500.00, then fifteen of 440.00.
  expect(plan(scenario)[1]).toEqual([2, 300_00n, 2_50n + 2_20n]);
});
