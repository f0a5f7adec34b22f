import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { money } from '#libs/ledger/answers/figures.ts';
import { given, issued, received, settledForLess } from '#libs/ledger/testing/scenario.ts';
import { aLaterDay, lent } from '#test/properties/lent.ts';

test('a settlement is for less than the debt of its day', () => {
  const loan = given(issued());
  expect(loan.when(settledForLess('2026-01-31', 910_44n)).refusal).toMatchObject({
    code: 'settlement_not_less',
    details: { bound: money(910_44n, 'MXN'), observed: money(910_44n, 'MXN') },
  });
  expect(loan.when(settledForLess('2026-01-31', 910_43n)).refused).toBeUndefined();
});

test('it does not end before it begins', () => {
  expect(given(issued()).when(settledForLess('2026-02-10', 500_00n, '2026-02-09')).refusal).toMatchObject({
    code: 'invalid_event',
    details: { bound: '2026-02-10', observed: '2026-02-09' },
  });
});

test('the sum, paid in its time, discharges the debt; what the Receipt has left is owed back under the settlement', () => {
  const agreed = given(issued(), settledForLess('2026-02-05', 500_00n, '2026-02-20'));
  const half = agreed.when(received('2026-02-05', 200_00n, { reference: 'first' }));
  expect(half.state()).toBe('active');
  const paid = half.when(received('2026-02-20', 350_00n, { reference: 'second' }));
  expect(paid.state()).toBe('closed');
  expect(paid.placed('second')).toMatchObject({
    surplus: 0n,
    excess: { settlement: 'settled_for_less', amount: 50_00n },
  });
  expect(paid.owedBack).toBe(50_00n);
  expect(paid.owes('2026-02-20')).toEqual({});
});

test('not reached in time it lapses, and the money was ordinary', () => {
  const agreed = given(issued(), settledForLess('2026-02-05', 500_00n, '2026-02-20'), received('2026-02-10', 200_00n));
  const late = agreed.when(received('2026-02-21', 300_00n));
  expect(late.state()).toBe('active');
  expect(late.owes('2026-02-21').principal).toBeGreaterThan(0n);
});

test('while it runs the payoff quotes what is left of it; before and after, the debt', () => {
  const agreed = given(issued(), settledForLess('2026-02-05', 500_00n, '2026-02-20'), received('2026-02-10', 200_00n));
  const sum = (owes: object) => Object.values(owes).reduce((total: bigint, each: bigint) => total + each, 0n);
  expect(sum(agreed.quoted('2026-02-20'))).toBe(300_00n);
  expect(agreed.quoted('2026-02-04')).toEqual(agreed.owes('2026-02-04'));
  expect(agreed.quoted('2026-02-21')).toEqual(agreed.owes('2026-02-21'));
});

test('a second settlement replaces the first', () => {
  const agreed = given(
    issued(),
    settledForLess('2026-02-05', 500_00n, '2026-02-20'),
    settledForLess('2026-02-06', 400_00n, '2026-02-20', { event: 'second' }),
  );
  expect(agreed.when(received('2026-02-10', 400_00n)).state()).toBe('closed');
});

test('a sum agreed that accrued interest alone takes up discharges a payday Loan all the same', () => {
  const loan = given(issued({ principal: 1_000_00n, termPeriods: 1, rate: '120', product: { archetype: 'payday' } }));
  const agreed = loan.when(settledForLess('2026-01-10', 30_00n));
  // Nine days have accrued 30.00 and its tax of 4.80, before the period's day.
  expect(agreed.owes('2026-01-10')).toEqual({ principal: 1_000_00n, interest: 30_00n, tax: 4_80n });
  const paid = agreed.when(received('2026-01-10', 40_00n));
  expect(paid.state()).toBe('closed');
  expect(paid.owes('2026-01-10')).toEqual({});
  expect(paid.owedBack).toBe(10_00n);
});

test('law: the Loan takes exactly what was agreed and is discharged, and the rest of the Receipt goes back', () => {
  fc.assert(
    fc.property(lent, aLaterDay, fc.bigInt(1n, 99n), fc.bigInt(0n, 10_000n), (loan, on, percent, more) => {
      const debt = loan.told.debt(on);
      const sum = (debt * percent) / 100n;
      if (sum === 0n) return;
      const paid = loan.told.when(settledForLess(on, sum)).when(received(on, sum + more));
      expect(paid.state()).toBe('closed');
      expect(paid.loan().paid).toBe(loan.told.loan().paid + sum);
      expect(paid.owedBack).toBe(loan.told.owedBack + more);
      expect(paid.owes(on)).toEqual({});
    }),
  );
});
