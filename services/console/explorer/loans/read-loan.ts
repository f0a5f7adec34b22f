/** Reads what the page of a Loan shows, at both clocks. */
import type {
  Delinquency,
  Loan,
  LoanExplanation,
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
  /** Absent where the Client's book is too large: a statement visits all its Loans at each fact of the days. */
  readonly statement: LoanStatement | undefined;
  readonly receipts: Pick<LoanExplanation, 'receipts' | 'earlier_receipts'>;
}

export interface LoanView {
  /** As known at the moment of the clocks; where it was not recorded yet, by all facts recorded so far. */
  readonly loan: Loan;
  /** Absent where the Loan was not known yet. */
  readonly figures: LoanFigures | undefined;
  readonly quotes: PayoffQuotePage;
}

const shownQuotes = 20;
/** Six reads. The first loads the book, which costs most, so that the others find it in memory. */
export async function readLoanView(api: Lending, loanId: string, clocks: Clocks): Promise<LoanView> {
  const at = { loan_id: loanId };
  const onDay = { ...at, ...clockParameters(clocks) };
  const explained = await orUndefined(api.explainLoan(onDay));
  if (explained === undefined) {
    const loan = await api.readLoan(at);
    return { loan, figures: undefined, quotes: { quotes: [] } };
  }
  const { loan, schedule, payment_options: options, client_id: clientId } = explained;
  const { isBounded } = await readBookSize(api, clientId);
  const range = statementRange(loan.terms.anchor, clocks.on);
  const [delinquency, statement, quotes] = await Promise.all([
    api.readDelinquency(onDay),
    isBounded ? api.readLoanStatement({ ...at, ...range, ...knownParameter(clocks) }) : undefined,
    api.listPayoffQuotes({ ...at, limit: shownQuotes }),
  ]);
  return { loan, figures: { schedule, options, delinquency, statement, receipts: explained }, quotes };
}

/** Before its anchor a Loan reads as on its anchor. */
function statementRange(anchor: string, on: string): { readonly from: string; readonly to: string } {
  return { from: anchor < on ? anchor : on, to: on };
}
