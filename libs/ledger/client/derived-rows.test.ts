import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { CivilDay } from '#libs/calendar/civil-day.ts';
import { bookOnDay } from '#libs/ledger/answers/book-on-day.ts';
import { paymentOptions } from '#libs/ledger/answers/payment-options.ts';
import { addFact, EMPTY_BOOK } from '#libs/ledger/book.ts';
import { buildProductionBook } from '#test/properties/production-fold.ts';
import { propertyRuns } from '#test/properties/property-test.ts';
import { arbitraryBook } from '#test/properties/random-book/random-book.ts';
import { dueFrom, dueSpans, haveDueSpansChanged } from './derived-rows.ts';

const RUNS = { numRuns: propertyRuns(120), seed: 20261121 };

test('listings find the book on every day on which something is due, and on few others', () => {
  let idle = 0;
  let found = 0;
  fc.assert(
    fc.property(arbitraryBook(), (input) => {
      const { book, calendars } = buildProductionBook(input);
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

test('the fast check reports changed spans exactly where they changed', () => {
  const seen = { changed: 0, unchanged: 0 };
  fc.assert(
    fc.property(arbitraryBook(), (input) => {
      const { recorded, calendars } = buildProductionBook(input);
      let book = EMPTY_BOOK;
      for (const entry of recorded) {
        const { loans: were } = book.head;
        book = addFact(book, entry, calendars).book;
        for (const [order, loan] of book.head.loans.entries()) {
          if (loan === undefined) continue;
          const hasChanged = haveDueSpansChanged(were[order], loan);
          expect(hasChanged).toBe(JSON.stringify(dueSpans([were[order]])) !== JSON.stringify(dueSpans([loan])));
          seen[hasChanged ? 'changed' : 'unchanged'] += 1;
        }
      }
    }),
    { ...RUNS, numRuns: propertyRuns(600) },
  );
  expect(Math.min(seen.changed, seen.unchanged)).toBeGreaterThan(100);
});

test('an empty book is found on no day', () => {
  expect(dueFrom([])).toBe(null);
  expect(dueSpans([undefined])).toEqual([]);
});
