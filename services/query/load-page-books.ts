/**
 * Loads the books behind a page of Clients or Loans, as of the moment in which Postgres answered the page. They are loaded
 * in portions, and a page keeps only the rows it derives from each. A book that cannot be derived does not fail the page:
 * its Loans are answered with what is recorded of them.
 */
import { formatMoment } from '#libs/calendar/moment.ts';
import type { LoadedBook, SizedBookPosition } from '#libs/database/books.ts';
import { isStateRequested, type ListedLoan, type RecordedLoan, readRecordedLoans } from '#libs/database/read-loans.ts';
import { loanInBook } from '#libs/ledger/admit.ts';
import type { UnderivableLoan } from '#libs/ledger/answers/loan-listing.ts';
import { clientBookId } from '#libs/ledger/book-id.ts';
import { asOfSequence, type ClientBook, requireLoanOrder } from '#libs/ledger/client/client-book.ts';
import type { Issuance } from '#libs/ledger/facts.ts';
import { type LoanState, stateOf } from '#libs/ledger/loan-state.ts';
import { readFact } from '#libs/ledger/stored-facts.ts';
import type { JsonObject } from '#libs/schema/json.ts';
import { submissionTimeoutMs, verdictGraceMs } from '#libs/submission/submitter.ts';
import type { BookRequest, BookScope, LoanInBook, ReadContext } from './read-context.ts';

export class UnderivableBook {
  readonly cause: unknown;

  constructor(cause: unknown) {
    this.cause = cause;
  }
}

export type PageBook = ClientBook | UnderivableBook;

/** A Client, and the position of the book when the page was read. */
export type ClientAtPosition = SizedBookPosition & { readonly clientId: string };

export interface BookOfClient {
  readonly clientId: string;
  readonly book: PageBook;
}

/** In the order of the Clients. Of one portion no book may be kept when the next is asked for. */
export async function* loadPageBooks(
  context: ReadContext,
  { tenancy, timing }: BookScope,
  clients: readonly ClientAtPosition[],
): AsyncGenerator<readonly BookOfClient[], void> {
  const distinct = [...new Map(clients.map((client) => [client.clientId, client])).values()];
  const keys = distinct.map(({ clientId, sequence, recordedAt, factBytes }) => ({
    tenantId: tenancy.id,
    bookId: clientBookId(clientId),
    sequence,
    recordedAt,
    factBytes,
  }));
  const bookAt = ({ book, replayError }: LoadedBook<ClientBook>, sequence: number): PageBook =>
    replayError === undefined
      ? deriveFromBook(book, (latest) => asOfSequence(latest, sequence, context.calendars))
      : new UnderivableBook(replayError);
  const waitUntil = timing.startedAt + submissionTimeoutMs + verdictGraceMs;
  let first = 0;
  for await (const loaded of context.books.loadAtPositions(keys, { timer: timing, waitUntil })) {
    const portion = distinct.slice(first, first + loaded.length);
    first += loaded.length;
    yield await timing.measure('derive', () =>
      portion.map(({ clientId, sequence }, index) => ({
        clientId,
        book: bookAt(loaded[index] as LoadedBook<ClientBook>, sequence),
      })),
    );
  }
}

interface FoundLoans {
  readonly loans: readonly ListedLoan[];
  /** The requested state; undefined for all Loans except held and voided ones. */
  readonly state?: string | undefined;
}

export interface LoansOfBook extends BookOfClient {
  /** In the order of the page. */
  readonly loans: readonly ListedLoan[];
}

/**
 * In the order in which the Clients appear on the page; of one portion no book may be kept when the next is asked for.
 * The stored state only finds Loans: it is compared with the fold of each book, and a Loan whose folded state was not
 * requested is left out. Where a book cannot be derived, the stored state is all that is known.
 */
