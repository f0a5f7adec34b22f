/** Why a figure changed: what a Client's book said on a day at two of its versions, and the facts that made the difference. */

import { formatDay } from '#libs/calendar/civil-day.ts';
import { addFact, type FactName, foldUntil } from '#libs/ledger/book.ts';
import type { BookQuestion } from '#libs/ledger/client/book-answer.ts';
import type { ClientBook } from '#libs/ledger/client/client-book.ts';
import { type Figures, figuresInSteps, figuresOf } from '#libs/ledger/client/figures.ts';
import { marksKept } from '#libs/ledger/client/snapshot.ts';
import type { RecordedFact } from '#libs/ledger/fact-record.ts';
import { workFor } from '#libs/ledger/fold-cost.ts';
import type { Json } from '#libs/schema/json.ts';

/** How many facts the book version counts. */
export type Between = { readonly fromFacts: number; readonly toFacts: number };

/** A fact by its place among those the book version counts. */
type Responsible = FactName & { readonly facts: number; readonly recorded_at: string };

export type Change = {
  /** Where the figure stands: a JSON pointer in which members of a list go by their name. */
  readonly figure: string;
  readonly from?: Json;
  readonly to?: Json;
  readonly facts: readonly Responsible[];
};

export type Changes = {
  readonly client_id: string;
  readonly on: string;
  readonly from_facts: number;
  readonly to_facts: number;
  readonly changes: readonly Change[];
};

/**
 * Stops after each version for whoever else waits. Where the versions between cost more than `mostWork`: how many facts
 * did not.
 */
export function* changesOf(
  { clientId, folded }: ClientBook,
  { fromFacts, toFacts }: Between,
  question: BookQuestion,
  mostWork: number,
): Generator<void, Changes | { readonly asFarAs: number }> {
  const { calendars } = question;
  // Begun with the marks that every process holds: the same question costs the same everywhere.
  let book = yield* foldUntil({ ...folded, marks: marksKept(folded) }, fromFacts, calendars);
  let work = 0;
  const before = figuresOf(book, clientId, question);
  const responsible = new Map<string, Responsible[]>();
  let last = before;
  for (let facts = fromFacts + 1; facts <= toFacts; facts += 1) {
    yield;
    const entry = folded.log.nth(facts - 1);
    work += workFor(book, entry.fact) + book.loans.length * figuresInSteps;
    if (work > mostWork) return { asFarAs: facts - 1 };
    book = addFact(book, entry, calendars).book;
    const next = figuresOf(book, clientId, question);
    const fact = { ...named(entry), facts, recorded_at: entry.at };
    for (const figure of differing(last, next)) {
      responsible.set(figure, [...(responsible.get(figure) ?? []), fact]);
    }
    last = next;
  }
  const changes = [...differing(before, last)].sort().map((figure) => changeOf(figure, before, last, responsible));
  return { client_id: clientId, on: formatDay(question.on), from_facts: fromFacts, to_facts: toFacts, changes };
}

function named({ fact }: RecordedFact): FactName {
  switch (fact.type) {
    case 'receipt':
    case 'reversal':
      return { type: fact.type, id: fact.reference };
    default:
      // A withdrawal is an event of its own here: it is what was done.
      return { type: 'event', id: fact.event };
  }
}

function changeOf(
  figure: string,
  before: Figures,
  after: Figures,
  responsible: ReadonlyMap<string, readonly Responsible[]>,
): Change {
  const [from, to] = [before.get(figure), after.get(figure)];
  return {
    figure,
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
    facts: responsible.get(figure) ?? [],
  };
}

function differing(before: Figures, after: Figures): Set<string> {
  const names = new Set<string>();
  for (const name of new Set([...before.keys(), ...after.keys()])) {
    const [one, other] = [before.get(name), after.get(name)];
    if (one !== other && JSON.stringify(one) !== JSON.stringify(other)) names.add(name);
  }
  return names;
}
