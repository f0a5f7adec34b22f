import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { confirmed, given, issued, received, retracted, suspended, voided } from '#libs/ledger/testing/scenario.ts';
import { dayAfter } from '#test/properties/lent.ts';

const held = issued({ holdUntil: '2026-01-20' });

test('a held Loan charges nothing and takes no money', () => {
  const loan = given(held);
  expect(loan.state()).toBe('held');
  expect(loan.owes('2026-02-10')).toEqual({});
  expect(loan.when(received('2026-01-10', 5_00n)).owedBack).toBe(5_00n);
  expect(loan.when(received('2026-01-10', 5_00n, { loan: 'L' })).refused).toBe('loan_held');
  expect(loan.when(suspended('2026-01-10', '2026-01-11')).refused).toBe('loan_held');
});

test('it is confirmed until the last day of its hold', () => {
  expect(given(held).when(confirmed('2026-01-20')).state()).toBe('active');
  expect(given(held).when(confirmed('2026-01-21')).refusal).toMatchObject({
    code: 'hold_expired',
    details: { bound: '2026-01-20', observed: '2026-01-21' },
  });
});

test('once confirmed it stands from that day, with its interest since the anchor and its plan as issued', () => {
  const after = given(held).when(confirmed('2026-01-16'));
  expect(after.owes('2026-01-15')).toEqual({});
  expect(after.owes('2026-01-16')).toEqual({ principal: 900_00n, interest: 4_50n, tax: 72n });
  expect(after.overdue('2026-01-31')).toEqual(given(issued()).overdue('2026-01-31'));
});

test('a Loan without a hold, or confirmed already, is not confirmed nor voided', () => {
  for (const loan of [given(issued()), given(held, confirmed('2026-01-10'))]) {
    expect(loan.when(confirmed('2026-01-12', { event: 'again' })).refused).toBe('not_held');
    expect(loan.when(voided('2026-01-12')).refused).toBe('not_held');
  }
});

test('days before a confirmation never count as past due', () => {
  const late = given(issued({ holdUntil: '2026-01-31', product: { holdDays: 60 } }), confirmed('2026-01-31'));
  expect(late.owes('2026-02-02').penalty).toBe(60n);
  const later = given(issued({ holdUntil: '2026-02-10', product: { holdDays: 60 } }), confirmed('2026-02-10'));
  expect(later.owes('2026-02-12').penalty).toBe(60n);
});

test('an act dated before the confirmation finds the Loan held', () => {
  const after = given(held, confirmed('2026-01-16'));
  expect(after.when(suspended('2026-01-15', '2026-01-18')).refused).toBe('loan_held');
  expect(after.when(suspended('2026-01-16', '2026-01-18')).refused).toBeUndefined();
});

test('a withdrawn confirmation leaves the Loan held', () => {
  expect(given(held, confirmed('2026-01-16')).when(retracted('2026-01-17', 'confirmed')).state()).toBe('held');
});

test('law: on every day before its confirmation a Loan owes nothing, from then on what it owes without a hold', () => {
  const days = fc.tuple(fc.integer({ min: 0, max: 30 }), fc.nat(90));
  fc.assert(
    fc.property(days, ([on, asked]) => {
      const loan = given(issued({ holdUntil: '2026-01-31' }), confirmed(dayAfter(on)));
      const free = given(issued());
      expect(loan.owes(dayAfter(asked))).toEqual(asked < on ? {} : free.owes(dayAfter(asked)));
    }),
  );
});