export async function* loadLoanBooks(
  context: ReadContext,
  request: BookRequest,
  { loans, state: requested }: FoundLoans,
): AsyncGenerator<readonly LoansOfBook[], void> {
  const loansOf = Map.groupBy(loans, ({ clientId }) => clientId);
  const mismatches: LoanStateMismatch[] = [];
  const isShown = (loan: ListedLoan, pageBook: PageBook): boolean => {
    const folded = deriveFromLoan(loan, pageBook, ({ book, order }) => stateOf(loanInBook(book.folded, order)));
    if (folded instanceof UnderivableBook || folded === loan.state) return true;
    mismatches.push({ loan_id: loan.loanId, client_id: loan.clientId, stored: loan.state, folded });
    return isStateRequested(folded, requested);
  };
  try {
    for await (const books of loadPageBooks(context, request, loans)) {
      yield books.map(({ clientId, book }) => ({
        clientId,
        book,
        loans: (loansOf.get(clientId) ?? []).filter((loan) => isShown(loan, book)),
      }));
    }
  } finally {
    reportMismatches(context, request, mismatches);
  }
}

/** What a page shows of its Loans. */
export interface LoanRows<Row> {
  /** Called once for each book: what it returns makes the rows of all its Loans. */
  readonly rowOf: (book: ClientBook) => (loan: LoanInBook) => Row;
  /** What is shown of a Loan whose book cannot be derived. */
  readonly underivableRow: (loan: UnderivableLoan) => Row;
}

/** The rows of the Loans whose folded state was requested, in the order of the page. */
export async function deriveLoanRows<Row>(
  context: ReadContext,
  request: BookRequest,
  found: FoundLoans,
  { rowOf, underivableRow }: LoanRows<Row>,
): Promise<Row[]> {
  const derived: RowsByLoan<Row> = new Map();
  for await (const portion of loadLoanBooks(context, request, found)) {
    await request.timing.measure('derive', () => {
      for (const { book, loans } of portion) {
        const ofBook = deriveFromBook(book, rowOf);
        for (const loan of loans)
          derived.set(loan, ofBook instanceof UnderivableBook ? ofBook : deriveFromLoan(loan, book, ofBook));
      }
    });
  }
  const page = found.loans.filter((loan) => derived.has(loan));
  return replaceUnderivable(context, request, { page, derived, underivableRow });
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

export function deriveFromLoan<T>(
  loan: ListedLoan,
  book: PageBook,
  derive: (loan: LoanInBook) => T,
): T | UnderivableBook {
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

export type RowsByLoan<Row> = Map<ListedLoan, Row | UnderivableBook>;

interface DerivedPage<Row> extends Pick<LoanRows<Row>, 'underivableRow'> {
  readonly page: readonly ListedLoan[];
  /** Of each Loan of the page. */
  readonly derived: Readonly<RowsByLoan<Row>>;
}

/** The rows of a page, in its order, with underivable ones replaced and logged. */
export async function replaceUnderivable<Row>(
  context: ReadContext,
  request: BookRequest,
  { page, derived, underivableRow }: DerivedPage<Row>,
): Promise<Row[]> {
  const underivableBooks = new Map<string, UnderivableBook>();
  const underivableLoans = page.flatMap((loan) => {
    const result = derived.get(loan);
    if (!(result instanceof UnderivableBook)) return [];
    underivableBooks.set(loan.clientId, result);
    return [loan];
  });
  logUnderivableBooks(context, request, underivableBooks);
  const recorded = await readUnderivableLoans(context, request, underivableLoans);
  return page.map((loan) => {
    const result = derived.get(loan) as Row | UnderivableBook;
    return result instanceof UnderivableBook ? underivableRow(recorded.get(loan.loanId) as UnderivableLoan) : result;
  });
}

/** By Loan id. */
async function readUnderivableLoans(
  { databases }: ReadContext,
  { tenancy, timing }: BookRequest,
  loans: readonly ListedLoan[],
): Promise<ReadonlyMap<string, UnderivableLoan>> {
  if (loans.length === 0) return new Map();
  const recorded = await readRecordedLoans(databases, timing, { tenantId: tenancy.id, loans });
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
