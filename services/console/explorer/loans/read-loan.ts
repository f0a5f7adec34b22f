/** Reads what the page of a Loan shows, at both clocks. */
import { parseDay } from '#libs/calendar/civil-day.ts';
import type {
  Delinquency,
  Loan,
  LoanExplanation,
  LoanPaymentOptions,
  LoanSchedule,
  LoanStatement,
} from '#libs/sdk/src/contract/shapes.ts';
import type { Lending } from '#libs/sdk/src/lending.ts';
import { type Clocks, clockParameters, knownParameter, parseClocks } from '../../clocks.ts';
import type { LoanOnDay, NewestQuotes, PartialReads } from '../../read-parts.ts';
import type { StatementRange } from '../statement-range.ts';

export interface LoanFigures {
  readonly schedule: LoanSchedule;
  readonly options: LoanPaymentOptions;
  readonly delinquency: Delinquency;
  /** Absent where all days together cost too much: a statement folds each fact of the days over all Loans of the Client. */
  readonly statement: LoanStatement | undefined;
  readonly receipts: Pick<LoanExplanation, 'receipts' | 'earlier_receipts'>;
}

export interface LoanView {
  /** As known at the moment of the clocks; where there are no figures, by all facts recorded so far. */
  readonly loan: Loan;
  /** `not_known`: the Loan was not recorded yet. `too_costly`: the book is too large for the day, or for the moment. */
  readonly figures: LoanFigures | 'not_known' | 'too_costly';
  readonly quotes: NewestQuotes;
}

export interface LoanReads {
  readonly api: Lending;
  readonly parts: PartialReads;
  readonly tenantId: string;
}

const shownQuotes = 20;

/** Four reads. The first loads the book, which costs most, so that the others find it in memory. */
export async function readLoanView(reads: LoanReads, loanId: string, clocks: Clocks): Promise<LoanView> {
  const { api, parts, tenantId } = reads;
  const read = await readLoanOnDay(reads, loanId, clocks);
  const known = read === 'too_costly' ? {} : parseClocks(clocks)?.known;
  const quotes = await parts.newestQuotes({ tenantId, loanId, ...known }, shownQuotes);
  if (typeof read === 'string') {
    const figures = read === 'not_found' ? 'not_known' : read;
    return { loan: await api.readLoan({ loan_id: loanId }), figures, quotes };
  }
  const { explanation, delinquency } = read;
  const { loan, schedule, payment_options: options } = explanation;
  const statement = await readWholeStatement(reads, loan, clocks);
  return { loan, figures: { schedule, options, delinquency, statement, receipts: explanation }, quotes };
}

/** Clocks that cannot be read are refused by the API. */
export async function readLoanOnDay(
  { api, parts, tenantId }: LoanReads,
  loanId: string,
  clocks: Clocks,
): Promise<LoanOnDay | 'not_found' | 'too_costly'> {
  const parsed = parseClocks(clocks);
  if (parsed !== undefined) return parts.loanOnDay({ tenantId, loanId, ...parsed.known }, parsed.on);
  await api.explainLoan({ loan_id: loanId, ...clockParameters(clocks) });
  throw new Error(`the API accepted the day ${clocks.on} and the moment ${clocks.knownAt}, which cannot be read`);
}

/** Before its anchor a Loan reads as on its anchor. */
async function readWholeStatement(
  reads: LoanReads,
  { id, terms: { anchor } }: Loan,
  { on, ...clocks }: Clocks,
): Promise<LoanStatement | undefined> {
  const range = { ...clocks, from: anchor < on ? anchor : on, to: on };
  const statement = await readLastDays(reads, id, range);
  return typeof statement === 'object' && statement.from === range.from ? statement : undefined;
}

/**
 * The statement of a Loan over the range, or over as many of its last days as a page can pay in a large book. What cannot
 * be read is refused by the API.
 */
export async function readLastDays(
  { api, parts, tenantId }: LoanReads,
  loanId: string,
  range: StatementRange,
): Promise<LoanStatement | 'too_costly'> {
  const { from, to, knownAt } = range;
  const parsed = parseClocks({ on: to, ...(knownAt === undefined ? {} : { knownAt }) });
  const first = parseDay(from);
  if (parsed !== undefined && first !== undefined && first <= parsed.on) {
    const days = { from: first, to: parsed.on };
    const read = await parts.loanStatement({ tenantId, loanId, ...parsed.known }, days);
    if (read !== 'not_found') return read;
  }
  return api.readLoanStatement({ loan_id: loanId, from, to, ...knownParameter(range) });
}
