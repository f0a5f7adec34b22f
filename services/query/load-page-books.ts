/**
 * Loads the books behind a page of Clients or Loans, as of the moment in which Postgres answered the page. A book that
 * cannot be derived does not fail the page: its Loans are answered with what is recorded of them.
 */
import { formatMoment } from '#libs/calendar/moment.ts';
import type { BookPosition, LoadedBook } from '#libs/database/books.ts';
import { isStateRequested, type ListedLoan, type RecordedLoan, readRecordedLoans } from '#libs/database/read-loans.ts';
import { loanInBook } from '#libs/ledger/admit.ts';
import type { UnderivableLoan } from '#libs/ledger/answers/loan-listing.ts';
import { clientBookId } from '#libs/ledger/book-id.ts';
import { asOfSequence, type ClientBook, requireLoanOrder } from '#libs/ledger/client/client-book.ts';
import type { Issuance } from '#libs/ledger/facts.ts';
import { type LoanState, stateOf } from '#libs/ledger/loan-state.ts';
import { readFact } from '#libs/ledger/stored-facts.ts';
import type { JsonObject } from '#libs/schema/json.ts';
import type { BookRequest, BookScope, LoanInBook, ReadContext } from './read-context.ts';

export class UnderivableBook {
  readonly cause: unknown;

  constructor(cause: unknown) {
    this.cause = cause;
  }
}

export type PageBook = ClientBook | UnderivableBook;

/** A Client, and the position of the book when the page was read. */
export type ClientAtPosition = BookPosition & { readonly clientId: string };

export type LoanWithBook = { readonly loan: ListedLoan; readonly book: PageBook };

/** By Client id. */
export async function loadPageBooks(
  context: ReadContext,
  { tenancy, timing }: BookScope,
  clients: readonly ClientAtPosition[],
): Promise<ReadonlyMap<string, PageBook>> {
  const distinct = [...new Map(clients.map((client) => [client.clientId, client])).values()];
  const keys = distinct.map(({ clientId, sequence, recordedAt }) => ({
    tenantId: tenancy.id,
    bookId: clientBookId(clientId),
    sequence,
    recordedAt,
  }));
  const loaded = await context.books.loadAtPositions(keys, timing);
  return timing.measure('derive', () => {
    const bookAt = ({ book, replayError }: LoadedBook<ClientBook>, sequence: number): PageBook =>
      replayError === undefined
        ? deriveFromBook(book, (latest) => asOfSequence(latest, sequence, context.calendars))
        : new UnderivableBook(replayError);
    return new Map(
      distinct.map(({ clientId, sequence }, index) => [
        clientId,
        bookAt(loaded[index] as LoadedBook<ClientBook>, sequence),
      ]),
    );
  });
}

interface FoundLoans {
  readonly loans: readonly ListedLoan[];
  /** The requested state; undefined for all Loans except held and voided ones. */
  readonly state?: string | undefined;
}

/**
 * The stored state only finds Loans: it is compared with the fold of each book, and a Loan whose folded state was not
 * requested is left out. Where a book cannot be derived, the stored state is all that is known.
 */
export async function loadLoanBooks(
  context: ReadContext,
  request: BookRequest,
  { loans, state: requested }: FoundLoans,
): Promise<LoanWithBook[]> {
  const books = await loadPageBooks(context, request, loans);
  const mismatches: LoanStateMismatch[] = [];
  const page = loans.flatMap((loan) => {
    const withBook = { loan, book: books.get(loan.clientId) as PageBook };
    const folded = deriveFromLoan(withBook, ({ book, order }) => stateOf(loanInBook(book.folded, order)));
    if (folded instanceof UnderivableBook || folded === loan.state) return [withBook];
    mismatches.push({ loan_id: loan.loanId, client_id: loan.clientId, stored: loan.state, folded });
    return isStateRequested(folded, requested) ? [withBook] : [];
  });
  reportMismatches(context, request, mismatches);
  return page;
}

interface LoanStateMismatch {
  readonly loan_id: string;
  readonly client_id: string;
  readonly stored: string;
  readonly folded: LoanState;
}

