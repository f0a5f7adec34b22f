import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { accelerated, given, issued, received, suspended } from '#libs/ledger/testing/scenario.ts';
import { aLaterDay, lent } from '#test/properties/lent.ts';

const strict = (acceleration: { forbidden?: boolean; missedPeriods?: number; noticeDays?: number }) =>
  issued({ product: { acceleration: { forbidden: false, missedPeriods: 1, noticeDays: 0, ...acceleration } } });

test('a debt is called only where the regime admits it', () => {
  expect(given(strict({ forbidden: true })).when(accelerated('2026-02-10')).refused).toBe('acceleration_forbidden');
});

test('as many periods as the regime names must be late as the day opens', () => {
  const loan = given(strict({ missedPeriods: 2 }));
  expect(loan.when(accelerated('2026-03-02')).refusal).toMatchObject({
    code: 'acceleration_unearned',
    details: { bound: 2, observed: 1 },
  });
  expect(loan.when(accelerated('2026-03-03')).refused).toBeUndefined();
});

test('at least one period must be late, even where the regime asks for none', () => {
  const loan = given(strict({ missedPeriods: 0 }));
  expect(loan.when(accelerated('2026-01-31')).refused).toBe('acceleration_unearned');
  expect(loan.when(accelerated('2026-02-01')).refused).toBeUndefined();
});

test('on a day that a suspension covers nothing is late, so nothing is called', () => {
  const loan = given(issued(), suspended('2026-02-05', '2026-02-10'));
  expect(loan.when(accelerated('2026-02-07')).refused).toBe('acceleration_unearned');
  expect(loan.when(accelerated('2026-02-11')).refused).toBeUndefined();
});

test('the notice runs whole: its last day is the first on which the debt may be called', () => {
  const loan = given(strict({ noticeDays: 10 }));
  expect(loan.when(accelerated('2026-02-14', '2026-02-05')).refusal).toMatchObject({
    code: 'notice_too_short',
    details: { bound: '2026-02-15', observed: '2026-02-14' },
  });
  expect(loan.when(accelerated('2026-02-15', '2026-02-05')).refused).toBeUndefined();
});

test('a notice that runs past the last day that can be written is told with that day', () => {
  expect(given(strict({ noticeDays: 10 })).when(accelerated('9999-12-31', '9999-12-30')).refusal).toMatchObject({
    code: 'notice_too_short',
    details: { bound: '9999-12-31', observed: '9999-12-31' },
  });
});

test('everything is due on the day, as one period of its own, and can become late itself', () => {
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
  // From the next day the called 600.00 bear penalty beside the 300.00 of before.
  expect(after.owes('2026-02-06').penalty).toBe(1_50n + 90n);
});

test('money after the call pays what had fallen due first', () => {
  const after = given(issued(), accelerated('2026-02-05'), received('2026-02-05', 311_00n + 1_18n, { reference: 'r' }));
  expect(after.placed('r').shares[0]?.lines.every(({ period }) => period === 1)).toBe(true);
  expect(after.owes('2026-02-05')).toEqual({ principal: 600_00n, interest: 1_00n, tax: 16n });
});

test('law: a call changes when a debt is due and not how much it is on that day', () => {
  fc.assert(
    fc.property(lent, aLaterDay, (loan, on) => {
      const after = loan.told.when(accelerated(on));
      expect(after.owes(on)).toEqual(loan.told.owes(on));
      if (after.refused === undefined) expect(after.overdue(on)).toEqual(after.owes(on));
    }),
  );
});
