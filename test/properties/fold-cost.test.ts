/** The estimated cost of a fact equals the number of steps that are folded for it, in any book. */
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { admitFact } from '#libs/ledger/admit.ts';
import { itemAt } from '#libs/ledger/append-list.ts';
import { addFact, EMPTY_BOOK, type FoldedFacts } from '#libs/ledger/book.ts';
import type { Fact } from '#libs/ledger/facts.ts';
import { stepsRefolded } from '#libs/ledger/fold-cost.ts';
import { Random } from '#libs/runtime/random.ts';
import { isRefusal } from '#libs/schema/refusals.ts';
import { arbitraryBook } from '#test/properties/random-book/random-book.ts';
import type { BookInput } from '#test/reference-model/input.ts';
import { parseFact } from './parse-facts.ts';
import { buildProductionBook } from './production-fold.ts';
import { propertyRuns } from './property-test.ts';

/** The book with fewer checkpoints, like one that was read from a snapshot. */
const withMarks = (book: FoldedFacts, every: number): FoldedFacts => ({
  ...book,
  checkpoints: book.checkpoints.filter(({ at }) => at % every === 0),
});

/** The number of steps folded: those after the last checkpoint that both books share, or one when the fact comes last. */
function foldedSteps(before: FoldedFacts, after: FoldedFacts): number {
  const isLast = after.steps.length === before.steps.length + 1 && beginsWith(before, after);
  if (isLast) return 1;
  const shared = after.checkpoints.filter((checkpoint, index) => checkpoint === before.checkpoints[index]);
  return after.steps.length - (shared.at(-1)?.at ?? 0);
}

function beginsWith({ steps }: FoldedFacts, after: FoldedFacts): boolean {
  for (let at = 0; at < steps.length; at += 1) if (itemAt(steps, at) !== itemAt(after.steps, at)) return false;
  return true;
}

/** Long enough for several checkpoints. */
const books = arbitraryBook(90);

test('the estimated cost of a fact is the number of steps folded for it', () => {
  fc.assert(
    fc.property(books, fc.nat(), (input, seed) => costsWhatIsFolded(input, new Random(seed))),
    { numRuns: propertyRuns(80), seed: 20261121 },
  );
});

function costsWhatIsFolded(input: BookInput, random: Random): void {
  const { calendars, market } = buildProductionBook({ ...input, facts: [] });
  let book = EMPTY_BOOK;
  let seq = 0;
  for (const stated of input.facts) {
    const fact = parseFact(book, stated, input, market);
    if (isRefusal(fact)) continue;
    seq += 1;
    const entry = { seq, at: '', statement: {}, fact: fact as Fact };
    const before = withMarks(book, random.pick([16, 32, 256]));
    const priced = stepsRefolded(before, entry.fact);
    const admitted = admitFact(before, entry, calendars);
    if (isRefusal(admitted)) continue;
    const { book: after } = addFact(before, entry, calendars);
    expect(priced).toBeGreaterThanOrEqual(foldedSteps(before, after));
    // The estimate may include one step that is added or removed with the fact.
    expect(priced).toBeLessThanOrEqual(foldedSteps(before, after) + 2);
    book = admitted.book;
  }
}
