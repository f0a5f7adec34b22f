import { expect, test } from '@jest/globals';
import { issued, rescinded, withdrawn } from '#libs/ledger/testing/facts.ts';
import { given } from '#libs/ledger/testing/scenario.ts';

test('a borrower can withdraw up to the last day the product provides', () => {
  const loan = given(issued({ product: { withdrawalDays: 14 } }));
  expect(loan.when(withdrawn('2026-01-15'))).toBeAdmitted();
  expect(loan.when(withdrawn('2026-01-15')).state()).toBe('withdrawn');
  expect(loan.when(withdrawn('2026-01-16'))).toBeRefused('withdrawal_window_closed', {
    bound: '2026-01-15',
    observed: '2026-01-16',
  });
});

test('without withdrawal days a borrower cannot withdraw, but the lender can rescind', () => {
  expect(given(issued()).when(withdrawn('2026-01-01'))).toBeRefused('withdrawal_not_provided');
  expect(given(issued()).when(withdrawn('2026-03-01'))).toBeRefused('withdrawal_not_provided');
  expect(given(issued()).when(rescinded('2026-01-01'))).toBeAdmitted();
});
