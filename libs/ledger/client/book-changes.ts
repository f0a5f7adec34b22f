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
  const responsible = new Map<string, ResponsibleFact[]>();
  let before: Json | undefined;
  let last: Json | undefined;
  for (let facts = fromFacts + 1; facts <= toFacts; facts += 1) {
    yield;
    const entry = folded.log.entryAt(facts - 1);
    work += foldCost(book, entry.fact) + book.loans.length * figuresCostInSteps;
    if (work > maxWork) return { affordableFacts: facts - 1 };
    last ??= yield* figuresOf(book, clientId, options);
    before ??= last;
    book = addFact(book, entry, calendars).book;
    const next = yield* figuresOf(book, clientId, options);
    const fact = { ...factName(entry), facts, recorded_at: entry.at };
    for (const figure of differencesOf(last, next).keys()) {
      responsible.set(figure, [...(responsible.get(figure) ?? []), fact]);
    }
    last = next;
  }
  const differences = [...differencesOf(before, last)].sort(([one], [other]) => (one < other ? -1 : 1));
  const changes = differences.map(([figure, change]) => ({ figure, ...change, facts: responsible.get(figure) ?? [] }));
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

/** Computing the figures of a Loan costs about as much as folding this number of steps. */
export const figuresCostInSteps = 15;

const loansPerSlice = 50;

function* figuresOf(book: FoldedFacts, clientId: string, options: BookReadOptions): Generator<void, Json> {
  const { on, homeCurrency, calendars } = options;
  const bookDay = bookOnDay(book, on, calendars);
  const loans: Json[] = [];
  for (const loan of bookDay.loans) {
    const { loan_id, any_other_amount: _description, ...payment_options } = loanPaymentOptions(bookDay, loan);
    const { loan_id: _id, on: _on, anomalies: _anomalies, ...schedule } = scheduleAnswer(bookDay, loan);
    loans.push({ loan_id, state: stateOf(loan), payment_options, schedule });
    if (loans.length % loansPerSlice === 0) yield;
  }
  const { client_id: _client, ...owedBack } = obligations(book, clientId, homeCurrency);
  return { loans, obligations: owedBack };
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

/** By the pointer described at `FigureChange`. */
type Differences = Map<string, Pick<FigureChange, 'from' | 'to'>>;

function differencesOf(from: Json | undefined, to: Json | undefined): Differences {
  const differences: Differences = new Map();
  collectDifferences(from, to, ['', ''], differences);
  return differences;
}

/**
 * `field` is the name of the field that holds the values; it names the list that they may be. Pointers are built only
 * where the values differ: those of all figures took 78 % of the time of a request.
 */
function collectDifferences(
  from: Json | undefined,
  to: Json | undefined,
  [at, field]: readonly [string, string],
  differences: Differences,
): void {
  if (isEqual(from, to)) return;
  const [before, after] = [from, to].map((value) => membersOf(value, field));
  const figures = { ...figureAs('from', from), ...figureAs('to', to) };
  if (Object.keys(figures).length > 0) differences.set(at, figures);
  for (const name of new Set([...(before?.keys() ?? []), ...(after?.keys() ?? [])])) {
    // A member of a list has no field of its own.
    const ownField = Array.isArray(from ?? to) ? '' : name;
    collectDifferences(before?.get(name), after?.get(name), [`${at}/${name}`, ownField], differences);
  }
}

function isEqual(one: Json | undefined, other: Json | undefined): boolean {
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return one === other;
  const [names, otherNames] = [Object.keys(one), Object.keys(other)];
  return (
    names.length === otherNames.length &&
    names.every((name) => Object.hasOwn(other, name) && isEqual((one as JsonObject)[name], (other as JsonObject)[name]))
  );
}

function figureAs(side: 'from' | 'to', value: Json | undefined): Pick<FigureChange, 'from' | 'to'> {
  return value !== undefined && isFigure(value) ? { [side]: value } : {};
}

/** A value without members, or an amount of money. */
function isFigure(value: Json): boolean {
  return typeof value !== 'object' || value === null || isMoney(value as JsonObject);
}

function membersOf(value: Json | undefined, field: string): ReadonlyMap<string, Json> {
  if (value === undefined || isFigure(value)) return new Map();
  if (value === undefined || isFigure(value)) return new Map();
  if (!Array.isArray(value)) return new Map(Object.entries(value as JsonObject));
  const members = new Map(value.map((item, index) => [memberName(item, index, field), item]));
  // Of two members with one name, one would hide a change of the other.
  if (members.size < value.length) throw new Error(`two members of ${field} have one name; extend memberKeys`);
  return members;
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
