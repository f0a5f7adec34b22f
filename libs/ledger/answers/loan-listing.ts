/** A Loan as a row of a listing: from its book, without it where the book cannot be derived, and for a merchant. */

import { formatDay } from '#libs/calendar/civil-day.ts';
import { loanInBook } from '#libs/ledger/admit.ts';
import { moneyFigure } from '#libs/ledger/answers/amounts-json.ts';
import { type Anomaly, bookNotDerivable } from '#libs/ledger/answers/anomalies.ts';
import { type BookOnDay, isReachable } from '#libs/ledger/answers/book-on-day.ts';
import { overdueParts } from '#libs/ledger/answers/figure-parts.ts';
import {
  type ConfigurationPin,
  type LoanStanding,
  loanStanding,
  statedIssuance,
  totalPayments,
} from '#libs/ledger/answers/loan.ts';
import type { FoldedFacts } from '#libs/ledger/book.ts';
import type { LoanRecord } from '#libs/ledger/book-record.ts';
import { debtTotal, sumDebts, unpaidPrincipal } from '#libs/ledger/charges/debt.ts';
import type { Issuance } from '#libs/ledger/facts.ts';
import type { Loan } from '#libs/ledger/loan.ts';
import type { LoanState } from '#libs/ledger/loan-state.ts';
import { formatRate } from '#libs/money/rate.ts';
import type { LoanTerms } from '#libs/product/terms.ts';
import type { MoneyJson } from '#libs/schema/objects.ts';

export type LoanListingRow = Omit<LoanStanding, 'state'> &
  Readonly<ReturnType<typeof issuanceFigures>> & {
    readonly state: LoanStanding['state'] | 'expired';
    readonly id: string;
    readonly reference: string;
    readonly tenant_id: string;
    readonly client_id: string;
    readonly merchant_ref?: string;
    readonly configuration: ConfigurationPin;
    readonly written_off_on?: string;
  };

export type BookOwner = { readonly tenantId: string; readonly clientId: string };

/** The figures of the issuance, which no later fact changes. */
function issuanceFigures(terms: LoanTerms, at: string) {
  const { currency } = terms;
  return {
    principal: moneyFigure(terms.principal, currency),
    term_periods: terms.termPeriods,
    rate: formatRate(terms.rate),
    fee: moneyFigure(terms.originationFee, currency),
    penalty_rate: formatRate(terms.penaltyRate),
    anchor: formatDay(terms.anchor),
    created_at: at,
  };
}

export function loanListingRow(book: FoldedFacts, order: number, { tenantId, clientId }: BookOwner): LoanListingRow {
  const record = book.loans[order] as LoanRecord;
  const loan = loanInBook(book, order);
  const { configuration, terms } = statedIssuance(record);
  const standing = loanStanding(book, loan);
  const writtenOff = standing.state === 'written_off' ? loan.writeOff : undefined;
  return {
    id: loan.id,
    reference: loan.reference,
    tenant_id: tenantId,
    client_id: clientId,
    ...(terms.merchant_ref === undefined ? {} : { merchant_ref: terms.merchant_ref }),
    configuration,
    ...issuanceFigures(record.issuance.terms, record.recorded.at),
    ...standing,
    ...(writtenOff === undefined ? {} : { written_off_on: formatDay(writtenOff.on) }),
  };
}

/** What is stored about a single Loan, apart from its Client's book. */
export type UnderivableLoan = {
  readonly id: string;
  readonly reference: string;
  readonly tenantId: string;
  readonly clientId: string;
  readonly configuration: ConfigurationPin;
  readonly merchantRef?: string;
  /** The state after the last recorded fact. */
  readonly state: LoanState;
  /** Absent where the issuance cannot be read either. */
  readonly issuance?: { readonly fact: Pick<Issuance, 'terms' | 'plan'>; readonly at: string };
};

type IssuanceFigures = ReturnType<typeof issuanceFigures> & Pick<LoanStanding, 'totals'>;

export type UnderivableLoanRow = Pick<
  LoanListingRow,
  'id' | 'reference' | 'tenant_id' | 'client_id' | 'configuration' | 'state'
> &
  Partial<Pick<LoanListingRow, 'merchant_ref' | 'owes' | 'owed_to'> & IssuanceFigures> & {
    readonly anomalies: readonly Anomaly[];
  };

/** The row of a Loan whose book cannot be derived. It shows only what is stored about the Loan itself. */
export function underivableLoanRow(loan: UnderivableLoan): UnderivableLoanRow {
  const { merchantRef, state, issuance } = loan;
  return {
    id: loan.id,
    reference: loan.reference,
    tenant_id: loan.tenantId,
    client_id: loan.clientId,
    ...(merchantRef === undefined ? {} : { merchant_ref: merchantRef }),
    configuration: loan.configuration,
    ...(issuance === undefined ? {} : storedIssuanceFigures(issuance)),
    state,
    ...owedByState(state),
    anomalies: [bookNotDerivable()],
  };
}

function storedIssuanceFigures({ fact, at }: NonNullable<UnderivableLoan['issuance']>): IssuanceFigures {
  const { terms, plan } = fact;
  return {
    ...issuanceFigures(terms, at),
    totals: { payments: moneyFigure(totalPayments(plan.periods), terms.currency) },
  };
}

/** What the stored state alone says about the debt. */
function owedByState(state: LoanState): Pick<UnderivableLoanRow, 'owes' | 'owed_to'> {
  switch (state) {
    case 'active':
    case 'restructured':
      return { owes: true, owed_to: 'tenant' };
    case 'ceded':
      return { owes: true, owed_to: 'assignee' };
    case 'written_off':
      // Receipts may have discharged it, which the state does not show.
      return {};
    default:
      return { owes: false };
  }
}

/** `outstanding` is the principal that is unpaid on the day. */
export type MerchantRow = LoanListingRow & { readonly outstanding: MoneyJson };

/** A Loan of a merchant, and what it adds to the totals of its currency. */
export type MerchantLoan = {
  readonly row: MerchantRow;
  readonly currency: string;
  readonly sold: bigint;
  readonly returned: bigint;
  readonly outstanding: bigint;
  readonly overdue: bigint;
};

export function merchantLoanRow(bookDay: BookOnDay, order: number, owner: BookOwner): MerchantLoan {
  const loan = bookDay.loans[order] as Loan;
  const { currency, principal } = loan.terms;
  const outstanding = isReachable(loan, bookDay.on) ? unpaidPrincipal(loan) : 0n;
  return {
    row: { ...loanListingRow(bookDay.book, order, owner), outstanding: moneyFigure(outstanding, currency) },
    currency,
    sold: principal,
    returned: loan.returns.reduce((sum, { amount }) => sum + amount, 0n),
    outstanding,
    overdue: debtTotal(sumDebts(overdueParts(loan, bookDay.on))),
  };
}

/** Totals by currency. */
export function merchantTotals(loans: readonly MerchantLoan[]) {
  return [...new Set(loans.map(({ currency }) => currency))].sort().map((currency) => {
    const inCurrency = loans.filter((loan) => loan.currency === currency);
    const sum = (figure: 'sold' | 'returned' | 'outstanding' | 'overdue') =>
      moneyFigure(
        inCurrency.reduce((total, loan) => total + loan[figure], 0n),
        currency,
      );
    return {
      currency,
      loans: inCurrency.length,
      sold: sum('sold'),
      returned: sum('returned'),
      outstanding: sum('outstanding'),
      overdue: sum('overdue'),
    };
  });
}
