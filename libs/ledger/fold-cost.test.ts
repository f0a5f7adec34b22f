import { expect, test } from '@jest/globals';
import { addDays, dayOf, formatDay } from '#libs/calendar/civil-day.ts';
import { refoldedFor, workFor } from '#libs/ledger/fold-cost.ts';
import { given, issued, received, type Telling, voided } from '#libs/ledger/testing/scenario.ts';

const day = (nth: number) => formatDay(addDays(dayOf('2024-01-01'), nth));
const dated = (on: string) => ({ type: 'receipt', valueDate: dayOf(on) }) as const;
const many = <T>(times: number, of: (nth: number) => T): T[] => Array.from({ length: times }, (_, nth) => of(nth));

test('a step costs more the more Loans are open at it', () => {
  const opened = (loans: number) => {
    const { book } = given(
      ...many(loans, (nth) => issued({ loan: `loan-${nth}`, anchor: day(0) })),
      ...many(60, (nth) => received(day(1 + nth), 1n)),
    );
    const first = dated(day(1));
    return workFor(book, first) / refoldedFor(book, first);
  };
  expect(opened(6)).toBeCloseTo(2, 0);
  expect(opened(60)).toBeCloseTo(11, 0);
});

test('a Loan that never took money costs nothing', () => {
  const paid = many(50, (nth) => received(day(40 + nth), 1n));
  const ofOpen = (...others: Telling[]) => {
    const { book } = given(issued(), ...others, ...paid);
    return workFor(book, dated(day(40))) - refoldedFor(book, dated(day(40)));
  };
  const held = many(30, (nth) => issued({ loan: `held-${nth}`, anchor: day(0), holdUntil: day(20) }));
  const over = many(30, (nth) => voided(day(1), { loan: `held-${nth}`, event: `void-${nth}` }));
  expect(ofOpen(...held, ...over)).toBe(ofOpen());
  expect(ofOpen(...held)).toBeGreaterThan(ofOpen());
});

test('a Loan that was closed before costs nothing, nor does one that comes after the fact', () => {
  const { book } = given(
    ...many(20, (nth) => [
      issued({ loan: `loan-${nth}`, anchor: day(nth * 20) }),
      received(day(nth * 20 + 5), 2_000_00n, { loan: `loan-${nth}`, payoff: true }),
    ]).flat(),
  );
  const first = dated(day(1));
  // Never more than one is open.
  expect(workFor(book, first)).toBeLessThanOrEqual(refoldedFor(book, first) * 2);
  expect(workFor(book, dated(day(2_000)))).toBe(1);
});
