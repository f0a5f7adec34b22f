/** In place of what cannot be derived of a Loan on a page: what is recorded of it by itself. */

import { formatMoment } from '#libs/calendar/moment.ts';
import type { FoundLoan } from '#libs/database/read-loans.ts';
import { type RecordedLoan, recordedLoans } from '#libs/database/recorded-loans.ts';
import type { LoanByItself } from '#libs/ledger/answers/recorded-row.ts';
import type { Issuance } from '#libs/ledger/facts.ts';
import type { LoanState } from '#libs/ledger/state.ts';
import { readFact } from '#libs/ledger/stored-facts.ts';
import type { JsonObject } from '#libs/schema/json.ts';
import type { LoanOnPage } from './loan-pages.ts';
import type { BookRequest, ReadContext } from './reads.ts';
import { sayUnsound, Unsound } from './underivable-book.ts';

/** What was derived of each Loan of a page, in their order, and of the others what `tell` makes of what is recorded. */
export async function toldOfAll<T>(
  reads: ReadContext,
  asking: BookRequest,
  {
    page,
    derived,
    tell,
  }: {
    readonly page: readonly LoanOnPage[];
    readonly derived: readonly (T | Unsound)[];
    readonly tell: (loan: LoanByItself) => T;
  },
): Promise<T[]> {
  const unsound = new Map<string, Unsound>();
  const untold = page.flatMap(({ loan }, at) => {
    const each = derived[at];
    if (!(each instanceof Unsound)) return [];
    unsound.set(loan.clientId, each);
    return [loan];
  });
  sayUnsound(reads, asking, unsound);
  const recorded = await byThemselves(reads, asking, untold);
  return derived.map((each, at) =>
    each instanceof Unsound ? tell(recorded.get(page[at]?.loan.loanId as string) as LoanByItself) : each,
  );
}

async function byThemselves(
  { database }: ReadContext,
  { tenancy, timing }: BookRequest,
  loans: readonly FoundLoan[],
): Promise<ReadonlyMap<string, LoanByItself>> {
  if (loans.length === 0) return new Map();
  const loanIds = loans.map(({ loanId }) => loanId);
  const recorded = await recordedLoans(database, timing, { tenantId: tenancy.id, loanIds });
  return new Map(
    loans.map(({ loanId, state }) => {
      const { issuance, ...loan } = recorded.get(loanId) as RecordedLoan;
      const issued = issuance === undefined ? {} : readIssuance(issuance);
      return [loanId, { id: loanId, tenantId: tenancy.id, ...loan, state: state as LoanState, ...issued }];
    }),
  );
}

/** What cannot be read is as if it were missing. */
function readIssuance({ body, recordedAt }: NonNullable<RecordedLoan['issuance']>): Pick<LoanByItself, 'issuance'> {
  try {
    const { fact } = readFact('issued', JSON.parse(body) as JsonObject, () => 0);
    return { issuance: { fact: fact as Issuance, at: formatMoment(recordedAt) } };
  } catch {
    return {};
  }
}
