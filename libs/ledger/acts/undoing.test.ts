import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { given, issued, received, rescinded, withdrawn } from '#libs/ledger/testing/scenario.ts';
import { aLaterDay, dayAfter, lent } from '#test/properties/lent.ts';

const withRight = issued({ product: { withdrawalDays: 14 } });

test('an undone Loan owes nothing from the day on; the days before stay as they were', () => {
  const loan = given(issued(), received('2026-01-31', 310_44n));
  const after = loan.when(rescinded('2026-02-05'));
  expect(after.state()).toBe('rescinded');
  expect(after.owes('2026-02-04')).toEqual(loan.owes('2026-02-04'));
  expect(after.owes('2026-02-05')).toEqual({});
  expect(after.owedBack).toBe(310_44n);
});

test('money of the day does not reach it any more', () => {
  const after = given(issued(), rescinded('2026-02-05'), received('2026-02-05', 50_00n, { reference: 'r' }));
  expect(after.placed('r').surplus).toBe(50_00n);
  expect(after.loan().paid).toBe(0n);
});

test('the borrower withdraws as long as the product provides, its last day included', () => {
  const loan = given(withRight);
  expect(loan.when(withdrawn('2026-01-15')).refused).toBeUndefined();
  expect(loan.when(withdrawn('2026-01-15')).state()).toBe('withdrawn');
  expect(loan.when(withdrawn('2026-01-16')).refusal).toMatchObject({
    code: 'withdrawal_window_closed',
    details: { bound: '2026-01-15', observed: '2026-01-16' },
  });
});

test('a product without days to withdraw provides no withdrawal; the lender may still rescind', () => {
  expect(given(issued()).when(withdrawn('2026-01-01')).refused).toBe('withdrawal_not_provided');
  expect(given(issued()).when(withdrawn('2026-03-01')).refused).toBe('withdrawal_not_provided');
  expect(given(issued()).when(rescinded('2026-01-01')).refused).toBeUndefined();
});

test('law: everything that was paid on an undone Loan goes back, and nothing is asked', () => {
  fc.assert(
    fc.property(lent, aLaterDay, fc.nat(200), (loan, on, later) => {
      const after = loan.told.when(rescinded(on));
      expect(after.refused).toBeUndefined();
      expect(after.owedBack).toBe(loan.paid);
      const asked = dayAfter(300 + later);
      expect(after.owes(asked)).toEqual({});
      expect(after.overdue(asked)).toEqual({});
    }),
  );
});
