import { expect, test } from '@jest/globals';
import { addDays, dayOf, formatDay } from '#libs/calendar/civil-day.ts';
import type { RecordedReceipt } from '#libs/ledger/fact-log.ts';
import {
  bookDayCost,
  dayCost,
  foldCost,
  knownCost,
  rangeCost,
  receiptCost,
  stepsRefolded,
} from '#libs/ledger/fold-cost.ts';
import { type FactBuilder, issued, received, voided } from '#libs/ledger/testing/facts.ts';
import { given } from '#libs/ledger/testing/scenario.ts';

const day = (nth: number) => formatDay(addDays(dayOf('2024-01-01'), nth));
const receiptOn = (on: string) => ({ type: 'receipt', valueDate: dayOf(on) }) as const;
const repeat = <T>(times: number, build: (nth: number) => T): T[] =>
  Array.from({ length: times }, (_, nth) => build(nth));

test('a step costs more with more open Loans', () => {
  const costPerStep = (loans: number) => {
    const { book } = given(
      ...repeat(loans, (nth) => issued({ loan: `loan-${nth}`, anchor: day(0) })),
      ...repeat(60, (nth) => received(day(1 + nth), 1n)),
    );
    const first = receiptOn(day(1));
    return foldCost(book, first) / stepsRefolded(book, first);
  };
  expect(costPerStep(6)).toBeCloseTo(2, 0);
  expect(costPerStep(60)).toBeCloseTo(11, 0);
});

test('a Loan that never receives money adds no cost', () => {
  const paid = repeat(50, (nth) => received(day(40 + nth), 1n));
  const costOfLoans = (...others: FactBuilder[]) => {
    const { book } = given(issued(), ...others, ...paid);
    return foldCost(book, receiptOn(day(40))) - stepsRefolded(book, receiptOn(day(40)));
  };
  const held = repeat(30, (nth) => issued({ loan: `held-${nth}`, anchor: day(0), holdUntil: day(20) }));
  const closed = repeat(30, (nth) => voided(day(1), { loan: `held-${nth}`, event: `void-${nth}` }));
  expect(costOfLoans(...held, ...closed)).toBe(costOfLoans());
  expect(costOfLoans(...held)).toBeGreaterThan(costOfLoans());
});

test('a Loan closed before the fact or issued after it adds no cost', () => {
  const { book } = given(
    ...repeat(20, (nth) => [
      issued({ loan: `loan-${nth}`, anchor: day(nth * 20) }),
      received(day(nth * 20 + 5), 2_000_00n, { loan: `loan-${nth}`, payoff: true }),
    ]).flat(),
  );
  const first = receiptOn(day(1));
  // At most one Loan is open at a time.
  expect(foldCost(book, first)).toBeLessThanOrEqual(stepsRefolded(book, first) * 2);
  expect(foldCost(book, receiptOn(day(2_000)))).toBe(1);
});

test('a day of the past costs the steps from a checkpoint to it, each of which visits every open Loan', () => {
  const loans = repeat(60, (nth) => issued({ loan: `loan-${nth}`, anchor: day(0) }));
  const { book } = given(...loans, ...repeat(20, (nth) => received(day(1 + nth), 1n)));
  expect(dayCost(book, dayOf(day(200)))).toBe(0);
  expect(bookDayCost(book, dayOf(day(200)))).toBe(60 / 2);
  // The 64th step has a checkpoint: it is the fourth Receipt.
  expect(dayCost(book, dayOf(day(4)))).toBe(0);
  expect(dayCost(book, dayOf(day(7)))).toBeCloseTo(3 * (1 + 60 / 2), -1);
});

test('a range of days costs the steps from a checkpoint before it', () => {
  const loans = repeat(60, (nth) => issued({ loan: `loan-${nth}`, anchor: day(0) }));
  const { book } = given(...loans, ...repeat(20, (nth) => received(day(1 + nth), 1n)));
  const costFrom = (nth: number) => rangeCost(book, { from: dayOf(day(nth)), to: dayOf(day(200)) });
  const costs = [1, 5, 21].map(costFrom);
  expect(costs).toEqual(costs.toSorted((one, other) => other - one));
  expect(new Set(costs).size).toBe(costs.length);
  expect(costs[2]).toBe(0);
});

test('what a Receipt settled costs the steps from a checkpoint to it', () => {
  const loans = repeat(60, (nth) => issued({ loan: `loan-${nth}`, anchor: day(0) }));
  const { book } = given(...loans, ...repeat(20, (nth) => received(day(1 + nth), 1n, { reference: `r-${nth}` })));
  const costOf = (reference: string) => receiptCost(book, book.log.receipt(book.length, reference) as RecordedReceipt);
  expect(costOf('r-4')).toBeLessThan(costOf('r-6'));
});

test('the book of its first facts costs nothing where no fact came later, and else what later facts changed', () => {
  const paid = repeat(90, (nth) => received(day(1 + nth), 1n));
  const { book } = given(issued({ anchor: day(0) }), ...paid);
  expect(knownCost(book, book.length)).toBe(0);
  expect(knownCost(book, book.length - 1)).toBeLessThan(40);
  expect(knownCost(book, 1)).toBeGreaterThan(90);
});

test('a day costs less where the Receipts before it name their Loans', () => {
  const loans = repeat(60, (nth) => issued({ loan: `loan-${nth}`, anchor: day(0) }));
  const costWith = (named: { readonly loan?: string }) => {
    const { book } = given(...loans, ...repeat(20, (nth) => received(day(1 + nth), 1n, named)));
    return dayCost(book, dayOf(day(10)));
  };
  expect(costWith({ loan: 'loan-3' })).toBeLessThan(costWith({}) / 2);
});
