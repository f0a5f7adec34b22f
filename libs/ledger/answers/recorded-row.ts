/** A Loan's row in a listing where its Client's book cannot be derived: what is recorded of the Loan by itself, and no more. */
import { type Anomaly, bookNotDerivable } from '#libs/ledger/answers/anomalies.ts';
import { money } from '#libs/ledger/answers/figures.ts';
import { totalPayments } from '#libs/ledger/answers/issued.ts';
import { asIssued, type ListingRow } from '#libs/ledger/answers/listing-row.ts';
import type { ConfigurationPin, Standing } from '#libs/ledger/answers/loan.ts';
import type { Issuance } from '#libs/ledger/facts.ts';
import type { LoanState } from '#libs/ledger/state.ts';

export type LoanByItself = {
  readonly id: string;
  readonly reference: string;
  readonly tenantId: string;
  readonly clientId: string;
  readonly configuration: ConfigurationPin;
  readonly merchantRef?: string;
  /** As it was when the last fact was recorded. */
  readonly state: LoanState;
  /** Absent where it is missing too. */
  readonly issuance?: { readonly fact: Pick<Issuance, 'terms' | 'plan'>; readonly at: string };
};

type OfIssuance = ReturnType<typeof asIssued> & Pick<Standing, 'totals'>;

export type RecordedRow = Pick<ListingRow, 'id' | 'reference' | 'tenant_id' | 'client_id' | 'configuration' | 'state'> &
  Partial<Pick<ListingRow, 'merchant_ref' | 'owes' | 'owed_to'> & OfIssuance> & {
    readonly anomalies: readonly Anomaly[];
  };

export function recordedRow(loan: LoanByItself): RecordedRow {
  const { merchantRef, state, issuance } = loan;
  return {
    id: loan.id,
    reference: loan.reference,
    tenant_id: loan.tenantId,
    client_id: loan.clientId,
    ...(merchantRef === undefined ? {} : { merchant_ref: merchantRef }),
    configuration: loan.configuration,
    ...(issuance === undefined ? {} : ofIssuance(issuance)),
    state,
    ...owing(state),
    anomalies: [bookNotDerivable()],
  };
}

function ofIssuance({ fact, at }: NonNullable<LoanByItself['issuance']>): OfIssuance {
  const { terms, plan } = fact;
  return { ...asIssued(terms, at), totals: { payments: money(totalPayments(plan.periods), terms.currency) } };
}

/** As far as the state alone says it. */
function owing(state: LoanState): Pick<RecordedRow, 'owes' | 'owed_to'> {
  switch (state) {
    case 'active':
    case 'restructured':
      return { owes: true, owed_to: 'tenant' };
    case 'ceded':
      return { owes: true, owed_to: 'assignee' };
    case 'written_off':
      // Until Receipts have discharged it; whether they have, it does not say.
      return {};
    default:
      return { owes: false };
  }
}
