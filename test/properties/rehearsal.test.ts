/** A rehearsal folds a book once under other product values; the result equals folding it fact by fact. */
import { expect } from '@jest/globals';
import { addDays } from '#libs/calendar/civil-day.ts';
import { bookOnDay } from '#libs/ledger/answers/book-on-day.ts';
import { addFact, EMPTY_BOOK, type FoldedFacts, foldRecord } from '#libs/ledger/book.ts';
import { reissueLoans } from '#libs/ledger/book-record.ts';
import { runToEnd } from '#libs/ledger/cooperative-loop.ts';
import type { FactEntry } from '#libs/ledger/fact-log.ts';
import type { Issuance } from '#libs/ledger/facts.ts';
import type { Random } from '#libs/runtime/random.ts';
import { isRefusal } from '#libs/schema/refusals.ts';
import type { BookInput } from '#test/reference-model/input.ts';
import { parseFact } from './parse-facts.ts';
import type { ProductionBook } from './production-fold.ts';
import { expectEqual, propertyTest } from './property-test.ts';

/** Reissues Loans under other product values; a Loan that would be refused stays as it was. */
function reissueUnderOtherValues(input: BookInput, { book, market }: ProductionBook, random: Random) {
  const more = { origination_fee: random.integer(0, 50_000), late_fee: random.integer(0, 5_000), max_rollovers: 1 };
  const configurations = Object.fromEntries(
    Object.entries(input.configurations).map(([id, { archetype, values }]) => [
      id,
      { archetype, values: { ...values, ...more } },
    ]),
  );
  return (entry: FactEntry<Issuance>): FactEntry<Issuance> => {
    const stated = input.facts.find((fact) => fact.type === 'issuance' && fact.id === entry.fact.loanId);
    const fact = stated && parseFact(book, stated, { ...input, configurations }, market);
    return fact === undefined || isRefusal(fact) ? entry : { ...entry, fact: fact as Issuance };
  };
}

propertyTest(
  'a book folded once under other product values equals the one folded fact by fact',
  ({ production, input, random }) => {
    const { book, recorded, calendars } = production;
    const reissue = reissueUnderOtherValues(input, production, random);
    const once = runToEnd(foldRecord(runToEnd(reissueLoans(book, reissue)), calendars));
    const grown = recorded.reduce<FoldedFacts>((before, entry) => {
      const { fact } = entry;
      const reissuedEntry = fact.type === 'issuance' ? reissue(entry as FactEntry<Issuance>) : entry;
      return addFact(before, reissuedEntry, calendars).book;
    }, EMPTY_BOOK);
    expectEqual(figuresOf(once), figuresOf(grown));
    for (const { issuance } of book.loans) {
      const on = addDays(issuance.terms.anchor, random.integer(-5, 200));
      expectEqual(bookOnDay(once, on, calendars).loans, bookOnDay(grown, on, calendars).loans);
    }
    // Reissued unchanged, the book is unchanged.
    const same = runToEnd(foldRecord(runToEnd(reissueLoans(book, (entry) => entry)), calendars));
    expectEqual(same.head, book.head);
    expect(once.length).toBe(book.length);
  },
);

/** The book without what depends on the order of recording. */
function figuresOf({ log, steps, causes: _causes, lateReversals: _late, ...rest }: FoldedFacts) {
  return { ...rest, facts: [...log.entries(rest.length)], steps: steps.items.slice(0, steps.length) };
}
