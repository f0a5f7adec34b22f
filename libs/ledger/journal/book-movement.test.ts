import { expect, test } from '@jest/globals';
import { formatDay } from '#libs/calendar/civil-day.ts';
import type { FoldedFacts } from '#libs/ledger/book.ts';
import {
  calendars,
  ceded,
  type FactBuilder,
  issued,
  received,
  reversed,
  suspended,
} from '#libs/ledger/testing/facts.ts';
import { given, type Scenario } from '#libs/ledger/testing/scenario.ts';
import { bookMovement } from './book-movement.ts';
import type { JournalLine } from './journal-line.ts';

/** 3,000.00 over three periods of 1,000.00; interest 75.00, 50.00 and 25.00 with 16 % tax. The example of the guide. */
const loan = issued({ principal: 3_000_00n, rate: '30', penaltyRate: '0' });
const instalment = received('2026-01-31', 1_087_00n);
const early = received('2026-02-15', 500_00n);

function text({ period, charge, kind, day, dueOn, amount, tax, fact = 0 }: JournalLine): string {
  return `${period} ${charge} ${kind} ${formatDay(day)} ${formatDay(dueOn)} ${amount} ${tax} ${fact}`;
}

function movement(before: FoldedFacts, after: FoldedFacts) {
  const [only, ...others] = bookMovement(before, after, calendars);
  expect(others).toEqual([]);
  return { added: (only?.added ?? []).map(text), takenBack: (only?.takenBack ?? []).map(text) };
}

function movementOf(before: Scenario, fact: FactBuilder) {
  const after = before.when(fact);
  expect(after).toBeAdmitted();
  return movement(before.book, after.book);
}

test('an issuance adds the principal, and the interest of each period on its scheduled day', () => {
  expect(movementOf(given(), loan)).toEqual({
    added: [
      '1 principal charged 2026-01-01 2026-01-31 100000 0 1',
      '2 principal charged 2026-01-01 2026-03-02 100000 0 1',
      '3 principal charged 2026-01-01 2026-04-01 100000 0 1',
      '1 interest charged 2026-01-31 2026-01-31 7500 1200 0',
      '2 interest charged 2026-03-02 2026-03-02 5000 800 0',
      '3 interest charged 2026-04-01 2026-04-01 2500 400 0',
    ],
    takenBack: [],
  });
});

test('an instalment on its day adds what it paid and takes nothing back', () => {
  expect(movementOf(given(loan), instalment)).toEqual({
    added: [
      '1 principal received 2026-01-31 2026-01-31 -100000 0 2',
      '1 interest received 2026-01-31 2026-01-31 -7500 -1200 2',
    ],
    takenBack: [],
  });
});

test('early money lowers the principal of later periods and replaces the interest to come', () => {
  expect(movementOf(given(loan, instalment), early)).toEqual({
    added: [
      '2 interest charged 2026-02-15 2026-03-02 2500 400 0',
      '2 principal received 2026-02-15 2026-03-02 -25000 0 3',
      '3 principal received 2026-02-15 2026-04-01 -25000 0 3',
      '2 interest charged 2026-03-02 2026-03-02 1875 300 0',
      '3 interest charged 2026-04-01 2026-04-01 1875 300 0',
    ],
    takenBack: [
      '2 interest charged 2026-03-02 2026-03-02 5000 800 0',
      '3 interest charged 2026-04-01 2026-04-01 2500 400 0',
    ],
  });
});

test('a reversal takes back what its Receipt paid, and what later Receipts paid otherwise', () => {
  expect(movementOf(given(loan, instalment, early), reversed('r-2026-01-31'))).toEqual({
    added: [
      '1 principal received 2026-02-15 2026-01-31 -41300 0 3',
      '1 interest received 2026-02-15 2026-01-31 -7500 -1200 3',
      '2 interest charged 2026-03-02 2026-03-02 2500 400 0',
      '3 interest charged 2026-04-01 2026-04-01 2500 400 0',
    ],
    takenBack: [
      '1 principal received 2026-01-31 2026-01-31 -100000 0 2',
      '1 interest received 2026-01-31 2026-01-31 -7500 -1200 2',
      '2 principal received 2026-02-15 2026-03-02 -25000 0 3',
      '3 principal received 2026-02-15 2026-04-01 -25000 0 3',
      '2 interest charged 2026-03-02 2026-03-02 1875 300 0',
      '3 interest charged 2026-04-01 2026-04-01 1875 300 0',
    ],
  });
});

test('a late fee to come is dated when the period becomes late, and a suspension moves it', () => {
  const withLateFee = given(issued({ product: { lateFee: 100_00n as never } }));
  const { added, takenBack } = movementOf(withLateFee, suspended('2026-01-20', '2026-02-08'));
  expect(takenBack).toContain('1 late_fee charged 2026-02-01 2026-01-31 10000 1600 0');
  expect(added).toContain('1 late_fee charged 2026-02-09 2026-01-31 10000 1600 0');
});

test('a cession takes what is owed away, with what was still to come', () => {
  const { added, takenBack } = movementOf(given(loan), ceded('2026-02-15'));
  const sum = (lines: readonly string[]): number =>
    lines.reduce((total, line) => total + Number(line.split(' ')[5]) + Number(line.split(' ')[6]), 0);
  expect(added.filter((line) => line.includes(' ceded ')).length).toBe(5);
  expect(takenBack).toEqual([
    '2 interest charged 2026-03-02 2026-03-02 5000 800 0',
    '3 interest charged 2026-04-01 2026-04-01 2500 400 0',
  ]);
  const before = movementOf(given(), loan).added;
  expect(sum(before) + sum(added) - sum(takenBack)).toBe(0);
});

test('a movement for which too many lines must be compared is not computed', () => {
  const before = given(loan, instalment, received('2026-03-02', 1_058_00n));
  const after = before.when(early);
  expect(() => bookMovement(before.book, after.book, calendars, 1)).toThrow('more than 1 journal lines');
  expect(() => bookMovement(before.book, after.book, calendars, 100)).not.toThrow();
});
