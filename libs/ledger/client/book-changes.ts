/** Differences between two versions of a Client's book, and for each changed figure the facts that changed it. */

import { formatDay } from '#libs/calendar/civil-day.ts';
import type { FactName } from '#libs/ledger/anomaly-causes.ts';
import { bookOnDay } from '#libs/ledger/answers/book-on-day.ts';
import { obligations } from '#libs/ledger/answers/obligations.ts';
import { loanPaymentOptions } from '#libs/ledger/answers/payment-options.ts';
import { scheduleAnswer } from '#libs/ledger/answers/schedule.ts';
import { addFact, type FoldedFacts, foldToLength } from '#libs/ledger/book.ts';
import type { BookReadOptions } from '#libs/ledger/client/book-answer.ts';
import type { ClientBook } from '#libs/ledger/client/client-book.ts';
import { storedCheckpoints } from '#libs/ledger/client/snapshot.ts';
import type { RecordedFact } from '#libs/ledger/fact-log.ts';
import { foldCost } from '#libs/ledger/fold-cost.ts';
import { stateOf } from '#libs/ledger/loan-state.ts';
import type { Json, JsonObject } from '#libs/schema/json.ts';

/** Two book versions, by the number of facts they count. */
export type FactRange = { readonly fromFacts: number; readonly toFacts: number };

/** `facts` is the version that the fact created. */
type ResponsibleFact = FactName & { readonly facts: number; readonly recorded_at: string };

export type FigureChange = {
  /** A JSON pointer to the figure, in which list members are named by their key instead of their index. */
  readonly figure: string;
  readonly from?: Json;
  readonly to?: Json;
  readonly facts: readonly ResponsibleFact[];
};

export type BookChanges = {
  readonly client_id: string;
  readonly on: string;
  readonly from_facts: number;
  readonly to_facts: number;
  readonly changes: readonly FigureChange[];
};

/**
 * Yields after each version, so that other requests are served in between. Where the versions cost more than `maxWork`,
 * the result says up to how many facts they do not.
 */
export function* bookChanges(
  { clientId, folded }: ClientBook,
  { fromFacts, toFacts }: FactRange,
  options: BookReadOptions,
  maxWork: number,
): Generator<void, BookChanges | { readonly affordableFacts: number }> {
  const { calendars } = options;
  // Starting from stored checkpoints only, the same request costs the same in every process.
  let book = yield* foldToLength({ ...folded, checkpoints: storedCheckpoints(folded) }, fromFacts, calendars);
  let work = 0;
  const before = figuresOf(book, clientId, options);
  const responsible = new Map<string, ResponsibleFact[]>();
  let last = before;
  for (let facts = fromFacts + 1; facts <= toFacts; facts += 1) {
    yield;
    const entry = folded.log.entryAt(facts - 1);
    work += foldCost(book, entry.fact) + book.loans.length * figuresCostInSteps;
    if (work > maxWork) return { affordableFacts: facts - 1 };
    book = addFact(book, entry, calendars).book;
    const next = figuresOf(book, clientId, options);
    const fact = { ...factName(entry), facts, recorded_at: entry.at };
    for (const figure of changedFigures(last, next)) {
      responsible.set(figure, [...(responsible.get(figure) ?? []), fact]);
    }
    last = next;
  }
  const changes = [...changedFigures(before, last)].sort().map((figure) => changeOf(figure, before, last, responsible));
  return { client_id: clientId, on: formatDay(options.on), from_facts: fromFacts, to_facts: toFacts, changes };
}

function factName({ fact }: RecordedFact): FactName {
  switch (fact.type) {
    case 'receipt':
    case 'reversal':
      return { type: fact.type, id: fact.reference };
    default:
      // A retraction is named by its own event, not by the act it retracts.
      return { type: 'event', id: fact.event };
  }
}

function changeOf(
  figure: string,
  before: FigureMap,
  after: FigureMap,
  responsible: ReadonlyMap<string, readonly ResponsibleFact[]>,
): FigureChange {
  const [from, to] = [before.get(figure), after.get(figure)];
  return {
    figure,
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
    facts: responsible.get(figure) ?? [],
  };
}

function changedFigures(before: FigureMap, after: FigureMap): Set<string> {
  const names = new Set<string>();
  for (const name of new Set([...before.keys(), ...after.keys()])) {
    const [from, to] = [before.get(name), after.get(name)];
    if (from !== to && JSON.stringify(from) !== JSON.stringify(to)) names.add(name);
  }
  return names;
}

/** By the pointer described at `FigureChange`. */
type FigureMap = ReadonlyMap<string, Json>;

/** Computing the figures of a Loan costs about as much as folding this number of steps. */
export const figuresCostInSteps = 15;

function figuresOf(book: FoldedFacts, clientId: string, { on, homeCurrency, calendars }: BookReadOptions): FigureMap {
  const bookDay = bookOnDay(book, on, calendars);
  const loans = bookDay.loans.map((loan) => {
    const { loan_id, any_other_amount: _description, ...options } = loanPaymentOptions(bookDay, loan);
    const { loan_id: _id, on: _on, anomalies: _anomalies, ...plan } = scheduleAnswer(bookDay, loan);
    return { loan_id, state: stateOf(loan), payment_options: options, schedule: plan };
  });
  const { client_id: _client, ...owedBack } = obligations(book, clientId, homeCurrency);
  const figures = new Map<string, Json>();
  collectFigures({ loans, obligations: owedBack }, ['', ''], figures);
  return figures;
}

/** By list, the fields that identify a member. Other fields may be equal in several members. */
const memberKeys: ReadonlyMap<string, readonly string[]> = new Map([
  ['loans', ['loan_id']],
  ['waivers', ['reference']],
  ['periods', ['index']],
  ['charges', ['charge']],
  ['returned', ['act']],
  ['undone', ['loan_id', 'receipt']],
  ['currencies', ['currency']],
]);

/** `field` is the name of the field that holds the value; it names the list that the value may be. */
function collectFigures(value: Json, [at, field]: readonly [string, string], figures: Map<string, Json>): void {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries())
      collectFigures(item, [`${at}/${memberName(item, index, field)}`, ''], figures);
  } else if (typeof value === 'object' && value !== null && !isMoney(value as JsonObject)) {
    for (const [name, member] of Object.entries(value))
      collectFigures(member as Json, [`${at}/${name}`, name], figures);
  } else {
    // With two figures under one name, one would hide a change of the other.
    if (figures.has(at)) throw new Error(`two figures have the name ${at}; add the list to memberKeys`);
    figures.set(at, value);
  }
}

/** A text names itself. A member of a list without known keys is named by its index. */
function memberName(item: Json, index: number, list: string): string {
  if (typeof item === 'string') return escapePointer(item);
  const keys = memberKeys.get(list);
  return keys === undefined
    ? String(index)
    : keys.map((name) => escapePointer(String((item as JsonObject)[name]))).join('/');
}

/** As one segment of a JSON pointer (RFC 6901). */
function escapePointer(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** An amount of money is one figure. */
function isMoney(value: JsonObject): boolean {
  return Object.hasOwn(value, 'minor_units');
}
