import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { CivilDay } from '#libs/calendar/civil-day.ts';
import { runToEnd } from '#libs/ledger/cooperative-loop.ts';
import { buildProductionBook } from '#test/properties/production-fold.ts';
import { propertyRuns } from '#test/properties/property-test.ts';
import { arbitraryBook } from '#test/properties/random-book/random-book.ts';
import { type BookReadOptions, clientBookAnswer } from './book-answer.ts';
import { type BookChanges, bookChanges, type FactRange } from './book-changes.ts';
import { asOfSequence, type ClientBook, emptyClientBook } from './client-book.ts';

const RUNS = { numRuns: propertyRuns(120), seed: 20261121 };

function bookOf(input: Parameters<typeof buildProductionBook>[0]) {
  const { book, calendars } = buildProductionBook(input);
  const last = [...book.log.entries(book.length)].at(-1)?.seq ?? 0;
  const first = Math.min(...book.loans.map(({ issuance }) => issuance.terms.anchor));
  const question = { on: (first + 100) as CivilDay, homeCurrency: 'MXN', calendars };
  return { book: { ...emptyClientBook('acme', 'c'), sequence: last, folded: book }, question, calendars };
}

function changesBetween(...[book, between, question]: [ClientBook, FactRange, BookReadOptions]): BookChanges {
  const work = bookChanges(book, between, question, Number.POSITIVE_INFINITY);
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value as BookChanges;
  }
}

test('a book read as of an earlier sequence answers as it did then', () => {
  fc.assert(
    fc.property(arbitraryBook(), fc.nat(20), (input, many) => {
      const facts = input.facts.slice(0, many + 1);
      fc.pre(facts.some(({ type }) => type === 'issuance'));
      const { book, question, calendars } = bookOf(input);
      const then = bookOf({ ...input, facts });
      const again = asOfSequence(book, facts.length, calendars);
      expect(runToEnd(clientBookAnswer(again, question))).toEqual(runToEnd(clientBookAnswer(then.book, question)));
    }),
    RUNS,
  );
});

test('the changes between two versions are complete and each names a fact between them', () => {
  fc.assert(
    fc.property(arbitraryBook(), fc.nat(20), fc.nat(20), (input, one, other) => {
      const { book, question } = bookOf(input);
      const [fromFacts = 0, toFacts = 0] = [one, other]
        .map((at) => Math.min(at, book.folded.length))
        .sort((a, b) => a - b);
      const { changes } = changesBetween(book, { fromFacts, toFacts }, question);
      for (const { from, to, facts } of changes) {
        expect(JSON.stringify(from)).not.toBe(JSON.stringify(to));
        expect(facts.length).toBeGreaterThan(0);
        for (const fact of facts) expect(fact.facts > fromFacts && fact.facts <= toFacts).toBe(true);
      }
      expect(changesBetween(book, { fromFacts, toFacts: fromFacts }, question).changes).toEqual([]);
      // Over an intermediate version each figure reaches the same value.
      const middle = Math.floor((fromFacts + toFacts) / 2);
      const second = changesBetween(book, { fromFacts: middle, toFacts }, question).changes;
      for (const { figure, to } of second) {
        const direct = changes.find((change) => change.figure === figure);
        if (direct !== undefined) expect(direct.to).toEqual(to);
      }
    }),
    RUNS,
  );
});
