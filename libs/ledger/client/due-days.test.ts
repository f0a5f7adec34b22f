import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { CivilDay } from '#libs/calendar/civil-day.ts';
import { bookOnDay } from '#libs/ledger/answers/moment.ts';
import { paymentOptions } from '#libs/ledger/answers/payment-options.ts';
import { addFact, NO_BOOK } from '#libs/ledger/book.ts';
import { arbitraryBook } from '#test/properties/books/arbitrary-book.ts';
import { keepBook } from '#test/properties/production.ts';
import { dueFrom, dueSpans, haveSpansMoved } from './due-days.ts';

const RUNS = { numRuns: 60, seed: 20261121 };

test('a day on which anything is due is a day the book is found by, and most others are not', () => {
  let idle = 0;
  let found = 0;
  fc.assert(
    fc.property(arbitraryBook(), (input) => {
      const { book, calendars } = keepBook(input);
      const loans = book.head.loans;
      const from = dueFrom(loans);
      const spans = dueSpans(loans);
      const anchors = book.loans.map(({ issuance }) => issuance.terms.anchor);
      const first = Math.min(...anchors) - 10;
      for (let day = first; day < first + 500; day += 1) {
        const isFound = (from !== null && from <= day) || spans.some(([begins, ends]) => begins <= day && day <= ends);
        const { loans: options } = paymentOptions(bookOnDay(book, day as CivilDay, calendars), 'c');
        const isDue = options.some(({ overdue }) => overdue.total.minor_units > 0);
        if (isDue) expect({ day, isFound }).toEqual({ day, isFound: true });
        else idle += 1;
        if (!isDue && isFound) found += 1;
      }
    }),
    RUNS,
  );
  expect(found / idle).toBeLessThan(0.1);
});

test('a fact is known to have moved the days exactly where it has', () => {
  const seen = { moved: 0, kept: 0 };
  fc.assert(
    fc.property(arbitraryBook(), (input) => {
      const { recorded, calendars } = keepBook(input);
      let book = NO_BOOK;
      for (const entry of recorded) {
        const { loans: were } = book.head;
        book = addFact(book, entry, calendars).book;
        for (const [order, loan] of book.head.loans.entries()) {
          if (loan === undefined) continue;
          const moved = haveSpansMoved(were[order], loan);
          expect(moved).toBe(JSON.stringify(dueSpans([were[order]])) !== JSON.stringify(dueSpans([loan])));
          seen[moved ? 'moved' : 'kept'] += 1;
        }
      }
    }),
    { ...RUNS, numRuns: 300 },
  );
  expect(Math.min(seen.moved, seen.kept)).toBeGreaterThan(100);
});

test('nothing recorded is found on no day', () => {
  expect(dueFrom([])).toBe(null);
  expect(dueSpans([undefined])).toEqual([]);
});
