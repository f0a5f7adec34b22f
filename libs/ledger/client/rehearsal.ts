/** Rehearsal: a Client's book as it would read if its Loans had been issued under other values of their product. */

import type { CivilDay } from '#libs/calendar/civil-day.ts';
import { moneyFigure } from '#libs/ledger/answers/amounts-json.ts';
import { type Anomaly, bookNotDerivable, bookTooLarge } from '#libs/ledger/answers/anomalies.ts';
import { type BookOnDay, bookOnDay } from '#libs/ledger/answers/book-on-day.ts';
import { statedIssuance, totalPayments } from '#libs/ledger/answers/loan.ts';
import { loanPaymentOptions } from '#libs/ledger/answers/payment-options.ts';
import { foldRecord } from '#libs/ledger/book.ts';
import { reissueLoans } from '#libs/ledger/book-record.ts';
import { unpaidPrincipal } from '#libs/ledger/charges/debt.ts';
import { figuresCostInSteps } from '#libs/ledger/client/book-changes.ts';
import type { ClientBook } from '#libs/ledger/client/client-book.ts';
import { type ProductVersion, planLoan } from '#libs/ledger/client/issuance.ts';
import type { CooperativeTask } from '#libs/ledger/cooperative-loop.ts';
import type { FactEntry } from '#libs/ledger/fact-log.ts';
import type { Issuance } from '#libs/ledger/facts.ts';
import { fullFoldCost } from '#libs/ledger/fold-cost.ts';
import { amountOfJsonNumber } from '#libs/ledger/json-number.ts';
import type { Loan } from '#libs/ledger/loan.ts';
import { stateOf } from '#libs/ledger/loan-state.ts';
import type { StatedTerms } from '#libs/ledger/request-bodies.ts';
import type { Markets } from '#libs/product/markets/market.ts';
import type { Calendars } from '#libs/product/markets/registry.ts';
import type { OfferedTerms } from '#libs/product/product.ts';
import type { MoneyJson } from '#libs/schema/objects.ts';
import { isRefusal, type Refusal } from '#libs/schema/refusals.ts';

export type RehearsalInput = {
  readonly configurationId: string;
  readonly product: ProductVersion;
  readonly on: CivilDay;
  readonly markets: Markets;
  readonly calendars: Calendars;
};

export type RehearsalResult = {
  readonly current: BookOnDay;
  readonly rehearsed: BookOnDay;
  /** By Loan id. The product would not have offered these Loans; they stay as they were issued. */
  readonly refused: ReadonlyMap<string, Refusal>;
};

/** Yields from time to time, so that other requests are served in between. Each fact is folded once. */
export function* rehearse({ folded }: ClientBook, input: RehearsalInput): CooperativeTask<RehearsalResult> {
  const { on, calendars } = input;
  const refused = new Map<string, Refusal>();
  const record = yield* reissueLoans(folded, (issuance) => reissueUnderVersion(issuance, input, refused));
  const reissued = yield* foldRecord(record, calendars);
  const current = bookOnDay(folded, on, calendars);
  yield;
  return { current, rehearsed: bookOnDay(reissued, on, calendars), refused };
}

/** In folded steps. */
export function rehearsalCost({ folded }: ClientBook): number {
  return fullFoldCost(folded) + 2 * folded.loans.length * figuresCostInSteps;
}

function reissueUnderVersion(
  entry: FactEntry<Issuance>,
  { configurationId, product, markets }: RehearsalInput,
  refused: Map<string, Refusal>,
): FactEntry<Issuance> {
  const { fact } = entry;
  const { configuration, terms } = statedIssuance({ recorded: entry });
  if (configuration.id !== configurationId) return entry;
  const loan = planLoan(dropFixedPenaltyRate(terms, fact.terms.frame, product.offer), product, markets);
  if (!isRefusal(loan)) return { ...entry, fact: { ...fact, ...loan } };
  refused.set(fact.loanId, loan);
  return entry;
}

