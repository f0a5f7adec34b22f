/** What is recorded of a Loan by itself and never changes, for whom the book it stands in tells nothing. */
import type { Moment } from '#libs/turn/moment.ts';
import type { Database } from './database.ts';
import { askTimed, type Watch } from './reading.ts';

export interface RecordedLoan {
  readonly loanId: string;
  readonly clientId: string;
  readonly reference: string;
  readonly configuration: { readonly id: string; readonly version: number };
  readonly merchantRef?: string;
  /** Absent where this very fact is missing. */
  readonly issuance?: { readonly body: string; readonly recordedAt: Moment };
}

/** A book's facts are walked for each of its Loans: whatever is asked, there is no other plan for it. */
const text = `
  SELECT l.loan_id, l.client_id, l.reference, l.configuration_id, l.configuration_version, l.merchant_ref,
    (SELECT json_build_array(f.body::text, f.recorded_at) FROM facts f
      WHERE f.tenant_id = l.tenant_id AND f.book_id = 'c/' || l.client_id AND f.kind = 'issued' AND f.loan_id = l.loan_id
      LIMIT 1) AS issuance
  FROM loans l WHERE l.tenant_id = $1 AND l.loan_id = ANY ($2::uuid[])`;

interface Row {
  readonly loan_id: string;
  readonly client_id: string;
  readonly reference: string;
  readonly configuration_id: string;
  readonly configuration_version: number;
  readonly merchant_ref: string | null;
  readonly issuance: readonly [body: string, recordedAt: Moment] | null;
}

/** By their identifiers. */
export async function recordedLoans(
  database: Database,
  watch: Watch,
  { tenantId, loanIds }: { readonly tenantId: string; readonly loanIds: readonly string[] },
): Promise<ReadonlyMap<string, RecordedLoan>> {
  const rows = await askTimed<Row>(database, watch, 'recorded_loans', text, [tenantId, loanIds]);
  return new Map(rows.map((row) => [row.loan_id, recordedLoan(row)]));
}

function recordedLoan(row: Row): RecordedLoan {
  const { loan_id: loanId, client_id: clientId, reference, merchant_ref: merchantRef, issuance } = row;
  return {
    loanId,
    clientId,
    reference,
    configuration: { id: row.configuration_id, version: row.configuration_version },
    ...(merchantRef === null ? {} : { merchantRef }),
    ...(issuance === null ? {} : { issuance: { body: issuance[0], recordedAt: issuance[1] } }),
  };
}
