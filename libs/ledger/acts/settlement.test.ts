import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { moneyFigure } from '#libs/ledger/answers/amounts-json.ts';
import { issued, received, settledForLess } from '#libs/ledger/testing/facts.ts';
import { given } from '#libs/ledger/testing/scenario.ts';
import { aLaterDay, randomLoan } from '#test/properties/random-loan.ts';

test('a settlement must be for less than the debt of its day', () => {
  const loan = given(issued());
  expect(loan.when(settledForLess('2026-01-31', 910_44n))).toBeRefused('settlement_not_less', {
    bound: moneyFigure(910_44n, 'MXN'),
    observed: moneyFigure(910_44n, 'MXN'),
  });
  expect(loan.when(settledForLess('2026-01-31', 910_43n))).toBeAdmitted();
});

test('a settlement that ends before it begins is refused', () => {
  expect(given(issued()).when(settledForLess('2026-02-10', 500_00n, '2026-02-09'))).toBeRefused('invalid_event', {
    bound: '2026-02-10',
    observed: '2026-02-09',
  });
});

test('the agreed sum paid in time discharges the debt, and the rest of the Receipt is owed back under the settlement', () => {
  const agreed = given(issued(), settledForLess('2026-02-05', 500_00n, '2026-02-20'));
  const half = agreed.when(received('2026-02-05', 200_00n, { reference: 'first' }));
  expect(half.state()).toBe('active');
  const paid = half.when(received('2026-02-20', 350_00n, { reference: 'second' }));
  expect(paid.state()).toBe('closed');
  expect(paid.allocation('second')).toMatchObject({
    surplus: 0n,
    excess: { settlement: 'settled_for_less', amount: 50_00n },
  });
  expect(paid.owedBack).toBe(50_00n);
  expect(paid.owes('2026-02-20')).toEqual({});
});

test('a settlement not paid in time lapses, and its payments count as ordinary ones', () => {
  const agreed = given(issued(), settledForLess('2026-02-05', 500_00n, '2026-02-20'), received('2026-02-10', 200_00n));
  const late = agreed.when(received('2026-02-21', 300_00n));
  expect(late.state()).toBe('active');
  expect(late.owes('2026-02-21').principal).toBeGreaterThan(0n);
});

test('while a settlement runs the payoff quotes what is left of it; before and after, the debt', () => {
  const agreed = given(issued(), settledForLess('2026-02-05', 500_00n, '2026-02-20'), received('2026-02-10', 200_00n));
  const sum = (owes: object) => Object.values(owes).reduce((total: bigint, each: bigint) => total + each, 0n);
  expect(sum(agreed.quotedPayoff('2026-02-20'))).toBe(300_00n);
  expect(agreed.quotedPayoff('2026-02-04')).toEqual(agreed.owes('2026-02-04'));
  expect(agreed.quotedPayoff('2026-02-21')).toEqual(agreed.owes('2026-02-21'));
});

test('a second settlement replaces the first', () => {
  const agreed = given(
    issued(),
    settledForLess('2026-02-05', 500_00n, '2026-02-20'),
    settledForLess('2026-02-06', 400_00n, '2026-02-20', { event: 'second' }),
  );
  expect(agreed.when(received('2026-02-10', 400_00n)).state()).toBe('closed');
});

test('an agreed sum discharges a payday Loan even if accrued interest uses it up', () => {
  const loan = given(issued({ principal: 1_000_00n, termPeriods: 1, rate: '120', product: { archetype: 'payday' } }));
  const agreed = loan.when(settledForLess('2026-01-10', 30_00n));
  // Nine days have accrued 30.00 and its tax of 4.80, before the period's day.
  expect(agreed.owes('2026-01-10')).toEqual({ principal: 1_000_00n, interest: 30_00n, tax: 4_80n });
  const paid = agreed.when(received('2026-01-10', 40_00n));
  expect(paid.state()).toBe('closed');
  expect(paid.owes('2026-01-10')).toEqual({});
  expect(paid.owedBack).toBe(10_00n);
});

test('law: a settled Loan takes exactly the agreed sum, and the rest of the Receipt goes back', () => {
  fc.assert(
    fc.property(randomLoan, aLaterDay, fc.bigInt(1n, 99n), fc.bigInt(0n, 10_000n), (loan, on, percent, more) => {
      const debt = loan.scenario.debt(on);
      const sum = (debt * percent) / 100n;
      if (sum === 0n) return;
      const paid = loan.scenario.when(settledForLess(on, sum)).when(received(on, sum + more));
      expect(paid.state()).toBe('closed');
      expect(paid.loan().paid).toBe(loan.scenario.loan().paid + sum);
      expect(paid.owedBack).toBe(loan.scenario.owedBack + more);
      expect(paid.owes(on)).toEqual({});
    }),
  );
});
