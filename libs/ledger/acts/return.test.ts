import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { money } from '#libs/ledger/answers/figures.ts';
import { given, issued, received, returned } from '#libs/ledger/testing/scenario.ts';
import { aLaterDay, lent } from '#test/properties/lent.ts';

test('a return above the principal is refused while nothing was received and nothing has fallen due', () => {
  const loan = given(issued());
  expect(loan.when(returned('2026-01-15', 900_00n)).refused).toBeUndefined();
  expect(loan.when(returned('2026-01-15', 900_01n)).refusal).toMatchObject({
    code: 'return_exceeds_principal',
    details: { bound: money(900_00n, 'MXN'), observed: money(900_01n, 'MXN') },
  });
});

test('once a period has fallen due, or money came, more than the principal may go back', () => {
  expect(given(issued()).when(returned('2026-01-31', 900_01n)).refused).toBeUndefined();
  expect(
    given(issued(), received('2026-01-10', 310_44n)).when(returned('2026-01-15', 900_01n)).refused,
  ).toBeUndefined();
  const bought = issued({ downPayment: 100_00n });
  expect(given(bought).when(returned('2026-01-15', 800_01n)).refused).toBeUndefined();
});

test('a payday Loan has no goods to return', () => {
  const payday = issued({ termPeriods: 1, product: { archetype: 'payday' } });
  expect(given(payday).when(returned('2026-01-15', 1n)).refused).toBe('return_not_provided');
  expect(given(payday).when(returned('2026-01-15', 900_01n)).refused).toBe('return_not_provided');
});

test('part of the goods goes back: what is left is planned over the periods left, at the interest of what is left', () => {
  const after = given(issued(), received('2026-01-31', 310_44n)).when(returned('2026-02-15', 300_00n));
  expect(after.owes('2026-02-15')).toEqual({ principal: 300_00n, interest: 300n, tax: 48n });
  // Fifteen days of 600.00 and fifteen of 300.00; then thirty of 150.00.
  expect(after.overdue('2026-03-02')).toEqual({ principal: 150_00n, interest: 450n, tax: 72n });
  expect(after.owes('2026-04-01')).toMatchObject({ principal: 300_00n, interest: 450n + 150n });
  expect(after.owedBack).toBe(0n);
});

test('all that has fallen due is unwound, or none of it', () => {
  const late = given(issued());
  const [ahead, matured] = [600_00n, 300_00n];
  expect(late.when(returned('2026-02-05', ahead + matured)).loan().returns).toMatchObject([
    { unwound: 900_00n, whole: true },
  ]);
  const short = late.when(returned('2026-02-05', ahead + matured - 1n));
  expect(short.loan().returns).toMatchObject([
    { unwound: ahead, principalOwedBack: 0n, beyond: 299_99n, whole: false },
  ]);
  expect(short.owes('2026-02-05').principal).toBe(matured);
});

test('after a whole return the running period ends, and what it has accrued is still owed', () => {
  const after = given(issued()).when(returned('2026-01-16', 900_00n));
  expect(after.owes('2026-03-01')).toMatchObject({ interest: 450n });
  expect(after.owes('2026-03-01').principal).toBeUndefined();
  expect(after.schedule('2026-03-01').periods.filter(({ alive }) => alive)).toHaveLength(1);
});

test('principal already paid goes back to the Client, with the interest paid ahead on goods that are gone', () => {
  // The first period is settled on 2026-01-10; from 2026-01-16 on the goods are gone: 15 days of 900.00 stay charged.
  const after = given(issued(), received('2026-01-10', 310_44n)).when(returned('2026-01-16', 900_00n));
  expect(after.loan().returns).toMatchObject([
    { unwound: 600_00n, principalOwedBack: 300_00n, interestOwedBack: 450n + 72n, beyond: 0n, whole: true },
  ]);
  expect(after.owedBack).toBe(300_00n + 522n);
  expect(after.state()).toBe('closed');
});

test('what an earlier return gave back is not given back twice', () => {
  const paid = given(issued(), received('2026-01-10', 310_44n), returned('2026-01-16', 900_00n));
  const again = paid.when(returned('2026-01-20', 50_00n, { event: 'again' }));
  expect(again.loan().returns[1]).toMatchObject({ unwound: 0n, principalOwedBack: 0n, beyond: 50_00n });
});

