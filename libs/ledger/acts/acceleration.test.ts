import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { accelerated, issued, received, suspended } from '#libs/ledger/testing/facts.ts';
import { given } from '#libs/ledger/testing/scenario.ts';
import { aLaterDay, randomLoan } from '#test/properties/random-loan.ts';

const strict = (acceleration: { forbidden?: boolean; missedPeriods?: number; noticeDays?: number }) =>
  issued({ product: { acceleration: { forbidden: false, missedPeriods: 1, noticeDays: 0, ...acceleration } } });

test('acceleration is refused where the law forbids it', () => {
  expect(given(strict({ forbidden: true })).when(accelerated('2026-02-10'))).toBeRefused('acceleration_forbidden');
});

test('acceleration needs as many late periods as the law requires, at the opening of the day', () => {
  const loan = given(strict({ missedPeriods: 2 }));
  expect(loan.when(accelerated('2026-03-02'))).toBeRefused('acceleration_unearned', { bound: 2, observed: 1 });
  expect(loan.when(accelerated('2026-03-03'))).toBeAdmitted();
});

test('acceleration needs at least one late period, even where the law requires none', () => {
  const loan = given(strict({ missedPeriods: 0 }));
  expect(loan.when(accelerated('2026-01-31'))).toBeRefused('acceleration_unearned');
  expect(loan.when(accelerated('2026-02-01'))).toBeAdmitted();
});

test('acceleration is refused on a suspended day, when nothing is late', () => {
  const loan = given(issued(), suspended('2026-02-05', '2026-02-10'));
  expect(loan.when(accelerated('2026-02-07'))).toBeRefused('acceleration_unearned');
  expect(loan.when(accelerated('2026-02-11'))).toBeAdmitted();
});

test('acceleration is possible from the last day of the notice on', () => {
  const loan = given(strict({ noticeDays: 10 }));
  expect(loan.when(accelerated('2026-02-14', '2026-02-05'))).toBeRefused('notice_too_short', {
    bound: '2026-02-15',
    observed: '2026-02-14',
  });
  expect(loan.when(accelerated('2026-02-15', '2026-02-05'))).toBeAdmitted();
});

test('a notice that ends after the year 9999 is refused with the last day that can be written', () => {
  expect(given(strict({ noticeDays: 10 })).when(accelerated('9999-12-31', '9999-12-30'))).toBeRefused(
    'notice_too_short',
    { bound: '9999-12-31', observed: '9999-12-31' },
  );
});

test('acceleration makes everything due on its day, as one period that can become late itself', () => {
  const after = given(issued()).when(accelerated('2026-02-05'));
  expect(after.overdue('2026-02-05')).toEqual(after.owes('2026-02-05'));
  expect(after.owes('2026-02-05')).toEqual({
    principal: 900_00n,
    interest: 9_00n + 1_00n,
    penalty: 1_50n,
    tax: 1_44n + 16n + 24n,
  });
  const called = after.loan().periods.at(-1);
  expect(called).toMatchObject({ index: 4, origin: 'called', dueOn: called?.scheduledOn });
  // From the next day on, the called 600.00 bear penalty in addition to the earlier 300.00.
  expect(after.owes('2026-02-06').penalty).toBe(1_50n + 90n);
});

test('money after an acceleration first pays what had fallen due before', () => {
  const after = given(issued(), accelerated('2026-02-05'), received('2026-02-05', 311_00n + 1_18n, { reference: 'r' }));
  expect(after.allocation('r').shares[0]?.lines.every(({ period }) => period === 1)).toBe(true);
  expect(after.owes('2026-02-05')).toEqual({ principal: 600_00n, interest: 1_00n, tax: 16n });
});

test('law: an acceleration changes when the debt is due, not how much it is on that day', () => {
  fc.assert(
    fc.property(randomLoan, aLaterDay, (loan, on) => {
      const after = loan.scenario.when(accelerated(on));
      expect(after.owes(on)).toEqual(loan.scenario.owes(on));
      if (after.refusal?.code === undefined) expect(after.overdue(on)).toEqual(after.owes(on));
    }),
  );
});
