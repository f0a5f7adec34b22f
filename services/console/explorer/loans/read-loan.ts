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
  readonly options: LoanPaymentOptions;
  readonly delinquency: Delinquency;
  readonly statement: LoanStatement;
}

export interface LoanView {
  /** As known at the moment of the clocks; where it was not recorded yet, by all facts recorded so far. */
  readonly loan: Loan;
  /** False where the Client's book is too large: the statement then covers few days. */
  readonly isStatementWhole: boolean;
  /** Absent where the Loan was not known yet. */
  readonly figures: LoanFigures | undefined;
  readonly quotes: PayoffQuotePage;
}

const shownQuotes = 20;
/** A statement folds every fact about the Client in its days again. */
const statementDaysOfLargeBook = 31;

/** Six reads. The first loads the book, which costs most, so that the others find it in memory. */
export async function readLoanView(api: Lending, loanId: string, clocks: Clocks): Promise<LoanView> {
  const at = { loan_id: loanId };
  const onDay = { ...at, ...clockParameters(clocks) };
  const explained = await orUndefined(api.explainLoan(onDay));
  if (explained === undefined) {
    const loan = await api.readLoan(at);
    return { loan, isStatementWhole: false, figures: undefined, quotes: { quotes: [] } };
  }
  const { loan, schedule, payment_options: options, client_id: clientId } = explained;
  const { isBounded } = await readBookSize(api, clientId);
  const range = statementRange(loan.terms.anchor, clocks.on, isBounded);
  const [delinquency, statement, quotes] = await Promise.all([
    api.readDelinquency(onDay),
    api.readLoanStatement({ ...at, ...range, ...knownParameter(clocks) }),
    api.listPayoffQuotes({ ...at, limit: shownQuotes }),
  ]);
  return { loan, isStatementWhole: isBounded, figures: { schedule, options, delinquency, statement }, quotes };
}

/** The first day of a statement where the book is large. */
export function daysBefore(on: string): string {
  const day = parseDay(on);
  return day === undefined ? on : formatDay(addDays(day, -statementDaysOfLargeBook));
}

/** Before its anchor a Loan reads as on its anchor. */
function statementRange(
  anchor: string,
  on: string,
  isBounded: boolean,
): { readonly from: string; readonly to: string } {
  const first = isBounded || anchor > daysBefore(on) ? anchor : daysBefore(on);
  return { from: first < on ? first : on, to: on };
}
