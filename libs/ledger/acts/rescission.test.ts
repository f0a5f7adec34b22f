import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { issued, received, rescinded } from '#libs/ledger/testing/facts.ts';
import { given } from '#libs/ledger/testing/scenario.ts';
import { aLaterDay, dayAfter, randomLoan } from '#test/properties/random-loan.ts';

test('a rescinded Loan owes nothing from that day on, and what it received goes back', () => {
  const loan = given(issued(), received('2026-01-31', 310_44n));
  const after = loan.when(rescinded('2026-02-05'));
  expect(after.state()).toBe('rescinded');
  expect(after.owes('2026-02-04')).toEqual(loan.owes('2026-02-04'));
  expect(after.owes('2026-02-05')).toEqual({});
  expect(after.owedBack).toBe(310_44n);
});

test('money of the day of a rescission does not reach the Loan', () => {
  const after = given(issued(), rescinded('2026-02-05'), received('2026-02-05', 50_00n, { reference: 'r' }));
  expect(after.allocation('r').surplus).toBe(50_00n);
  expect(after.loan().paid).toBe(0n);
});

test('law: everything paid on a rescinded Loan goes back, and it owes nothing', () => {
  fc.assert(
    fc.property(randomLoan, aLaterDay, fc.nat(200), (loan, on, later) => {
      const after = loan.scenario.when(rescinded(on));
      expect(after).toBeAdmitted();
      expect(after.owedBack).toBe(loan.totalPaid);
      const readOn = dayAfter(300 + later);
      expect(after.owes(readOn)).toEqual({});
      expect(after.overdue(readOn)).toEqual({});
    }),
  );
});
