import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type IssuanceExample, issued, received, returned, reversed, rolledOver } from '#libs/ledger/testing/facts.ts';
import { given } from '#libs/ledger/testing/scenario.ts';
import { MAX_AMOUNT, type Minor } from '#libs/money/minor.ts';
import { dayAfter } from '#test/properties/random-loan.ts';

/** 1,000.00 for thirty days at 120 %: interest 100.00 with tax 16.00, due on 2026-01-31. */
const issuedAt = (stated: IssuanceExample, more: IssuanceExample['product'] = {}) =>
  issued({
    principal: 1_000_00n,
    termPeriods: 1,
    rate: '120',
    ...stated,
    product: {
      archetype: 'payday',
      amortisation: 'level_payment',
      maxRollovers: 1,
      rolloverFee: 20_00n as Minor,
      ...more,
    },
  });

const payday = (more: IssuanceExample['product'] = {}) => issuedAt({}, more);

test('an instalment Loan cannot be rolled over', () => {
  expect(given(issued()).when(rolledOver('2026-01-31'))).toBeRefused('rollover_not_provided');
});

test('a payday Loan can be rolled over once everything but its principal is paid, also with money of that day', () => {
  const unpaid = given(payday());
  expect(unpaid.when(rolledOver('2026-01-31'))).toBeRefused('rollover_unpaid');
  const short = given(payday(), received('2026-01-31', 115_99n));
  expect(short.when(rolledOver('2026-01-31'))).toBeRefused('rollover_unpaid');
  const after = given(payday(), received('2026-01-31', 116_00n)).when(rolledOver('2026-01-31'));
  expect(after).toBeAdmitted();
  expect(after.overdue('2026-02-28')).toEqual({});
  expect(after.overdue('2026-03-02')).toEqual({
    principal: 1_000_00n,
    interest: 100_00n,
    fee: 20_00n,
    tax: 16_00n + 3_20n,
  });
});

test('the new period has the next index and its own fee, and can be paid from the day of the rollover', () => {
  const after = given(payday(), received('2026-01-31', 116_00n)).when(rolledOver('2026-01-31'));
  const { periods } = after.schedule('2026-01-31');
  expect(periods.map(({ index, alive, origin }) => ({ index, alive, origin }))).toEqual([
    { index: 1, alive: false, origin: 'issued' },
    { index: 2, alive: true, origin: 'rolled_over' },
  ]);
  expect(periods[1]).toMatchObject({ actionable_from: '2026-01-31', due_on: '2026-03-02' });
});

test('a rollover beyond the number the product provides is refused', () => {
  const once = given(payday(), received('2026-01-31', 116_00n), rolledOver('2026-01-31'));
  const paid = once.when(received('2026-03-02', 139_20n));
  expect(paid.when(rolledOver('2026-03-02', { event: 'second' }))).toBeRefused('rollovers_exhausted', {
    bound: 1,
    observed: 2,
  });
});

test('of more rollovers than the product provides, the later one has no effect and is an anomaly', () => {
  const unpaid = given(payday(), received('2026-01-31', 116_00n, { reference: 'r' }), rolledOver('2026-01-31'));
  const later = unpaid.when(reversed('r')).when(received('2026-02-10', 127_60n));
  // Ten days of penalty on 1,000.00 at 36 %, with its tax, in addition to interest and its tax.
  expect(later.owes('2026-02-10')).toEqual({ principal: 1_000_00n });
  const second = later.when(rolledOver('2026-02-10', { event: 'second' }));
  expect(second).toBeAdmitted();
  const both = second.when(received('2026-01-31', 116_00n, { reference: 'again' }));
  expect(both.loan().rollovers).toMatchObject([{ event: 'rolled_over' }]);
  expect(both.anomalies()).toEqual([['second', 'rollovers_exhausted']]);
});

test('each rollover ends the running period and leaves earlier periods unchanged', () => {
  const twice = given(
    payday({ maxRollovers: 2 }),
    received('2026-01-31', 116_00n),
    rolledOver('2026-01-31'),
    received('2026-03-02', 139_20n),
    rolledOver('2026-03-02', { event: 'second' }),
  );
  expect(
    twice.schedule('2026-03-02').periods.map(({ index, alive, scheduled_on }) => [index, alive, scheduled_on]),
  ).toEqual([
    [1, false, '2026-01-31'],
    [2, false, '2026-03-02'],
    [3, true, '2026-04-01'],
  ]);
});

test('a period rolled over after its day keeps its day and its full interest', () => {
  const late = given(issuedAt({ penaltyRate: '0' }), received('2026-02-09', 116_00n), rolledOver('2026-02-10'));
  expect(late.schedule('2026-02-10').periods).toMatchObject([
    { scheduled_on: '2026-01-31', due_on: '2026-01-31', alive: false },
    { scheduled_on: '2026-03-12', actionable_from: '2026-02-10' },
  ]);
  expect(late.owedBack).toBe(0n);
});

