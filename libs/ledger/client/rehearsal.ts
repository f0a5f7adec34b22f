/** A Client's book as it would read had a product been another: the same facts, its Loans issued under other values. */

import type { CivilDay } from '#libs/calendar/civil-day.ts';
import { type Anomaly, bookNotDerivable } from '#libs/ledger/answers/anomalies.ts';
import { type Money, money } from '#libs/ledger/answers/figures.ts';
import { totalPayments } from '#libs/ledger/answers/issued.ts';
import { type BookOnDay, bookOnDay } from '#libs/ledger/answers/moment.ts';
import { loanOptions } from '#libs/ledger/answers/payment-options.ts';
import { foldOnce } from '#libs/ledger/book.ts';
import type { Calendars } from '#libs/ledger/calendars.ts';
import { unpaidPrincipal } from '#libs/ledger/charges/debt.ts';
import type { ClientBook } from '#libs/ledger/client/client-book.ts';
import { figuresInSteps } from '#libs/ledger/client/figures.ts';
import { agreedLoan, type Product } from '#libs/ledger/client/issuance.ts';
import type { InPieces } from '#libs/ledger/cooperative-loop.ts';
import { type RecordedAs, reissued } from '#libs/ledger/fact-record.ts';
import type { Issuance } from '#libs/ledger/facts.ts';
import { amountOf } from '#libs/ledger/figure.ts';
import { workOfAll } from '#libs/ledger/fold-cost.ts';
import type { Loan } from '#libs/ledger/loan.ts';
import { stateOf } from '#libs/ledger/state.ts';
import type { Markets } from '#libs/product/markets/market.ts';
import type { Offer } from '#libs/product/product.ts';
import type { JsonObject } from '#libs/schema/json.ts';
import { isRefusal, type Refusal } from '#libs/schema/refusals.ts';

export type Rehearsal = {
  readonly configurationId: string;
  readonly product: Product;
  readonly on: CivilDay;
  readonly markets: Markets;
  readonly calendars: Calendars;
};

export type Rehearsed = {
  readonly is: BookOnDay;
  readonly wouldBe: BookOnDay;
  /** By Loan, where the product would not have offered it; it is left as it was issued. */
  readonly refused: ReadonlyMap<string, Refusal>;
};

/** Stops now and then for whoever else waits. However the facts were dated, they are folded once. */
export function* rehearse({ folded }: ClientBook, rehearsal: Rehearsal): InPieces<Rehearsed> {
  const { on, calendars } = rehearsal;
  const refused = new Map<string, Refusal>();
  const record = yield* reissued(folded, (issuance) => underOtherValues(issuance, rehearsal, refused));
  const other = yield* foldOnce(record, calendars);
  const is = bookOnDay(folded, on, calendars);
  yield;
  return { is, wouldBe: bookOnDay(other, on, calendars), refused };
}

/** In steps of a book with nothing open. */
export function rehearsalWork({ folded }: ClientBook): number {
  return workOfAll(folded) + 2 * folded.loans.length * figuresInSteps;
}

function underOtherValues(
  entry: RecordedAs<Issuance>,
  { configurationId, product, markets }: Rehearsal,
  refused: Map<string, Refusal>,
): RecordedAs<Issuance> {
  const { fact, told } = entry;
  const { configuration, terms } = told as unknown as { configuration: { id: string }; terms: JsonObject };
  if (configuration.id !== configurationId) return entry;
  const agreed = agreedLoan(asLeft(terms, fact.terms.frame, product.offer), product, markets);
  if (!isRefusal(agreed)) return { ...entry, fact: { ...fact, ...agreed } };
  refused.set(fact.loanId, agreed);
  return entry;
}

/**
 * Where a version gives no choice of the penalty rate, what a Loan bears is what the version says, stated or not: under
 * another that gives none either it would bear that one's.
 */
function asLeft(terms: JsonObject, frame: Corridor, offer: Corridor): JsonObject {
  if (hasChoice(frame) || hasChoice(offer)) return terms;
  const { penalty_rate: _its, ...left } = terms;
  return left;
}

type Corridor = Pick<Offer, 'penaltyRateMin' | 'penaltyRateMax'>;

function hasChoice({ penaltyRateMin, penaltyRateMax }: Corridor): boolean {
  return penaltyRateMin !== penaltyRateMax;
}

type Figure = string | number | Money;

export type RehearsedLoan = {
  readonly loan_id: string;
  readonly client_id: string;
  readonly reference: string;
  readonly refused?: Pick<Refusal, 'code' | 'details'>;
  readonly changes: readonly {
    readonly figure: string;
    readonly is: Figure;
    readonly would_be: Figure;
    /** Of money, what it would be more. */
    readonly difference?: Money;
  }[];
  /** Why no change could be told; absent where all is well. */
  readonly anomalies?: readonly Anomaly[];
};

type Named = { readonly loanId: string; readonly clientId: string; readonly reference: string };

/** Where the Client's book cannot be derived: what would change is known to nobody. */
export function unknownChanges({ loanId, clientId, reference }: Named): RehearsedLoan {
  return { loan_id: loanId, client_id: clientId, reference, changes: [], anomalies: [bookNotDerivable()] };
}

/** What would change of one Loan; undefined where nothing would. */
export function rehearsedLoan(
  { is, wouldBe, refused }: Rehearsed,
  order: number,
  clientId: string,
): RehearsedLoan | undefined {
  const loan = is.loans[order] as Loan;
  const [before, after] = [figuresOf(is, order), figuresOf(wouldBe, order)];
  const changes = Object.entries(before).flatMap(([figure, was]) => changeOf(figure, was, after[figure] as Figure));
  const refusal = refused.get(loan.id);
  if (changes.length === 0 && refusal === undefined) return undefined;
  const { code, details } = refusal ?? {};
  return {
    loan_id: loan.id,
    client_id: clientId,
    reference: loan.reference,
    ...(code === undefined ? {} : { refused: { code, ...(details === undefined ? {} : { details }) } }),
    changes,
  };
}

function figuresOf(moment: BookOnDay, order: number): { readonly [figure: string]: Figure } {
  const loan = moment.loans[order] as Loan;
  const { currency } = loan.terms;
  const { overdue, late, payoff } = loanOptions(moment, loan);
  return {
    state: stateOf(loan),
    payments: money(totalPayments(loan.issued), currency),
    outstanding: money(unpaidPrincipal(loan), currency),
    overdue: overdue.total,
    late: late?.owed.total ?? money(0n, currency),
    worst_days_past_due: late?.worst_days_past_due ?? 0,
    payoff: payoff.owed.total,
    paid: money(loan.paid, currency),
  };
}

function changeOf(figure: string, is: Figure, wouldBe: Figure): RehearsedLoan['changes'] {
  if (typeof is !== 'object' || typeof wouldBe !== 'object') {
    return is === wouldBe ? [] : [{ figure, is, would_be: wouldBe }];
  }
  const more = amountOf(wouldBe.minor_units) - amountOf(is.minor_units);
  if (more === 0n) return [];
  return [{ figure, is, would_be: wouldBe, difference: money(more, is.currency) }];
}