/** Logs once for a whole page. */
function reportMismatches(
  { logger, loanStateMismatches }: ReadContext,
  { tenancy }: BookRequest,
  loans: readonly LoanStateMismatch[],
): void {
  if (loans.length === 0) return;
  loanStateMismatches.inc(loans.length);
  logger.error(
    { event: 'query.loan_state_mismatch', tenant_id: tenancy.id, loans },
    'the stored state of Loans differs from the fold of their books; the page follows the fold',
  );
}

/** Passes an underivable book on, and turns an error of `derive` into one. */
export function deriveFromBook<T>(book: PageBook, derive: (book: ClientBook) => T): T | UnderivableBook {
  if (book instanceof UnderivableBook) return book;
  try {
    return derive(book);
  } catch (cause) {
    return new UnderivableBook(cause);
  }
}

export function deriveFromLoan<T>({ loan, book }: LoanWithBook, derive: (loan: LoanInBook) => T): T | UnderivableBook {
  return deriveFromBook(book, (derivable) =>
    derive({ book: derivable, order: requireLoanOrder(derivable, loan.loanId) }),
  );
}

/** Logs once for a whole page. */
export function logUnderivableBooks(
  { logger }: Pick<ReadContext, 'logger'>,
  { tenancy }: BookScope,
  books: ReadonlyMap<string, UnderivableBook>,
): void {
  const [first] = books.values();
  if (first === undefined) return;
  const bookIds = [...books.keys()].map(clientBookId);
  logger.error(
    { event: 'query.book_underivable', err: first.cause, tenant_id: tenancy.id, book_ids: bookIds },
    'failed to derive books; a page shows only what is recorded of their Loans',
  );
}

interface DerivedPage<T> {
  readonly page: readonly LoanWithBook[];
  /** In the order of the page. */
  readonly derived: readonly (T | UnderivableBook)[];
  /** What is shown of a Loan whose book cannot be derived. */
  readonly underivableRow: (loan: UnderivableLoan) => T;
}

/** The rows of a page, in its order, with underivable ones replaced and logged. */
export async function replaceUnderivable<T>(
  context: ReadContext,
  request: BookRequest,
  { page, derived, underivableRow }: DerivedPage<T>,
): Promise<T[]> {
  const underivableBooks = new Map<string, UnderivableBook>();
  const underivableLoans = page.flatMap(({ loan }, index) => {
    const result = derived[index];
    if (!(result instanceof UnderivableBook)) return [];
    underivableBooks.set(loan.clientId, result);
    return [loan];
  });
  logUnderivableBooks(context, request, underivableBooks);
  const recorded = await readUnderivableLoans(context, request, underivableLoans);
  return derived.map((result, index) =>
    result instanceof UnderivableBook
      ? underivableRow(recorded.get(page[index]?.loan.loanId as string) as UnderivableLoan)
      : result,
  );
}

/** By Loan id. */
async function readUnderivableLoans(
  { database }: ReadContext,
  { tenancy, timing }: BookRequest,
  loans: readonly ListedLoan[],
): Promise<ReadonlyMap<string, UnderivableLoan>> {
  if (loans.length === 0) return new Map();
  const loanIds = loans.map(({ loanId }) => loanId);
  const recorded = await readRecordedLoans(database, timing, { tenantId: tenancy.id, loanIds });
  return new Map(
    loans.map(({ loanId, state }) => {
      const { issuance, ...loan } = recorded.get(loanId) as RecordedLoan;
      const issued = issuance === undefined ? {} : readIssuance(issuance);
      return [loanId, { id: loanId, tenantId: tenancy.id, ...loan, state: state as LoanState, ...issued }];
    }),
  );
}

/** An unreadable issuance counts as missing. */
function readIssuance({ body, recordedAt }: NonNullable<RecordedLoan['issuance']>): Pick<UnderivableLoan, 'issuance'> {
  try {
    const { fact } = readFact('issued', JSON.parse(body) as JsonObject, () => 0);
    return { issuance: { fact: fact as Issuance, at: formatMoment(recordedAt) } };
  } catch {
    return {};
  }
}
