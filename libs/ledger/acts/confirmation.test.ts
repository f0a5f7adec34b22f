import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { confirmed, issued, received, retracted, suspended, voided } from '#libs/ledger/testing/facts.ts';
import { given } from '#libs/ledger/testing/scenario.ts';
import { dayAfter } from '#test/properties/random-loan.ts';

const held = issued({ holdUntil: '2026-01-20' });

test('a held Loan charges nothing and receives no money', () => {
  const loan = given(held);
  expect(loan.state()).toBe('held');
  expect(loan.owes('2026-02-10')).toEqual({});
  expect(loan.when(received('2026-01-10', 5_00n)).owedBack).toBe(5_00n);
  expect(loan.when(received('2026-01-10', 5_00n, { loan: 'L' }))).toBeRefused('loan_held');
  expect(loan.when(suspended('2026-01-10', '2026-01-11'))).toBeRefused('loan_held');
});

test('a Loan can be confirmed until the last day of its hold', () => {
  expect(given(held).when(confirmed('2026-01-20')).state()).toBe('active');
  expect(given(held).when(confirmed('2026-01-21'))).toBeRefused('hold_expired', {
    bound: '2026-01-20',
    observed: '2026-01-21',
  });
});

test('a confirmed Loan is in force from that day, with its plan as issued and interest since the anchor', () => {
  const after = given(held).when(confirmed('2026-01-16'));
  expect(after.owes('2026-01-15')).toEqual({});
  expect(after.owes('2026-01-16')).toEqual({ principal: 900_00n, interest: 4_50n, tax: 72n });
  expect(after.overdue('2026-01-31')).toEqual(given(issued()).overdue('2026-01-31'));
});

test('a Loan without a hold, or confirmed before, can be neither confirmed nor voided', () => {
  for (const loan of [given(issued()), given(held, confirmed('2026-01-10'))]) {
    expect(loan.when(confirmed('2026-01-12', { event: 'again' }))).toBeRefused('not_held');
    expect(loan.when(voided('2026-01-12'))).toBeRefused('not_held');
  }
});

test('days before the confirmation never count as past due', () => {
  const late = given(issued({ holdUntil: '2026-01-31', product: { holdDays: 60 } }), confirmed('2026-01-31'));
  expect(late.owes('2026-02-02').penalty).toBe(60n);
  const later = given(issued({ holdUntil: '2026-02-10', product: { holdDays: 60 } }), confirmed('2026-02-10'));
  expect(later.owes('2026-02-12').penalty).toBe(60n);
});

test('an act dated before the confirmation is refused, because the Loan was held then', () => {
  const after = given(held, confirmed('2026-01-16'));
  expect(after.when(suspended('2026-01-15', '2026-01-18'))).toBeRefused('loan_held');
  expect(after.when(suspended('2026-01-16', '2026-01-18'))).toBeAdmitted();
});

test('a Loan is held again once its confirmation is retracted', () => {
  expect(given(held, confirmed('2026-01-16')).when(retracted('2026-01-17', 'confirmed')).state()).toBe('held');
});

test('law: a held Loan owes nothing before its confirmation, and then what it would owe without a hold', () => {
  const days = fc.tuple(fc.integer({ min: 0, max: 30 }), fc.nat(90));
  fc.assert(
    fc.property(days, ([on, readOn]) => {
      const loan = given(issued({ holdUntil: '2026-01-31' }), confirmed(dayAfter(on)));
      const free = given(issued());
      expect(loan.owes(dayAfter(readOn))).toEqual(readOn < on ? {} : free.owes(dayAfter(readOn)));
    }),
  );
});
