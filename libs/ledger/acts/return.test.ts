import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { moneyFigure } from '#libs/ledger/answers/amounts-json.ts';
import { issued, received, returned } from '#libs/ledger/testing/facts.ts';
import { given } from '#libs/ledger/testing/scenario.ts';
import { aLaterDay, randomLoan } from '#test/properties/random-loan.ts';

test('a return above the principal is refused while nothing was received and nothing has fallen due', () => {
  const loan = given(issued());
  expect(loan.when(returned('2026-01-15', 900_00n))).toBeAdmitted();
  expect(loan.when(returned('2026-01-15', 900_01n))).toBeRefused('return_exceeds_principal', {
    bound: moneyFigure(900_00n, 'MXN'),
    observed: moneyFigure(900_01n, 'MXN'),
  });
});

test('once a period has ended or money came, a return may exceed the principal', () => {
  expect(given(issued()).when(returned('2026-01-31', 900_01n))).toBeAdmitted();
  expect(given(issued(), received('2026-01-10', 310_44n)).when(returned('2026-01-15', 900_01n))).toBeAdmitted();
  const bought = issued({ downPayment: 100_00n });
  expect(given(bought).when(returned('2026-01-15', 800_01n))).toBeAdmitted();
});

test('a return on a payday Loan is refused', () => {
  const payday = issued({ termPeriods: 1, product: { archetype: 'payday' } });
  expect(given(payday).when(returned('2026-01-15', 1n))).toBeRefused('return_not_provided');
  expect(given(payday).when(returned('2026-01-15', 900_01n))).toBeRefused('return_not_provided');
});

test('after a part return the rest of the principal is planned over the remaining periods', () => {
  const after = given(issued(), received('2026-01-31', 310_44n)).when(returned('2026-02-15', 300_00n));
  expect(after.owes('2026-02-15')).toEqual({ principal: 300_00n, interest: 300n, tax: 48n });
  // Fifteen days of 600.00 and fifteen of 300.00; then thirty of 150.00.
  expect(after.overdue('2026-03-02')).toEqual({ principal: 150_00n, interest: 450n, tax: 72n });
  expect(after.owes('2026-04-01')).toMatchObject({ principal: 300_00n, interest: 450n + 150n });
  expect(after.owedBack).toBe(0n);
});

test('a return unwinds all principal that has fallen due, or none of it', () => {
  const late = given(issued());
  const [ahead, fallenDue] = [600_00n, 300_00n];
  expect(late.when(returned('2026-02-05', ahead + fallenDue)).loan().returns).toMatchObject([
    { unwound: 900_00n, whole: true },
  ]);
  const short = late.when(returned('2026-02-05', ahead + fallenDue - 1n));
  expect(short.loan().returns).toMatchObject([
    { unwound: ahead, principalOwedBack: 0n, beyond: 299_99n, whole: false },
  ]);
  expect(short.owes('2026-02-05').principal).toBe(fallenDue);
});

test('after a full return the running period ends, and the interest accrued so far is still owed', () => {
  const after = given(issued()).when(returned('2026-01-16', 900_00n));
  expect(after.owes('2026-03-01')).toMatchObject({ interest: 450n });
  expect(after.owes('2026-03-01').principal).toBeUndefined();
  expect(after.schedule('2026-03-01').periods.filter(({ alive }) => alive)).toHaveLength(1);
});

test('a return gives back principal already paid, and interest paid ahead on it', () => {
  // The first period is settled on 2026-01-10; the goods are returned on 2026-01-16: 15 days of 900.00 stay charged.
  const after = given(issued(), received('2026-01-10', 310_44n)).when(returned('2026-01-16', 900_00n));
  expect(after.loan().returns).toMatchObject([
    { unwound: 600_00n, principalOwedBack: 300_00n, interestOwedBack: 450n + 72n, beyond: 0n, whole: true },
  ]);
  expect(after.owedBack).toBe(300_00n + 522n);
  expect(after.state()).toBe('closed');
});

test('principal that an earlier return gave back is not given back twice', () => {
  const paid = given(issued(), received('2026-01-10', 310_44n), returned('2026-01-16', 900_00n));
  const again = paid.when(returned('2026-01-20', 50_00n, { event: 'again' }));
  expect(again.loan().returns[1]).toMatchObject({ unwound: 0n, principalOwedBack: 0n, beyond: 50_00n });
});

test('the down payment counts as principal received and can go back', () => {
  const after = given(issued({ downPayment: 300_00n })).when(returned('2026-01-16', 700_00n));
  expect(after.loan().returns).toMatchObject([{ unwound: 600_00n, principalOwedBack: 100_00n, beyond: 0n }]);
});

test('a return on a closed Loan is owed back in full', () => {
  const closed = given(issued(), received('2026-01-01', 900_00n, { loan: 'L', payoff: true }));
  expect(closed.state()).toBe('closed');
  const after = closed.when(returned('2026-02-01', 100_00n));
  expect(after.owedBack).toBe(100_00n);
});

test('law: the parts of a return add up to its amount, and never more principal goes back than was received', () => {
  fc.assert(
    fc.property(randomLoan, aLaterDay, fc.bigInt(1n, 6_000_000n), (loan, on, amount) => {
      const before = loan.scenario.owes(on).principal ?? 0n;
      const after = loan.scenario.when(returned(on, amount));
      if (after.refusal !== undefined) return;
      const [entry] = after.loan().returns;
      const { unwound = 0n, principalOwedBack = 0n, interestOwedBack = 0n, beyond = 0n } = entry ?? {};
      expect(unwound + principalOwedBack + beyond).toBe(amount);
      expect(principalOwedBack).toBeLessThanOrEqual(after.loan().principalReceived);
      expect(after.owes(on).principal ?? 0n).toBe(before - unwound);
      expect(principalOwedBack + interestOwedBack).toBeLessThanOrEqual(loan.totalPaid);
      for (const each of [unwound, principalOwedBack, interestOwedBack, beyond])
        expect(each).toBeGreaterThanOrEqual(0n);
    }),
  );
});

test('a full return after two periods paid ahead charges no interest on a negative balance', () => {
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

test('a return that unwinds nothing is not a full return', () => {
  const closed = given(issued(), received('2026-01-01', 900_00n, { loan: 'L', payoff: true }));
  expect(closed.when(returned('2026-02-01', 100_00n)).loan().returns).toMatchObject([{ unwound: 0n, whole: false }]);
});

test('principal paid ahead in part bears no interest from that day on, even if its period’s interest is settled', () => {
  // On 2026-01-16 the second period pays its interest of 6.00 and 293.04 of its principal; from 2026-01-31 it runs on 306.96.
  const ahead = given(issued({ product: { treatment: 'settles_next' } }), received('2026-01-16', 310_44n + 300_00n));
  const whole = ahead.when(returned('2026-02-10', 306_96n));
  expect(whole.loan().returns).toMatchObject([{ unwound: 306_96n, interestOwedBack: 4_98n + 80n, whole: true }]);
  const part = ahead.when(returned('2026-02-10', 100_00n));
  // Ten days of 306.96 and twenty of 206.96: 2.40 of the 6.00 stay.
  expect(part.loan().returns).toMatchObject([{ unwound: 100_00n, interestOwedBack: 3_60n + 58n }]);
});
