/** What no book can break about the price of a fact: it is what folding the fact costs, taken or refused. */
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { admitFact } from '#libs/ledger/admit.ts';
import { itemAt } from '#libs/ledger/append-list.ts';
import { addFact, type Book, NO_BOOK } from '#libs/ledger/book.ts';
import type { Fact } from '#libs/ledger/facts.ts';
import { refoldedFor } from '#libs/ledger/fold-cost.ts';
import { isRefusal } from '#libs/schema/refusals.ts';
import { arbitraryBook } from '#test/properties/books/arbitrary-book.ts';
import { Dice } from '#test/properties/books/dice.ts';
import type { BookInput } from '#test/reference-model/input.ts';
import { keepBook } from './production.ts';
import { factOf } from './stated-facts.ts';

/** As a book read again holds fewer of its marks, or none. */
const withMarks = (book: Book, every: number): Book => ({
  ...book,
  marks: book.marks.filter(({ at }) => at % every === 0),
});

/** Counted where the fold begins again: behind the last state that both hold, and at nothing where the fact comes last. */
function reallyFolded(before: Book, after: Book): number {
  const isLast = after.steps.length === before.steps.length + 1 && startsAlike(before, after);
  if (isLast) return 1;
  const kept = after.marks.filter((mark, nth) => mark === before.marks[nth]).at(-1)?.at ?? 0;
  return after.steps.length - kept;
}

function startsAlike({ steps }: Book, after: Book): boolean {
  for (let at = 0; at < steps.length; at += 1) if (itemAt(steps, at) !== itemAt(after.steps, at)) return false;
  return true;
}

/** Long enough for several marks. */
const books = arbitraryBook(90);

test('a fact costs what is folded for it, wherever that begins', () => {
  fc.assert(
    fc.property(books, fc.nat(), (input, seed) => costsWhatIsFolded(input, new Dice(seed))),
    { numRuns: 80, seed: 20261121 },
  );
});

function costsWhatIsFolded(input: BookInput, dice: Dice): void {
  const { calendars, market } = keepBook({ ...input, facts: [] });
  let book = NO_BOOK;
  let seq = 0;
  for (const stated of input.facts) {
    const fact = factOf(book, stated, input, market);
    if (isRefusal(fact)) continue;
    seq += 1;
    const entry = { seq, at: '', told: {}, fact: fact as Fact };
    const before = withMarks(book, dice.pick([16, 32, 256]));
    const priced = refoldedFor(before, entry.fact);
    const admitted = admitFact(before, entry, calendars);
    if (isRefusal(admitted)) continue;
    const { book: after } = addFact(before, entry, calendars);
    expect(priced).toBeGreaterThanOrEqual(reallyFolded(before, after));
    // No more than the step that may come with it, or go.
    expect(priced).toBeLessThanOrEqual(reallyFolded(before, after) + 2);
    book = admitted.book;
  }
}
