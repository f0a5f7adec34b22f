import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { CivilDay } from '#libs/calendar/civil-day.ts';
import { atOnce } from '#libs/ledger/cooperative-loop.ts';
import { arbitraryBook } from '#test/properties/books/arbitrary-book.ts';
import { keepBook } from '#test/properties/production.ts';
import { asOfSequence } from './as-of.ts';
import { type BookQuestion, bookInPieces } from './book-answer.ts';
import { type Between, type Changes, changesOf } from './changes.ts';
import { type ClientBook, emptyClientBook } from './client-book.ts';

const RUNS = { numRuns: 60, seed: 20261121 };

function kept(input: Parameters<typeof keepBook>[0]) {
  const { book, calendars } = keepBook(input);
  const last = [...book.log.facts(book.length)].at(-1)?.seq ?? 0;
  const first = Math.min(...book.loans.map(({ issuance }) => issuance.terms.anchor));
  const question = { on: (first + 100) as CivilDay, homeCurrency: 'MXN', calendars };
  return { whole: { ...emptyClientBook('acme', 'c'), sequence: last, folded: book }, question, calendars };
}

function changesBetween(...[whole, between, question]: [ClientBook, Between, BookQuestion]): Changes {
  const work = changesOf(whole, between, question, Number.POSITIVE_INFINITY);
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value as Changes;
  }
}

test('a book cut off after some fact answers as it did when that was its last', () => {
  fc.assert(
    fc.property(arbitraryBook(), fc.nat(20), (input, many) => {
      const facts = input.facts.slice(0, many + 1);
      fc.pre(facts.some(({ type }) => type === 'issuance'));
      const { whole, question, calendars } = kept(input);
      const then = kept({ ...input, facts });
      const again = asOfSequence(whole, facts.length, calendars);
      expect(atOnce(bookInPieces(again, question))).toEqual(atOnce(bookInPieces(then.whole, question)));
    }),
    RUNS,
  );
});

test('between two versions every difference is named with a fact between them, and nothing that did not change', () => {
  fc.assert(
    fc.property(arbitraryBook(), fc.nat(20), fc.nat(20), (input, one, other) => {
      const { whole, question } = kept(input);
      const [fromFacts = 0, toFacts = 0] = [one, other]
        .map((at) => Math.min(at, whole.folded.length))
        .sort((a, b) => a - b);
      const { changes } = changesBetween(whole, { fromFacts, toFacts }, question);
      for (const { from, to, facts } of changes) {
        expect(JSON.stringify(from)).not.toBe(JSON.stringify(to));
        expect(facts.length).toBeGreaterThan(0);
        for (const fact of facts) expect(fact.facts > fromFacts && fact.facts <= toFacts).toBe(true);
      }
      expect(changesBetween(whole, { fromFacts, toFacts: fromFacts }, question).changes).toEqual([]);
      // Going through a version between, each figure arrives at the same.
      const middle = Math.floor((fromFacts + toFacts) / 2);
      const second = changesBetween(whole, { fromFacts: middle, toFacts }, question).changes;
      for (const { figure, to } of second) {
        const direct = changes.find((change) => change.figure === figure);
        if (direct !== undefined) expect(direct.to).toEqual(to);
      }
    }),
    RUNS,
  );
});
