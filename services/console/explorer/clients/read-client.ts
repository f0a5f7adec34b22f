/**
 * Reads what the page of a Client shows. A book of bounded size is read whole, as of one moment; of a larger one only
 * first pages are read.
 */
import type {
  Bar,
  BookVersion,
  Client,
  ClientBook,
  FacilityDrawn,
  LoanPage,
  Obligations,
  ReceiptPage,
  Statement,
} from '#libs/sdk/src/contract/shapes.ts';
import type { Lending } from '#libs/sdk/src/lending.ts';
import { type Clocks, clockParameters, knownParameter } from '../../clocks.ts';
import type { PartialReads } from '../../read-parts.ts';

/** Of a book that is read whole: its answer has all Loans with the periods of their plans, and all Receipts. */
export const wholeBook = {
  facts: 700,
  loans: 70,
  periods: 560,
  facilities: 50,
  /** A statement visits each Loan at each fact. */
  visits: 10_000,
} as const;

export interface LargeBook {
  readonly loans: LoanPage;
  readonly receipts: ReceiptPage;
  readonly obligations: Obligations;
  readonly facilities: readonly FacilityDrawn[];
  readonly hasMoreFacilities: boolean;
  readonly bar: Bar;
}

export interface ClientView {
  readonly registration: Client;
  readonly version: BookVersion;
  readonly book:
    | { readonly whole: ClientBook; readonly statement: Statement | undefined }
    | { readonly large: LargeBook };
}

const rowsOfLargeBook = 25;

export interface ClientReads {
  readonly api: Lending;
  readonly parts: PartialReads;
  readonly tenantId: string;
}

/** Eight reads at most. The first loads the book, which costs most, so that the others find it in memory. */
export async function readClientView(
  { api, parts, tenantId }: ClientReads,
  clientId: string,
  clocks: Clocks,
  cursor: string,
): Promise<ClientView> {
  const registration = await api.readClient({ client_id: clientId });
  const [{ version, isBounded }, { items: facilities, next }] = await Promise.all([
    readBookSize(api, clientId),
    parts.facilities(tenantId, clientId, { after: undefined, limit: wholeBook.facilities }),
  ]);
  const hasMoreFacilities = next !== undefined;
  if (isBounded && !hasMoreFacilities) {
    return { registration, version, book: await readWhole(api, clientId, clocks) };
  }
  const large = { ...(await readLarge(api, clientId, clocks, cursor)), facilities, hasMoreFacilities };
  return { registration, version, book: { large } };
}

export interface BookSize {
  readonly version: BookVersion;
  readonly isBounded: boolean;
  /** The newest; all of them in a book of bounded size. */
  readonly loans: LoanPage['loans'];
}

/** Two reads whose cost does not depend on the size. */
export async function readBookSize(api: Lending, clientId: string): Promise<BookSize> {
  const [version, { loans, cursor }] = await Promise.all([
    api.readBookVersion({ client_id: clientId }),
    api.listLoans({ client_id: clientId, limit: wholeBook.loans }),
  ]);
  const periods = loans.reduce((sum, loan) => sum + periodsOf(loan), 0);
  const { facts } = version;
  const isBounded =
    cursor === undefined &&
    facts <= wholeBook.facts &&
    periods <= wholeBook.periods &&
    facts * loans.length <= wholeBook.visits;
  return { version, isBounded, loans };
}

/** As issued, or as replanned since where that is more. */
function periodsOf(loan: LoanPage['loans'][number]): number {
  const { term_periods: issued = 0 } = loan;
  return 'settled_periods' in loan ? Math.max(issued, loan.settled_periods + (loan.remaining_periods ?? 0)) : issued;
}

async function readWhole(api: Lending, clientId: string, clocks: Clocks) {
  const whole = await api.readClientBook({ client_id: clientId, ...clockParameters(clocks) });
  const [first] = whole.loans.map(({ loan }) => loan.terms.anchor).sort();
  if (first === undefined || first > clocks.on) return { whole, statement: undefined };
  const range = { from: first, to: clocks.on };
  const statement = await api.readStatement({ client_id: clientId, ...range, ...knownParameter(clocks) });
  return { whole, statement };
}

async function readLarge(api: Lending, clientId: string, clocks: Clocks, cursor: string) {
  const client = { client_id: clientId };
  const from = cursor === '' ? {} : { cursor };
  const [loans, receipts, obligations, bar] = await Promise.all([
    api.listLoans({ ...client, on: clocks.on, limit: rowsOfLargeBook, ...from }),
    api.listReceipts({ ...client, limit: 10 }),
    api.readObligations({ ...client, limit: 10 }),
    // As of now: a moment of the past would fold the whole book again.
    api.readBar({ ...client, on: clocks.on }),
  ]);
  return { loans, receipts, obligations, bar };
}
