import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ceded, issued, received, waived } from '#libs/ledger/testing/facts.ts';
import { given } from '#libs/ledger/testing/scenario.ts';
import { aLaterDay, dayAfter, randomLoan } from '#test/properties/random-loan.ts';

test('on the day of a cession the debt is still quoted and paid; after it the debt is the assignee’s', () => {
  const sold = given(issued(), ceded('2026-02-05'));
  expect(sold.owes('2026-02-05').principal).toBe(900_00n);
  expect(sold.owes('2026-02-06')).toEqual({});
  const paid = sold.when(received('2026-02-05', 100_00n, { reference: 'r' }));
  expect(paid.allocation('r').surplus).toBe(0n);
  const late = sold.when(received('2026-02-06', 100_00n, { reference: 'late' }));
  expect(late.allocation('late').surplus).toBe(100_00n);
});

test('after a cession the book does not follow the debt any more', () => {
  const sold = given(issued(), ceded('2026-02-05'));
  expect(sold.state()).toBe('ceded');
  expect(sold.when(waived('2026-02-05', { period: 1, charge: 'interest', amount: 1n }))).toBeRefused(
    'cession_in_force',
  );
  expect(sold.when(ceded('2026-02-05', { event: 'again' }))).toBeRefused('already_ceded');
  expect(sold.when(received('2026-02-06', 1n, { loan: 'L' }))).toBeRefused('cession_in_force');
});

test('law: a cession changes nothing on its own day or before', () => {
  fc.assert(
    fc.property(randomLoan, aLaterDay, fc.integer({ min: 0, max: 300 }), (loan, on, day) => {
      const sold = loan.scenario.when(ceded(on));
      if (sold.refusal?.code !== undefined) return;
      const readOn = dayAfter(day);
      expect(sold.owes(readOn)).toEqual(readOn <= on ? loan.scenario.owes(readOn) : {});
    }),
  );
});
