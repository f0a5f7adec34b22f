/** Differences between two versions of a Client's book, and for each changed figure the facts that changed it. */

import { formatDay } from '#libs/calendar/civil-day.ts';
import type { FactName } from '#libs/ledger/anomaly-causes.ts';
import { type BookOnDay, bookOnDay } from '#libs/ledger/answers/book-on-day.ts';
import { obligations } from '#libs/ledger/answers/obligations.ts';
import { loanPaymentOptions, requiresDesignation } from '#libs/ledger/answers/payment-options.ts';
import { scheduleAnswer } from '#libs/ledger/answers/schedule.ts';
import { addFact, type FoldedFacts, foldToLength } from '#libs/ledger/book.ts';
import type { BookReadOptions } from '#libs/ledger/client/book-answer.ts';
import type { ClientBook } from '#libs/ledger/client/client-book.ts';
import { differencesOf, type FigureDifference } from '#libs/ledger/client/figure-differences.ts';
import { storedCheckpoints } from '#libs/ledger/client/snapshot.ts';
import type { RecordedFact } from '#libs/ledger/fact-log.ts';
import { foldCost } from '#libs/ledger/fold-cost.ts';
import type { Loan } from '#libs/ledger/loan.ts';
import { stateOf } from '#libs/ledger/loan-state.ts';
import { isSameData } from '#libs/ledger/same-data.ts';
import type { Json } from '#libs/schema/json.ts';

/** Two book versions, by the number of facts they count. */
export type FactRange = { readonly fromFacts: number; readonly toFacts: number };

/** `facts` is the version that the fact created. */
type ResponsibleFact = FactName & { readonly facts: number; readonly recorded_at: string };

export type FigureChange = FigureDifference & {
  /** A JSON pointer to the figure, in which list members are named by their key instead of their index. */
  readonly figure: string;
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
  let last = versionOn(book, clientId, options);
  const before = new Map<number, Json | undefined>();
  const after = new Map<number, Json | undefined>();
  const obligationsBefore = last.obligations;
  const responsible = new Map<string, ResponsibleFact[]>();
  let work = 0;
  for (let facts = fromFacts + 1; facts <= toFacts; facts += 1) {
    yield;
    const entry = folded.log.entryAt(facts - 1);
    work += foldCost(book, entry.fact) + book.loans.length / loansComparedPerStep;
    if (work > maxWork) return { affordableFacts: facts - 1 };
    book = addFact(book, entry, calendars).book;
    const next = versionOn(book, clientId, options);
    const touched = touchedLoans(last, next);
    work += touched.length * figuresCostInSteps;
    if (work > maxWork) return { affordableFacts: facts - 1 };
    const from: Json[] = [];
    const to: Json[] = [];
    for (const [index, order] of touched.entries()) {
      if (index % loansPerSlice === loansPerSlice - 1) yield;
      const figures = after.has(order) ? after.get(order) : loanFigures(last, order);
      if (!before.has(order)) before.set(order, figures);
      after.set(order, loanFigures(next, order));
      from.push(...present(figures));
      to.push(...present(after.get(order)));
    }
    const fact = { ...factName(entry), facts, recorded_at: entry.at };
    const changed = differencesOf(
      { loans: from, obligations: last.obligations },
      { loans: to, obligations: next.obligations },
    );
    for (const figure of changed.keys()) responsible.set(figure, [...(responsible.get(figure) ?? []), fact]);
    last = next;
  }
  const differences = differencesOf(
    { loans: [...before.values()].flatMap(present), obligations: obligationsBefore },
    { loans: [...after.values()].flatMap(present), obligations: last.obligations },
  );
  const changes = [...differences]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([figure, change]) => ({ figure, ...change, facts: responsible.get(figure) ?? [] }));
  return { client_id: clientId, on: formatDay(options.on), from_facts: fromFacts, to_facts: toFacts, changes };
}

function present(figures: Json | undefined): Json[] {
  return figures === undefined ? [] : [figures];
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

/** Computing the figures of a Loan and comparing them costs about as much as folding this number of steps. */
export const figuresCostInSteps = 15;
/** Finding out whether a fact touched a Loan is cheaper. */
const loansComparedPerStep = 2;

const loansPerSlice = 25;

/** One version of the book on the day. */
type Version = { readonly day: BookOnDay; readonly obligations: Json };

function versionOn(book: FoldedFacts, clientId: string, { on, homeCurrency, calendars }: BookReadOptions): Version {
  const { client_id: _client, ...owedBack } = obligations(book, clientId, homeCurrency);
  return { day: bookOnDay(book, on, calendars), obligations: owedBack };
}

/** Undefined before the Loan was issued. */
function loanFigures({ day }: Version, order: number): Json | undefined {
  const loan = day.loans[order];
  if (loan === undefined) return undefined;
  const { loan_id, any_other_amount: _description, ...payment_options } = loanPaymentOptions(day, loan);
  const { loan_id: _id, on: _on, anomalies: _anomalies, ...schedule } = scheduleAnswer(day, loan);
  return { loan_id, state: stateOf(loan), payment_options, schedule };
}

/** The Loans of which a figure may differ between the two versions: few of a large book. */
function touchedLoans({ day: last }: Version, { day: next }: Version): number[] {
  const orders = next.loans.map((_, order) => order);
  const { causes, lateReversals } = next.book;
  // They may change an anomaly of any Loan, and are rare.
  if (causes !== last.book.causes || lateReversals !== last.book.lateReversals) return orders;
  return orders.filter((order) => {
    if (next.book.loans[order] !== last.book.loans[order]) return true;
    const [before, after] = [last.loans[order], next.loans[order]];
    if (before === undefined || after === undefined) return true;
    if (requiresDesignation(last, before) !== requiresDesignation(next, after)) return true;
    return last.state.loans[order] !== next.state.loans[order] && !isSameLoan(before, after);
  });
}

/** Which Receipts settled it is in no figure, and the list of them may be long. */
function isSameLoan({ received: _one, ...before }: Loan, { received: _other, ...after }: Loan): boolean {
  return isSameData(before, after);
}
