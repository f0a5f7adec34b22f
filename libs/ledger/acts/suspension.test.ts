import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { issued, retracted, suspended, suspensionEnded } from '#libs/ledger/testing/facts.ts';
import { given } from '#libs/ledger/testing/scenario.ts';
import { dayAfter, randomLoan } from '#test/properties/random-loan.ts';

test('no penalty grows on the days of a suspension, its first and last day included', () => {
  const loan = given(issued());
  const after = loan.when(suspended('2026-02-03', '2026-02-05'));
  for (const on of ['2026-02-02', '2026-02-03', '2026-02-05']) expect(after.owes(on).penalty).toBe(60n);
  expect(after.owes('2026-02-06').penalty).toBe(90n);
});

test('a suspension does not stop the interest of the plan', () => {
  const after = given(issued()).when(suspended('2026-01-02', '2026-02-28'));
  expect(after.owes('2026-02-10').interest).toBe(9_00n + 2_00n);
});

test('a suspension may be of one day, but not end before it begins', () => {
  const loan = given(issued());
  expect(loan.when(suspended('2026-02-03', '2026-02-02'))).toBeRefused('invalid_event', {
    bound: '2026-02-03',
    observed: '2026-02-02',
  });
  expect(loan.when(suspended('2026-02-03', '2026-02-03'))).toBeAdmitted();
});

test('two suspensions cannot share a day', () => {
  const loan = given(issued(), suspended('2026-02-03', '2026-02-05'));
  const afterOther = (on: string, to: string) => loan.when(suspended(on, to, { event: 'other' }));
  expect(afterOther('2026-02-05', '2026-02-09')).toBeRefused('already_suspended');
  expect(afterOther('2026-02-01', '2026-02-03')).toBeRefused('already_suspended');
  expect(afterOther('2026-02-06', '2026-02-09')).toBeAdmitted();
  expect(afterOther('2026-02-01', '2026-02-02')).toBeAdmitted();
});

test('after an early end, penalty grows again from that day on', () => {
  const loan = given(issued(), suspended('2026-02-03', '2026-02-20'), suspensionEnded('2026-02-06'));
  expect(loan.owes('2026-02-05').penalty).toBe(60n);
  expect(loan.owes('2026-02-06').penalty).toBe(90n);
  expect(loan.when(suspended('2026-02-06', '2026-02-09', { event: 'other' }))).toBeAdmitted();
});

test('an early end must name a suspension without one, and be dated within it', () => {
  const loan = given(issued(), suspended('2026-02-03', '2026-02-20'));
  const afterEnd = (on: string, name = 'suspended') => loan.when(suspensionEnded(on, name));
  expect(afterEnd('2026-02-03')).toBeRefused('invalid_event', { bound: '2026-02-20', observed: '2026-02-03' });
  expect(afterEnd('2026-02-21')).toBeRefused('invalid_event');
  expect(afterEnd('2026-02-06', 'another')).toBeRefused('invalid_event');
  expect(afterEnd('2026-02-04')).toBeAdmitted();
  expect(afterEnd('2026-02-20')).toBeAdmitted();
  const twice = loan
    .when(suspensionEnded('2026-02-06'))
    .when(suspensionEnded('2026-02-07', 'suspended', { event: 'twice' }));
  expect(twice).toBeRefused('invalid_event');
});

test('an early end shortens only the suspension it names', () => {
  const loan = given(
    issued(),
    suspended('2026-02-03', '2026-02-05'),
    suspended('2026-02-10', '2026-02-20', { event: 'second' }),
    suspensionEnded('2026-02-12', 'second'),
  );
  expect(loan.loan().suspensions.map(({ endedOn }) => endedOn === undefined)).toEqual([true, false]);
  expect(loan.owes('2026-02-12').penalty).toBe(60n + 4n * 30n + 30n);
});

test('a suspension that overlaps because an early end was retracted has no effect and is an anomaly', () => {
  const loan = given(
    issued(),
    suspended('2026-02-03', '2026-02-20'),
    suspensionEnded('2026-02-06'),
    suspended('2026-02-10', '2026-02-12', { event: 'second' }),
  ).when(retracted('2026-02-20', 'suspension_ended'));
  expect(loan).toBeAdmitted();
  expect(loan.anomalies()).toEqual([['second', 'already_suspended']]);
});

test('law: a suspension never raises a debt, and leaves principal and interest unchanged', () => {
  const day = fc.integer({ min: 91, max: 200 });
  fc.assert(
    fc.property(randomLoan, day, fc.nat(60), fc.nat(300), (loan, from, length, readOn) => {
      const after = loan.scenario.when(suspended(dayAfter(from), dayAfter(from + length)));
      const on = dayAfter(readOn);
      const [was, is] = [loan.scenario.owes(on), after.owes(on)];
      expect([is.principal, is.interest, is.fee]).toEqual([was.principal, was.interest, was.fee]);
      expect(is.penalty ?? 0n).toBeLessThanOrEqual(was.penalty ?? 0n);
      expect(is.late_fee ?? 0n).toBeLessThanOrEqual(was.late_fee ?? 0n);
    }),
  );
});

test('after an early end was retracted, only a suspension that begins on a covered day overlaps', () => {
  const second = (on: string, to: string) =>
    given(
      issued(),
      suspended('2026-02-03', '2026-02-20'),
      suspensionEnded('2026-02-06'),
      suspended(on, to, { event: 'second' }),
    )
      .when(retracted('2026-02-20', 'suspension_ended'))
      .anomalies();
  expect(second('2026-02-20', '2026-02-25')).toEqual([['second', 'already_suspended']]);
  expect(second('2026-02-21', '2026-02-25')).toEqual([]);
});
