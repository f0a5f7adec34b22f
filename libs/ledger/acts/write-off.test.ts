import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { issued, received, writtenOff } from '#libs/ledger/testing/facts.ts';
import { given } from '#libs/ledger/testing/scenario.ts';
import { aLaterDay, randomLoan } from '#test/properties/random-loan.ts';

test('the day of the write-off is the last one charged, and the debt of that day is its cost', () => {
  const after = given(issued()).when(writtenOff('2026-02-05'));
  expect(after.state()).toBe('written_off');
  const cost = { principal: 900_00n, interest: 10_00n, penalty: 1_50n, tax: 1_84n };
  expect(after.owes('2026-02-05')).toEqual(cost);
  expect(after.overdue('2027-02-05')).toEqual(cost);
  expect(after.loan().writeOff).toMatchObject({
    cost: { principal: { amount: 900_00n }, interest: { amount: 10_00n, tax: 1_60n } },
  });
});

test('money after a write-off counts as recovered: first what had fallen due, then the rest', () => {
  const after = given(issued(), writtenOff('2026-02-05')).when(
    received('2026-03-01', 312_18n + 5_00n, { reference: 'r' }),
  );
  expect(after.loan().writeOff?.recovered).toBe(317_18n);
  expect(after.allocation('r').shares[0]?.lines.map(({ period, charge }) => [period, charge])).toEqual([
    [1, 'principal'],
    [1, 'interest'],
    [1, 'penalty'],
    [4, 'principal'],
    [4, 'interest'],
  ]);
});

test('a write-off is refused if a fact is recorded on its day or later', () => {
  const paid = given(issued(), received('2026-02-05', 1_00n));
  expect(paid.when(writtenOff('2026-02-05'))).toBeRefused('invalid_event', {
    bound: '2026-02-05',
    observed: '2026-02-05',
  });
  expect(paid.when(writtenOff('2026-02-06'))).toBeAdmitted();
});

test('law: a written-off debt stays owed at its cost until money comes, and all of that money is recovered', () => {
  fc.assert(
    fc.property(randomLoan, aLaterDay, fc.bigInt(1n, 1_000_000n), (loan, on, amount) => {
      const cost = loan.scenario.owes(on);
      const off = loan.scenario.when(writtenOff(on));
      if (off.refusal?.code !== undefined) return;
      expect(off.owes('2030-01-01')).toEqual(cost);
      const after = off.when(received('2030-01-01', amount));
      const recovered = after.loan().writeOff?.recovered ?? 0n;
      expect(recovered + after.owedBack).toBe(amount + off.owedBack);
      expect(after.debt('2030-01-01')).toBe(off.debt('2030-01-01') - recovered);
    }),
  );
});