test.each(['fee', 'penalty', 'late_fee', 'interest'] as const)(
  'a rollover is refused while one cent of %s is unpaid',
  (last) => {
    const others = (['fee', 'penalty', 'late_fee', 'interest'] as const).filter((charge) => charge !== last);
    const loan = given(
      payday({ originationFee: 10_00n as Minor, lateFee: 5_00n as Minor, chargeOrder: [...others, last, 'principal'] }),
    );
    const { principal = 0n } = loan.owes('2026-02-10');
    const otherDebt = loan.debt('2026-02-10') - principal;
    const short = loan.when(received('2026-02-10', otherDebt - 1n));
    expect(short.owes('2026-02-10')).toEqual({ principal, [last]: 1n });
    expect(short.when(rolledOver('2026-02-10'))).toBeRefused('rollover_unpaid');
    expect(loan.when(received('2026-02-10', otherDebt)).when(rolledOver('2026-02-10'))).toBeAdmitted();
  },
);

test('a rollover beyond the calendar or beyond the largest amount is refused', () => {
  const loan = given(issuedAt({ penaltyRate: '0' }), received('2026-01-31', 116_00n));
  expect(loan.when(rolledOver('2035-12-01'))).toBeAdmitted();
  expect(loan.when(rolledOver('2035-12-02'))).toBeRefused('beyond_horizon', {
    bound: '2035-12-31',
    observed: '2036-01-01',
  });
  // The rollover fee is added to ten less than the largest amount.
  const vast = (rolloverFee: bigint) =>
    given(
      issuedAt(
        { principal: MAX_AMOUNT - 10_00n, rate: '0', penaltyRate: '0', tax: { rate: '16', on: [] } },
        { rolloverFee: rolloverFee as Minor },
      ),
    );
  expect(vast(10_00n).when(rolledOver('2026-01-31'))).toBeAdmitted();
  expect(vast(10_01n).when(rolledOver('2026-01-31'))).toBeRefused('amount_out_of_range', { bound: Number(MAX_AMOUNT) });
});

test('a period rolled over before its day charges the interest accrued, and interest paid beyond it is owed back', () => {
  const early = given(payday(), received('2026-01-10', 116_00n, { reference: 'r' }));
  // Nine days at 3.33 a day are paid, the rest is principal ahead; ten days later ten more days are owed.
  expect(early.allocation('r').shares[0]?.early).toBe(116_00n - 30_00n - 4_80n);
  expect(early.when(rolledOver('2026-01-20'))).toBeRefused('rollover_unpaid');
  const next = given(
    payday({ treatment: 'settles_next' }),
    received('2026-01-10', 116_00n, { reference: 'r' }),
    rolledOver('2026-01-16'),
  );
  expect(next.loan().rollovers).toMatchObject([{ owedBack: 50_00n + 8_00n }]);
  expect(next.owedBack).toBe(58_00n);
});

test('a rollover whose payment was reversed has no effect and is an anomaly', () => {
  const rolled = given(payday(), received('2026-01-31', 116_00n, { reference: 'r' }), rolledOver('2026-01-31'));
  const after = rolled.when(reversed('r'));
  expect(after.anomalies()).toEqual([['rolled_over', 'rollover_unpaid']]);
  expect(after.loan().rollovers).toEqual([]);
  expect(after.overdue('2026-01-31')).toEqual({ principal: 1_000_00n, interest: 100_00n, tax: 16_00n });
});

test('a payday Loan without principal cannot be rolled over, and nothing of it can be returned', () => {
  const paid = given(payday(), received('2026-01-31', 1_116_00n));
  expect(paid.when(rolledOver('2026-02-01'))).toBeRefused('loan_closed');
  expect(given(payday()).when(returned('2026-01-15', 1n))).toBeRefused('return_not_provided');
});

test('law: a rollover moves all unpaid principal, whatever its day', () => {
  const days = fc.integer({ min: 1, max: 60 });
  fc.assert(
    fc.property(fc.bigInt(1_000n, 5_000_000n), days, (principal, day) => {
      const loan = given(
        issued({
          principal,
          termPeriods: 1,
          rate: '120',
          penaltyRate: '0',
          product: { archetype: 'payday', maxRollovers: 1, rolloverFee: 20_00n as Minor },
        }),
      );
      const on = dayAfter(day);
      const { principal: unpaid = 0n, ...beside } = loan.owes(on);
      const due = Object.values(beside).reduce((sum, each) => sum + each, 0n);
      const paid = due === 0n ? loan : loan.when(received(on, due));
      expect(paid.owes(on)).toEqual({ principal: unpaid });
      const after = paid.when(rolledOver(on));
      expect(after).toBeAdmitted();
      expect(after.owes(on)).toMatchObject({ principal: unpaid, fee: 20_00n });
      expect(after.owedBack).toBe(0n);
    }),
  );
});
