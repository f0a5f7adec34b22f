import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { cancelled, issued, received, retracted, reversed } from '#libs/ledger/testing/facts.ts';
import { given } from '#libs/ledger/testing/scenario.ts';
import { dayAfter } from '#test/properties/random-loan.ts';

test('a Loan that received money cannot be cancelled until that money is reversed', () => {
  const paid = given(issued(), received('2026-01-10', 1_00n, { reference: 'r' }));
  expect(paid.when(cancelled('2026-01-05'))).toBeRefused('loan_has_receipts');
  expect(paid.when(reversed('r')).when(cancelled('2026-01-05'))).toBeAdmitted();
});

test('a cancelled Loan charges nothing from its anchor on, and charges again once the cancellation is retracted', () => {
  const loan = given(issued());
  const after = loan.when(cancelled('2026-02-10'));
  expect(after.state()).toBe('cancelled');
  expect(after.owes('2026-01-01')).toEqual({});
  expect(after.owes('2026-02-05')).toEqual({});
  const again = after.when(retracted('2026-02-11', 'cancelled'));
  expect(again.owes('2026-02-05')).toEqual(loan.owes('2026-02-05'));
});

test('law: money reported after a cancellation goes back in full, whatever its day', () => {
  fc.assert(
    fc.property(fc.nat(100), fc.nat(100), fc.bigInt(1n, 1_000_000n), (day, value, amount) => {
      const after = given(issued(), cancelled(dayAfter(day)), received(dayAfter(value), amount));
      expect(after.owedBack).toBe(amount);
      expect(after.loan().paid).toBe(0n);
    }),
  );
});
