import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { dayOf } from '#libs/calendar/civil-day.ts';
import { accrueTo } from '#libs/ledger/charges/accrue-to.ts';
import {
  ceded,
  type IssuanceExample,
  issued,
  received,
  suspended,
  waived,
  writtenOff,
} from '#libs/ledger/testing/facts.ts';
import { given } from '#libs/ledger/testing/scenario.ts';
import type { Minor } from '#libs/money/minor.ts';
import { dayAfter, randomLoan } from '#test/properties/random-loan.ts';

const on = (product: IssuanceExample['product']) => given(issued({ product: { ...product } }));

test('penalty counts from the day after the due day', () => {
  const loan = given(issued());
  expect(loan.owes('2026-01-31').penalty).toBeUndefined();
  expect(loan.owes('2026-02-01').penalty).toBe(30n);
  expect(loan.owes('2026-02-03')).toMatchObject({ penalty: 90n });
});

test('no penalty is charged within the tolerance; afterwards all days count', () => {
  const loan = on({ toleranceDays: 3, lateFee: 100_00n as Minor });
  expect(loan.overdue('2026-02-03')).toEqual({ principal: 300_00n, interest: 9_00n, tax: 1_44n });
  expect(loan.overdue('2026-02-04')).toMatchObject({ penalty: 120n, late_fee: 100_00n });
});

test('a period paid within the tolerance never bears penalty', () => {
  const paid = given(issued({ product: { toleranceDays: 3 } }), received('2026-02-03', 310_44n));
  expect(paid.overdue('2026-02-10')).toEqual({});
});

test('a late fee is charged once for each period', () => {
  const loan = on({ lateFee: 10_00n as Minor });
  expect(loan.owes('2026-02-01').late_fee).toBe(10_00n);
  expect(loan.owes('2026-03-02').late_fee).toBe(10_00n);
  expect(loan.owes('2026-03-03').late_fee).toBe(20_00n);
});

test('penalty is computed on the overdue principal or the overdue instalment, before tax and after waivers', () => {
  expect(on({ penaltyBase: 'overdue_instalment' }).owes('2026-02-10').penalty).toBe(309n);
  const waiver = waived('2026-01-31', { period: 1, charge: 'interest', amount: 900n });
  const less = given(issued({ product: { penaltyBase: 'overdue_instalment' } }), waiver);
  expect(less.owes('2026-02-10').penalty).toBe(300n);
  const withFee = on({ penaltyBase: 'overdue_instalment', originationFee: 1_000_00n as Minor });
  expect(withFee.owes('2026-02-10').penalty).toBe(1_309n);
});

test('what is paid bears no penalty from the next day on', () => {
  // The day's penalty and its tax, the interest, and half of the principal: from the next day the other half bears it.
  const paid = given(issued(), received('2026-02-01', 35n + 10_44n + 150_00n));
  expect(paid.owes('2026-02-11')).toMatchObject({ penalty: 150n, principal: 750_00n });
});

test('a remainder within the tolerance amount is still owed but never late', () => {
  const nearlyPaid = given(
    issued({ product: { tolerance: 50n as Minor, lateFee: 10_00n as Minor } }),
    received('2026-01-31', 309_94n),
  );
  expect(nearlyPaid.overdue('2026-02-20')).toEqual({ principal: 50n });
  const more = given(
    issued({ product: { tolerance: 50n as Minor, lateFee: 10_00n as Minor } }),
    received('2026-01-31', 309_93n),
  );
  expect(more.overdue('2026-02-20')).toMatchObject({ principal: 51n, late_fee: 10_00n });
});

test('the ceiling in days counts days after the due day, including those of the tolerance', () => {
  const loan = on({ penaltyCeilingDays: 5, toleranceDays: 3 });
  expect(loan.owes('2026-02-04').penalty).toBe(120n);
  expect(loan.owes('2026-02-05').penalty).toBe(150n);
  expect(loan.owes('2026-02-20').penalty).toBe(150n);
  const stopped = given(issued({ product: { penaltyCeilingDays: 5 } }), suspended('2026-02-03', '2026-02-10'));
  expect(stopped.owes('2026-02-12').penalty).toBe(120n);
  expect(stopped.owes('2026-02-20').penalty).toBe(150n);
});

test('the ceiling of the Loan stops all penalties, and its last part goes to the periods in order', () => {
  // 100 basis points of 900.00 are 9.00: thirty days of the first period.
  const loan = on({ penaltyCeilingBps: 100 });
  expect(loan.owes('2026-03-02').penalty).toBe(900n);
  expect(loan.owes('2026-06-01').penalty).toBe(900n);
  const wide = on({ penaltyCeilingBps: 105 });
  const periods = wide.loan().periods.map(({ penalty }) => penalty.charged);
  expect(periods).toEqual([0n, 0n, 0n]);
  const moment = accrueTo(wide.loan(), dayOf('2026-03-05'));
  // 9.45 is reached on 2026-03-03: thirty-one days of the first are 9.30, and 0.15 is left for the second.
  expect(moment.periods.map(({ penalty }) => penalty.charged)).toEqual([930n, 15n, 0n]);
});

test('nothing is late on a suspended day, and suspended days never count', () => {
  const loan = given(issued(), suspended('2026-02-01', '2026-02-10'));
  expect(loan.overdue('2026-02-10')).toEqual({ principal: 300_00n, interest: 9_00n, tax: 1_44n });
  expect(loan.owes('2026-02-11').penalty).toBe(30n);
  expect(accrueTo(loan.loan(), dayOf('2026-02-10')).lateAtOpening).toBe(0);
  expect(accrueTo(loan.loan(), dayOf('2026-02-11')).lateAtOpening).toBe(1);
  expect(accrueTo(loan.loan(), dayOf('2026-03-03')).lateAtOpening).toBe(2);
});

test('charging stops on the day of a write-off or of a cession', () => {
  expect(given(issued(), writtenOff('2026-02-05')).owes('2026-03-20').penalty).toBe(150n);
  expect(given(issued(), ceded('2026-02-05')).loan().periods[0]?.penalty.charged).toBe(150n);
});

test('one day of penalty is 1/365 of the rate where a day of interest is', () => {
  expect(given(issued({ product: { basis: 'actual_365' } })).owes('2026-02-11').penalty).toBe(325n);
  expect(given(issued({ product: { basis: 'thirty_360' } })).owes('2026-02-11').penalty).toBe(330n);
});

test('law: accruing many days in one step gives the same result as day by day', () => {
  fc.assert(
    fc.property(
      randomLoan,
      fc.integer({ min: 1, max: 60 }),
      fc.integer({ min: 1, max: 120 }),
      ({ scenario }, first, more) => {
        const { day } = scenario.loan();
        const to = day + first + more;
        let daily = scenario.loan();
        for (let each = day + 1; each <= to; each += 1) daily = accrueTo(daily, each as typeof day);
        expect(daily).toEqual(accrueTo(scenario.loan(), to as typeof day));
      },
    ),
    { numRuns: 60 },
  );
});

test('law: time alone never lowers a debt', () => {
  fc.assert(
    fc.property(randomLoan, fc.nat(300), fc.nat(60), ({ scenario }, from, more) => {
      const start = 91 + from;
      expect(scenario.debt(dayAfter(start + more))).toBeGreaterThanOrEqual(scenario.debt(dayAfter(start)));
    }),
  );
});
