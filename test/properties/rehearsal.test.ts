/** What no book can break about being folded once as it would be: that is what folding it fact by fact comes to. */
import { expect } from '@jest/globals';
import { addDays } from '#libs/calendar/civil-day.ts';
import { bookOnDay } from '#libs/ledger/answers/moment.ts';
import { addFact, type Book, foldOnce, NO_BOOK } from '#libs/ledger/book.ts';
import { atOnce } from '#libs/ledger/cooperative-loop.ts';
import { type RecordedAs, reissued } from '#libs/ledger/fact-record.ts';
import type { Issuance } from '#libs/ledger/facts.ts';
import { isRefusal } from '#libs/schema/refusals.ts';
import type { Dice } from '#test/properties/books/dice.ts';
import type { BookInput } from '#test/reference-model/input.ts';
import { expectSame, law } from './law.ts';
import type { Kept } from './production.ts';
import { factOf } from './stated-facts.ts';

/** The same products with other values; what they would not have offered is left as it was. */
function otherwise(input: BookInput, { book, market }: Kept, dice: Dice) {
  const more = { origination_fee: dice.whole(0, 50_000), late_fee: dice.whole(0, 5_000), max_rollovers: 1 };
  const configurations = Object.fromEntries(
    Object.entries(input.configurations).map(([id, { archetype, values }]) => [
      id,
      { archetype, values: { ...values, ...more } },
    ]),
  );
  return (entry: RecordedAs<Issuance>): RecordedAs<Issuance> => {
    const stated = input.facts.find((fact) => fact.type === 'issuance' && fact.id === entry.fact.loanId);
    const fact = stated && factOf(book, stated, { ...input, configurations }, market);
    return fact === undefined || isRefusal(fact) ? entry : { ...entry, fact: fact as Issuance };
  };
}

law('a book folded once under other values is the one its facts make one after the other', ({ kept, input, dice }) => {
  const { book, recorded, calendars } = kept;
  const reissue = otherwise(input, kept, dice);
  const once = atOnce(foldOnce(atOnce(reissued(book, reissue)), calendars));
  const grown = recorded.reduce<Book>((before, entry) => {
    const { fact } = entry;
    const reissuedEntry = fact.type === 'issuance' ? reissue(entry as RecordedAs<Issuance>) : entry;
    return addFact(before, reissuedEntry, calendars).book;
  }, NO_BOOK);
  expectSame(figuresOf(once), figuresOf(grown));
  for (const { issuance } of book.loans) {
    const on = addDays(issuance.terms.anchor, dice.whole(-5, 200));
    expectSame(bookOnDay(once, on, calendars).loans, bookOnDay(grown, on, calendars).loans);
  }
  // Reissued as they were, the Loans leave the book as it stands.
  const same = atOnce(foldOnce(atOnce(reissued(book, (entry) => entry)), calendars));
  expectSame(same.head, book.head);
  expect(once.length).toBe(book.length);
});

/** All but what only the order of recording tells. */
function figuresOf({ log, steps, causes: _causes, lateReversals: _late, ...rest }: Book) {
  return { ...rest, facts: [...log.facts(rest.length)], steps: steps.items.slice(0, steps.length) };
}