/**
 * Without a choice of the penalty rate, a Loan has the rate of its version even if the caller stated it. If the rehearsed
 * version gives no choice either, the Loan would have that version's rate.
 */
function dropFixedPenaltyRate(terms: StatedTerms, frame: PenaltyRateRange, offer: PenaltyRateRange): StatedTerms {
  if (hasChoice(frame) || hasChoice(offer)) return terms;
  const { penalty_rate: _fixed, ...rest } = terms;
  return rest;
}

type PenaltyRateRange = Pick<OfferedTerms, 'penaltyRateMin' | 'penaltyRateMax'>;

function hasChoice({ penaltyRateMin, penaltyRateMax }: PenaltyRateRange): boolean {
  return penaltyRateMin !== penaltyRateMax;
}

type RehearsedFigure = string | number | MoneyJson;

export type RehearsedLoanRow = {
  readonly loan_id: string;
  readonly client_id: string;
  readonly reference: string;
  readonly refused?: Pick<Refusal, 'code' | 'details'>;
  readonly changes: readonly {
    readonly figure: string;
    readonly is: RehearsedFigure;
    readonly would_be: RehearsedFigure;
    /** Of money: the rehearsed amount less the current one. */
    readonly difference?: MoneyJson;
  }[];
  /** Present only where the book was not computed. */
  readonly anomalies?: readonly Anomaly[];
};

type LoanIdentity = { readonly loanId: string; readonly clientId: string; readonly reference: string };

/** The row of a Loan whose book cannot be derived. */
export function underivableRehearsalRow({ loanId, clientId, reference }: LoanIdentity): RehearsedLoanRow {
  return { loan_id: loanId, client_id: clientId, reference, changes: [], anomalies: [bookNotDerivable()] };
}

/** The row of a Loan whose book costs more than a request may. */
export function tooLargeRehearsalRow(loan: LoanIdentity): RehearsedLoanRow {
  const { loanId, clientId, reference } = loan;
  return { loan_id: loanId, client_id: clientId, reference, changes: [], anomalies: [bookTooLarge()] };
}

/** Undefined where the rehearsal changes nothing of the Loan. */
export function rehearsedLoanRow(
  { current, rehearsed, refused }: RehearsalResult,
  order: number,
  clientId: string,
): RehearsedLoanRow | undefined {
  const loan = current.loans[order] as Loan;
  const [before, after] = [figuresOf(current, order), figuresOf(rehearsed, order)];
  const changes = Object.entries(before).flatMap(([figure, value]) =>
    changeOf(figure, value, after[figure] as RehearsedFigure),
  );
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

function figuresOf(bookDay: BookOnDay, order: number): { readonly [figure: string]: RehearsedFigure } {
  const loan = bookDay.loans[order] as Loan;
  const { currency } = loan.terms;
  const { overdue, late, payoff } = loanPaymentOptions(bookDay, loan);
  return {
    state: stateOf(loan),
    payments: moneyFigure(totalPayments(loan.issued), currency),
    outstanding: moneyFigure(unpaidPrincipal(loan), currency),
    overdue: overdue.total,
    late: late?.owed.total ?? moneyFigure(0n, currency),
    worst_days_past_due: late?.worst_days_past_due ?? 0,
    payoff: payoff.owed.total,
    paid: moneyFigure(loan.paid, currency),
  };
}

function changeOf(figure: string, is: RehearsedFigure, wouldBe: RehearsedFigure): RehearsedLoanRow['changes'] {
  if (typeof is !== 'object' || typeof wouldBe !== 'object') {
    return is === wouldBe ? [] : [{ figure, is, would_be: wouldBe }];
  }
  const difference = amountOfJsonNumber(wouldBe.minor_units) - amountOfJsonNumber(is.minor_units);
  if (difference === 0n) return [];
  return [{ figure, is, would_be: wouldBe, difference: moneyFigure(difference, is.currency) }];
}
