import { formatDay } from '#libs/calendar/civil-day.ts';
import { loanAt } from '#libs/ledger/admit.ts';
import { type Money, money } from '#libs/ledger/answers/figures.ts';
import { type ConfigurationPin, type IssuanceTold, type Standing, standing } from '#libs/ledger/answers/loan.ts';
import type { Book } from '#libs/ledger/book.ts';
import type { LoanRecord } from '#libs/ledger/fact-record.ts';
import { formatRate } from '#libs/money/rate.ts';
import type { LoanTerms } from '#libs/product/terms.ts';

export type ListingRow = Omit<Standing, 'state'> & {
  readonly state: Standing['state'] | 'expired';
  readonly id: string;
  readonly reference: string;
  readonly tenant_id: string;
  readonly client_id: string;
  readonly merchant_ref?: string;
  readonly configuration: ConfigurationPin;
  readonly principal: Money;
  readonly term_periods: number;
  readonly rate: string;
  readonly fee: Money;
  readonly penalty_rate: string;
  readonly anchor: string;
  readonly created_at: string;
  readonly written_off_on?: string;
};

export type Holder = { readonly tenantId: string; readonly clientId: string };

/** What the issuance alone says, and nothing after it changes. */
export function asIssued(terms: LoanTerms, at: string) {
  const { currency } = terms;
  return {
    principal: money(terms.principal, currency),
    term_periods: terms.termPeriods,
    rate: formatRate(terms.rate),
    fee: money(terms.originationFee, currency),
    penalty_rate: formatRate(terms.penaltyRate),
    anchor: formatDay(terms.anchor),
    created_at: at,
  };
}

/** A Loan as a listing shows it: its state and figures as its own read folds them, its terms as issued. */
export function listingRow(book: Book, order: number, { tenantId, clientId }: Holder): ListingRow {
  const { issuance, recorded } = book.loans[order] as LoanRecord;
  const loan = loanAt(book, order);
  const { configuration, terms: stated } = recorded.told as unknown as IssuanceTold;
  const merchant = stated['merchant_ref'] as string | undefined;
  const stands = standing(book, loan);
  const writtenOff = stands.state === 'written_off' ? loan.writeOff : undefined;
  return {
    id: loan.id,
    reference: loan.reference,
    tenant_id: tenantId,
    client_id: clientId,
    ...(merchant === undefined ? {} : { merchant_ref: merchant }),
    configuration,
    ...asIssued(issuance.terms, recorded.at),
    ...stands,
    ...(writtenOff === undefined ? {} : { written_off_on: formatDay(writtenOff.on) }),
  };
}
