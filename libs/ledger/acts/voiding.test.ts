import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { confirmed, issued, received, retracted, suspended, voided } from '#libs/ledger/testing/facts.ts';
import { given } from '#libs/ledger/testing/scenario.ts';
import { dayAfter } from '#test/properties/random-loan.ts';

const held = issued({ holdUntil: '2026-01-20' });

test('a voided Loan owes nothing and receives no money', () => {
  const after = given(held).when(voided('2026-01-10'));
  expect(after.state()).toBe('voided');
  expect(after.when(confirmed('2026-01-11'))).toBeRefused('loan_voided');
  expect(after.owes('2026-01-20')).toEqual({});
});

test('a Loan is held again once its voiding is retracted, and can be confirmed', () => {
  const again = given(held, voided('2026-01-10')).when(retracted('2026-01-11', 'voided'));
  expect(again.state()).toBe('held');
  expect(again.when(confirmed('2026-01-12')).state()).toBe('active');
});

test('acts on a Loan that is voided later are no anomalies any more', () => {
  const unconfirmed = [
    confirmed('2026-01-10'),
    suspended('2026-01-10', '2026-01-12'),
    retracted('2026-01-13', 'confirmed'),
  ];
  expect(given(held, ...unconfirmed).anomalies()).toEqual([['suspended', 'loan_held']]);
  expect(given(held, ...unconfirmed, voided('2026-01-14')).anomalies()).toEqual([]);
});

test('only a held Loan can be voided', () => {
  expect(given(issued()).when(voided('2026-01-10'))).toBeRefused('not_held');
});

test('law: a voided Loan receives no money and owes nothing on any day', () => {
  fc.assert(
    fc.property(fc.nat(200), fc.nat(200), fc.bigInt(1n, 1_000_000n), (day, readOn, amount) => {
      const after = given(held, voided(dayAfter(day)), received(dayAfter(readOn), amount));
      expect(after.owedBack).toBe(amount);
      expect(after.owes(dayAfter(readOn))).toEqual({});
    }),
  );
});
