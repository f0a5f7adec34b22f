/** What is due and unpaid: by Loan, by Client, and in total. */

import { moneyFigure } from '#libs/ledger/answers/amounts-json.ts';
import { type Anomaly, bookNotDerivable } from '#libs/ledger/answers/anomalies.ts';
import type { BookOnDay } from '#libs/ledger/answers/book-on-day.ts';
import { type LoanPaymentOptions, loanPaymentOptions } from '#libs/ledger/answers/payment-options.ts';
import { amountOfJsonNumber } from '#libs/ledger/json-number.ts';
import type { MoneyJson } from '#libs/schema/objects.ts';

export type DueLoan = Pick<LoanPaymentOptions, 'loan_id' | 'reference' | 'overdue' | 'late' | 'instalment'>;

export type DueTotal = { readonly currency: string; readonly overdue: MoneyJson; readonly late: MoneyJson };

export type ClientDues = {
  readonly client_id: string;
  readonly loans: readonly DueLoan[];
  readonly totals: readonly DueTotal[];
  /** Present only where the book cannot be derived. */
  readonly anomalies?: readonly Anomaly[];
};

/** Selects Loans that are late, or late by a number of days. */
export type DuesFilter = { readonly onlyLate: boolean; readonly minDaysPastDue?: number };

/** Undefined where the filter selects no Loan. */
export function clientDues(bookDay: BookOnDay, clientId: string, filter: DuesFilter): ClientDues | undefined {
  const loans = bookDay.loans
    .map((loan) => loanPaymentOptions(bookDay, loan))
    .filter((options) => amountOfJsonNumber(options.overdue.total.minor_units) > 0n && matchesFilter(options, filter))
    .map(dueLoan);
  return loans.length === 0 ? undefined : { client_id: clientId, loans, totals: totalsOf(loans) };
}

/** The dues of a book that cannot be derived. Whether they match a filter is unknown. */
export function underivableDues(clientId: string): ClientDues {
  return { client_id: clientId, loans: [], totals: [], anomalies: [bookNotDerivable()] };
}

function matchesFilter({ late }: LoanPaymentOptions, { onlyLate, minDaysPastDue }: DuesFilter): boolean {
  if (minDaysPastDue !== undefined) return late !== undefined && late.worst_days_past_due >= minDaysPastDue;
  return !onlyLate || late !== undefined;
}

function dueLoan({ loan_id, reference, overdue, late, instalment }: LoanPaymentOptions): DueLoan {
  return {
    loan_id,
    reference,
    overdue,
    ...(late === undefined ? {} : { late }),
    ...(instalment === undefined ? {} : { instalment }),
  };
}

function totalsOf(loans: readonly DueLoan[]): readonly DueTotal[] {
  const sums = new Map<string, { overdue: bigint; late: bigint }>();
  for (const { overdue, late } of loans) {
    const { currency } = overdue.total;
    const sum = sums.get(currency) ?? { overdue: 0n, late: 0n };
    sum.overdue += amountOfJsonNumber(overdue.total.minor_units);
    sum.late += amountOfJsonNumber(late?.owed.total.minor_units ?? 0);
    sums.set(currency, sum);
  }
  return [...sums]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([currency, { overdue, late }]) => ({
      currency,
      overdue: moneyFigure(overdue, currency),
      late: moneyFigure(late, currency),
    }));
}

/** Totals by currency, with the number of Clients that owe in it. */
export function duesTotals(clients: readonly ClientDues[]) {
  const totals = totalsOf(clients.flatMap(({ loans }) => loans));
  return totals.map(({ currency, ...sums }) => {
    const owing = clients.filter(({ totals: own }) => own.some((total) => total.currency === currency));
    return { currency, clients: owing.length, ...sums };
  });
}
