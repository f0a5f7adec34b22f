import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { confirmed, given, issued, received, retracted, suspended, voided } from '#libs/ledger/testing/scenario.ts';
import { dayAfter } from '#test/properties/lent.ts';

const held = issued({ holdUntil: '2026-01-20' });

test('a voided Loan never came to be', () => {
  const after = given(held).when(voided('2026-01-10'));
  expect(after.state()).toBe('voided');
  expect(after.when(confirmed('2026-01-11')).refused).toBe('loan_voided');
  expect(after.owes('2026-01-20')).toEqual({});
});

test('withdrawing that leaves it held, and it may be confirmed', () => {
  const again = given(held, voided('2026-01-10')).when(retracted('2026-01-11', 'voided'));
  expect(again.state()).toBe('held');
  expect(again.when(confirmed('2026-01-12')).state()).toBe('active');
});

test('what was done to a Loan voided since is no contradiction any more', () => {
  const unconfirmed = [
    confirmed('2026-01-10'),
    suspended('2026-01-10', '2026-01-12'),
    retracted('2026-01-13', 'confirmed'),
  ];
  expect(given(held, ...unconfirmed).anomalies()).toEqual([['suspended', 'loan_held']]);
  expect(given(held, ...unconfirmed, voided('2026-01-14')).anomalies()).toEqual([]);
});

test('only a held Loan is voided', () => {
  expect(given(issued()).when(voided('2026-01-10')).refused).toBe('not_held');
});

test('law: a voided Loan takes no money and asks for none, on any day', () => {
  fc.assert(
    fc.property(fc.nat(200), fc.nat(200), fc.bigInt(1n, 1_000_000n), (day, asked, amount) => {
      const after = given(held, voided(dayAfter(day)), received(dayAfter(asked), amount));
      expect(after.owedBack).toBe(amount);
      expect(after.owes(dayAfter(asked))).toEqual({});
    }),
  );
});
