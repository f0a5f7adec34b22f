/** What is recorded of a Loan by itself and never changes, for whom the book it stands in tells nothing. */
import type { Moment } from '#libs/calendar/moment.ts';
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

/** A book's facts are walked once, however many of its Loans are asked for. */
const text = `
  WITH named AS MATERIALIZED (SELECT * FROM loans WHERE tenant_id = $1 AND loan_id = ANY ($2::uuid[])),
    issued AS MATERIALIZED (
      SELECT f.loan_id, json_build_array(f.body::text, f.recorded_at) AS issuance
      FROM (SELECT DISTINCT 'c/' || client_id AS book_id FROM named) b
      JOIN facts f ON f.tenant_id = $1 AND f.book_id = b.book_id AND f.kind = 'issued')
  SELECT l.loan_id, l.client_id, l.reference, l.configuration_id, l.configuration_version, l.merchant_ref,
    (SELECT i.issuance FROM issued i WHERE i.loan_id = l.loan_id) AS issuance
  FROM named l`;

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
