/** Reads what the page of a Loan shows, at both clocks. */
import { addDays, formatDay, parseDay } from '#libs/calendar/civil-day.ts';
import type {
  Delinquency,
  Loan,
  LoanPaymentOptions,
  LoanSchedule,
  LoanStatement,
  PayoffQuotePage,
} from '#libs/sdk/src/contract/shapes.ts';
import type { Lending } from '#libs/sdk/src/lending.ts';
import { type Clocks, clockParameters, knownParameter } from '../../clocks.ts';
import { orUndefined } from '../../optional-read.ts';
import { readBookSize } from '../clients/read-client.ts';

export interface LoanFigures {
  readonly schedule: LoanSchedule;
  readonly delinquency: Delinquency;
  readonly statement: LoanStatement;
}

export interface LoanView {
  /** As known at the moment of the clocks where the book is read whole; else by all facts recorded so far. */
  readonly loan: Loan;
  /** False where the Client's book is too large: a statement then covers few days, and there are no payment options. */
  readonly isBookWhole: boolean;
  /** Absent where the Loan was not known yet. */
  readonly figures: LoanFigures | undefined;
  readonly options: LoanPaymentOptions | undefined;
  readonly quotes: PayoffQuotePage;
}

const shownQuotes = 20;
/** A statement folds every fact about the Client in its days again. */
const statementDaysOfLargeBook = 31;

/** Eight reads at most. */
export async function readLoanView(api: Lending, loanId: string, clocks: Clocks): Promise<LoanView> {
  const latest = await api.readLoan({ loan_id: loanId });
  const clientId = latest.terms.client_id;
  const { isBounded: isBookWhole } = await readBookSize(api, clientId);
  const { anchor } = latest.terms;
  const [figures, quotes] = await Promise.all([
    readFigures(api, loanId, clocks, isBookWhole ? anchor : later(anchor, daysBefore(clocks.on))),
    api.listPayoffQuotes({ loan_id: loanId, limit: shownQuotes }),
  ]);
  const view = { loan: latest, isBookWhole, figures, quotes, options: undefined };
  if (!isBookWhole || figures === undefined) return view;
  const book = await api.readClientBook({ client_id: clientId, ...clockParameters(clocks) });
  const known = book.loans.find(({ loan }) => loan.id === loanId);
  if (known === undefined) throw new Error(`Loan ${loanId} has figures but is not in the book of ${clientId}`);
  return { ...view, loan: known.loan, options: known.payment_options };
}

/** The first day of a statement where the book is large. */
export function daysBefore(on: string): string {
  const day = parseDay(on);
  return day === undefined ? on : formatDay(addDays(day, -statementDaysOfLargeBook));
}

function later(a: string, b: string): string {
  return a > b ? a : b;
}

/** Undefined where the Loan was not known at the moment of the clocks. */
async function readFigures(
  api: Lending,
  loanId: string,
  clocks: Clocks,
  firstDay: string,
): Promise<LoanFigures | undefined> {
  const at = { loan_id: loanId, ...clockParameters(clocks) };
  // Before its anchor a Loan reads as on its anchor.
  const range = { from: firstDay < clocks.on ? firstDay : clocks.on, to: clocks.on };
  const [schedule, delinquency, statement] = await Promise.all([
    orUndefined(api.readSchedule(at)),
    orUndefined(api.readDelinquency(at)),
    orUndefined(api.readLoanStatement({ loan_id: loanId, ...range, ...knownParameter(clocks) })),
  ]);
  if (schedule === undefined || delinquency === undefined || statement === undefined) return undefined;
  return { schedule, delinquency, statement };
}
