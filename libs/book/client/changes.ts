/** Why a figure changed: what a Client's book said on a day at two of its versions, and the facts that made the difference. */
import { momentOf } from '#libs/book/answers/moment.ts';
import { obligations } from '#libs/book/answers/obligations.ts';
import { loanOptions } from '#libs/book/answers/payment-options.ts';
import { schedule } from '#libs/book/answers/schedule.ts';
import { addFact, type Book, bookUntil, type FactName, stepsBehind } from '#libs/book/book.ts';
import type { BookQuestion } from '#libs/book/client/book-answer.ts';
import type { ClientBook } from '#libs/book/client/client-book.ts';
import type { Fact } from '#libs/book/facts.ts';
import type { Recorded } from '#libs/book/record.ts';
import { stateOf } from '#libs/book/state.ts';
import { formatDay } from '#libs/calendar/civil-day.ts';
import type { Json, JsonObject } from '#libs/contract/json.ts';

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
  let book = bookUntil(folded, fromFacts, calendars);
  let work = 0;
  const before = figuresOf(book, clientId, question);
  const responsible = new Map<string, Responsible[]>();
  let last = before;
  for (let facts = fromFacts + 1; facts <= toFacts; facts += 1) {
    yield;
    const entry = folded.log.nth(facts - 1);
    work += 1 + refoldedFor(book, entry.fact) + book.loans.length * figuresInSteps;
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

/** The figures of a Loan cost about as much as folding so many steps. */
const figuresInSteps = 15;

/** Counted by days, not by what this process happens to hold: the same question costs the same everywhere. */
function refoldedFor(book: Book, fact: Fact): number {
  switch (fact.type) {
    case 'issuance':
      return stepsBehind(book, fact.terms.anchor, false);
    case 'receipt':
      return stepsBehind(book, fact.valueDate, true);
    case 'act':
      return stepsBehind(book, fact.on, false);
    case 'reversal':
    case 'retraction':
      // What they undo may stand anywhere.
      return book.steps.length;
  }
}

function named({ fact }: Recorded): FactName {
  switch (fact.type) {
    case 'receipt':
    case 'reversal':
      return { type: fact.type, id: fact.reference };
    default:
      // A withdrawal is an event of its own here: it is what was done.
      return { type: 'event', id: fact.event };
  }
}

type Figures = ReadonlyMap<string, Json>;

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

function figuresOf(book: Book, clientId: string, { on, homeCurrency, calendars }: BookQuestion): Figures {
  const moment = momentOf(book, on, calendars);
  const loans = moment.loans.map((loan) => {
    const { loan_id, any_other_amount: _said, ...options } = loanOptions(moment, loan);
    const { loan_id: _id, on: _on, anomalies: _anomalies, ...plan } = schedule(moment, loan);
    return { loan_id, state: stateOf(loan), payment_options: options, schedule: plan };
  });
  const { client_id: _client, ...owedBack } = obligations(book, clientId, homeCurrency);
  const figures = new Map<string, Json>();
  gather({ loans, obligations: owedBack } as unknown as Json, '', figures);
  return figures;
}

/** By which a member of a list is known, the first it has. */
const names = ['loan_id', 'index', 'charge', 'act', 'event_id', 'reference', 'receipt', 'currency'];

function gather(value: Json, at: string, figures: Map<string, Json>): void {
  if (Array.isArray(value)) {
    for (const [nth, item] of value.entries()) gather(item, `${at}/${nameWithin(item, nth)}`, figures);
  } else if (typeof value === 'object' && value !== null && !isMoney(value as JsonObject)) {
    for (const [name, member] of Object.entries(value)) gather(member as Json, `${at}/${name}`, figures);
  } else {
    figures.set(at, value);
  }
}

function nameWithin(item: Json, nth: number): string {
  if (typeof item === 'string') return item.replaceAll('~', '~0').replaceAll('/', '~1');
  if (typeof item !== 'object' || item === null) return String(nth);
  const known = names.find((name) => Object.hasOwn(item, name));
  return known === undefined ? String(nth) : nameWithin(String((item as JsonObject)[known]), nth);
}

/** Money is one figure. */
function isMoney(value: JsonObject): boolean {
  return Object.hasOwn(value, 'minor_units');
}
