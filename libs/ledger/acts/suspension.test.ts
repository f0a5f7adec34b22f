import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { given, issued, retracted, suspended, suspensionEnded } from '#libs/ledger/testing/scenario.ts';
import { dayAfter, lent } from '#test/properties/lent.ts';

test('its days do not run, the first and the last included: no penalty grows on them', () => {
  const loan = given(issued());
  const after = loan.when(suspended('2026-02-03', '2026-02-05'));
  for (const on of ['2026-02-02', '2026-02-03', '2026-02-05']) expect(after.owes(on).penalty).toBe(60n);
  expect(after.owes('2026-02-06').penalty).toBe(90n);
});

test('interest of the plan goes on', () => {
  const after = given(issued()).when(suspended('2026-01-02', '2026-02-28'));
  expect(after.owes('2026-02-10').interest).toBe(9_00n + 2_00n);
});

test('it does not end before it begins; one day is enough', () => {
  const loan = given(issued());
  expect(loan.when(suspended('2026-02-03', '2026-02-02')).refusal).toMatchObject({
    code: 'invalid_event',
    details: { bound: '2026-02-03', observed: '2026-02-02' },
  });
  expect(loan.when(suspended('2026-02-03', '2026-02-03')).refused).toBeUndefined();
});

test('no two suspensions share a day', () => {
  const loan = given(issued(), suspended('2026-02-03', '2026-02-05'));
  const ask = (on: string, to: string) => loan.when(suspended(on, to, { event: 'other' })).refused;
  expect(ask('2026-02-05', '2026-02-09')).toBe('already_suspended');
  expect(ask('2026-02-01', '2026-02-03')).toBe('already_suspended');
  expect(ask('2026-02-06', '2026-02-09')).toBeUndefined();
  expect(ask('2026-02-01', '2026-02-02')).toBeUndefined();
});

test('an early end lets the clock run again on its own day', () => {
  const loan = given(issued(), suspended('2026-02-03', '2026-02-20'), suspensionEnded('2026-02-06'));
  expect(loan.owes('2026-02-05').penalty).toBe(60n);
  expect(loan.owes('2026-02-06').penalty).toBe(90n);
  expect(loan.when(suspended('2026-02-06', '2026-02-09', { event: 'other' })).refused).toBeUndefined();
});

test('an early end names a suspension without one, on a day after its first and not after its last', () => {
  const loan = given(issued(), suspended('2026-02-03', '2026-02-20'));
  const ask = (on: string, name = 'suspended') => loan.when(suspensionEnded(on, name)).refusal;
  expect(ask('2026-02-03')).toMatchObject({
    code: 'invalid_event',
    details: { bound: '2026-02-20', observed: '2026-02-03' },
  });
  expect(ask('2026-02-21')).toMatchObject({ code: 'invalid_event' });
  expect(ask('2026-02-06', 'another')).toMatchObject({ code: 'invalid_event' });
  expect(ask('2026-02-04')).toBeUndefined();
  expect(ask('2026-02-20')).toBeUndefined();
  const twice = loan
    .when(suspensionEnded('2026-02-06'))
    .when(suspensionEnded('2026-02-07', 'suspended', { event: 'twice' }));
  expect(twice.refused).toBe('invalid_event');
});

test('of two suspensions only the named one is shortened', () => {
  const loan = given(
    issued(),
    suspended('2026-02-03', '2026-02-05'),
    suspended('2026-02-10', '2026-02-20', { event: 'second' }),
    suspensionEnded('2026-02-12', 'second'),
  );
  expect(loan.loan().suspensions.map(({ endedOn }) => endedOn === undefined)).toEqual([true, false]);
  expect(loan.owes('2026-02-12').penalty).toBe(60n + 4n * 30n + 30n);
});

test('one that overlaps only since an early end was withdrawn has no effect, and says so', () => {
  const loan = given(
    issued(),
    suspended('2026-02-03', '2026-02-20'),
    suspensionEnded('2026-02-06'),
    suspended('2026-02-10', '2026-02-12', { event: 'second' }),
  ).when(retracted('2026-02-20', 'suspension_ended'));
  expect(loan.refused).toBeUndefined();
  expect(loan.anomalies()).toEqual([['second', 'already_suspended']]);
});

test('law: a suspension makes nothing dearer, on any day, and leaves principal and interest as they were', () => {
  const day = fc.integer({ min: 91, max: 200 });
  fc.assert(
    fc.property(lent, day, fc.nat(60), fc.nat(300), (loan, from, length, asked) => {
      const after = loan.told.when(suspended(dayAfter(from), dayAfter(from + length)));
      const on = dayAfter(asked);
      const [was, is] = [loan.told.owes(on), after.owes(on)];
      expect([is.principal, is.interest, is.fee]).toEqual([was.principal, was.interest, was.fee]);
      expect(is.penalty ?? 0n).toBeLessThanOrEqual(was.penalty ?? 0n);
      expect(is.late_fee ?? 0n).toBeLessThanOrEqual(was.late_fee ?? 0n);
    }),
  );
});

test('since an early end was withdrawn, one that begins on the last day overlaps and one that begins after it does not', () => {
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