test('the down payment is principal received, and can go back', () => {
  const after = given(issued({ downPayment: 300_00n })).when(returned('2026-01-16', 700_00n));
  expect(after.loan().returns).toMatchObject([{ unwound: 600_00n, principalOwedBack: 100_00n, beyond: 0n }]);
});

test('a return on a closed Loan is owed back whole', () => {
  const closed = given(issued(), received('2026-01-01', 900_00n, { loan: 'L', payoff: true }));
  expect(closed.state()).toBe('closed');
  const after = closed.when(returned('2026-02-01', 100_00n));
  expect(after.owedBack).toBe(100_00n);
});

test('law: what a return unwinds, owes back and leaves beyond the Loan is its amount; no more principal goes back than came', () => {
  fc.assert(
    fc.property(lent, aLaterDay, fc.bigInt(1n, 6_000_000n), (loan, on, amount) => {
      const before = loan.told.owes(on).principal ?? 0n;
      const after = loan.told.when(returned(on, amount));
      if (after.refusal !== undefined) return;
      const [entry] = after.loan().returns;
      const { unwound = 0n, principalOwedBack = 0n, interestOwedBack = 0n, beyond = 0n } = entry ?? {};
      expect(unwound + principalOwedBack + beyond).toBe(amount);
      expect(principalOwedBack).toBeLessThanOrEqual(after.loan().principalReceived);
      expect(after.owes(on).principal ?? 0n).toBe(before - unwound);
      expect(principalOwedBack + interestOwedBack).toBeLessThanOrEqual(loan.paid);
      for (const each of [unwound, principalOwedBack, interestOwedBack, beyond])
        expect(each).toBeGreaterThanOrEqual(0n);
    }),
  );
});

test('with two periods paid ahead and all goods back, no interest is charged on a balance below nothing', () => {
  const ahead = given(
    issued({ product: { treatment: 'settles_next' } }),
    received('2026-01-10', 310_44n + 306_96n),
    returned('2026-01-16', 900_00n),
  );
  // Half of the first period's interest and all of the second's, each with its tax.
  expect(ahead.loan().returns).toMatchObject([
    { unwound: 300_00n, principalOwedBack: 600_00n, interestOwedBack: 4_50n + 72n + 6_00n + 96n, whole: true },
  ]);
});

test('interest that one return gave back is not given back by the next', () => {
  const once = given(issued(), received('2026-01-10', 310_44n), returned('2026-01-16', 300_00n));
  const again = once.when(returned('2026-01-21', 300_00n, { event: 'again' }));
  // Fifteen days at 300.00 less, then ten days at another 300.00 less.
  expect(again.loan().returns.map(({ interestOwedBack }) => interestOwedBack)).toEqual([1_50n + 24n, 1_00n + 16n]);
});

test('where nothing was left to unwind, nothing went back whole', () => {
  const closed = given(issued(), received('2026-01-01', 900_00n, { loan: 'L', payoff: true }));
  expect(closed.when(returned('2026-02-01', 100_00n)).loan().returns).toMatchObject([{ unwound: 0n, whole: false }]);
});

test('principal paid in part ahead bears no interest from that day on, though the interest of its period was settled whole', () => {
  // On 2026-01-16 the second period pays its interest of 6.00 and 293.04 of its principal; from 2026-01-31 it runs on 306.96.
  const ahead = given(issued({ product: { treatment: 'settles_next' } }), received('2026-01-16', 310_44n + 300_00n));
  const whole = ahead.when(returned('2026-02-10', 306_96n));
  expect(whole.loan().returns).toMatchObject([{ unwound: 306_96n, interestOwedBack: 4_98n + 80n, whole: true }]);
  const part = ahead.when(returned('2026-02-10', 100_00n));
  // Ten days of 306.96 and twenty of 206.96: 2.40 of the 6.00 stay.
  expect(part.loan().returns).toMatchObject([{ unwound: 100_00n, interestOwedBack: 3_60n + 58n }]);
});
