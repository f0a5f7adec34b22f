import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ceded, given, issued, received, waived } from '#libs/ledger/testing/scenario.ts';
import { aLaterDay, dayAfter, lent } from '#test/properties/lent.ts';

test('the day of a cession is still quoted, and money of that day still pays; then the debt is the assignee’s', () => {
  const sold = given(issued(), ceded('2026-02-05'));
  expect(sold.owes('2026-02-05').principal).toBe(900_00n);
  expect(sold.owes('2026-02-06')).toEqual({});
  const paid = sold.when(received('2026-02-05', 100_00n, { reference: 'r' }));
  expect(paid.placed('r').surplus).toBe(0n);
  const late = sold.when(received('2026-02-06', 100_00n, { reference: 'late' }));
  expect(late.placed('late').surplus).toBe(100_00n);
});

test('after a cession the book no longer follows the debt', () => {
  const sold = given(issued(), ceded('2026-02-05'));
  expect(sold.state()).toBe('ceded');
  expect(sold.when(waived('2026-02-05', { period: 1, charge: 'interest', amount: 1n })).refused).toBe(
    'cession_in_force',
  );
  expect(sold.when(ceded('2026-02-05', { event: 'again' })).refused).toBe('already_ceded');
  expect(sold.when(received('2026-02-06', 1n, { loan: 'L' })).refused).toBe('cession_in_force');
});

test('law: a cession leaves every earlier day, and its own, as they were', () => {
  fc.assert(
    fc.property(lent, aLaterDay, fc.integer({ min: 0, max: 300 }), (loan, on, day) => {
      const sold = loan.told.when(ceded(on));
      if (sold.refused !== undefined) return;
      const asked = dayAfter(day);
      expect(sold.owes(asked)).toEqual(asked <= on ? loan.told.owes(asked) : {});
    }),
  );
});
