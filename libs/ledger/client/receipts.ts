/** Decides reported Receipts and their reversals. */

import { dayOf } from '#libs/calendar/civil-day.ts';
import { receiptAnswer } from '#libs/ledger/answers/receipt.ts';
import { admitToBook, type ClientOperation, type DecisionContext, mintedId } from '#libs/ledger/client/admission.ts';
import { type ClientBook, loanOrder, requireLoanOrder } from '#libs/ledger/client/client-book.ts';
import type { RecordedReceipt } from '#libs/ledger/fact-log.ts';
import type { StepOutcome } from '#libs/ledger/fold.ts';
import { type ReceiptBody, type ReversalBody, receiptBody, reversalBody } from '#libs/ledger/request-bodies.ts';
import { readFact, type StoredReceipt, type StoredReversal } from '#libs/ledger/stored-facts.ts';
import { splitAccount } from '#libs/schema/objects.ts';
import { isRefusal, type Refusal, refuse } from '#libs/schema/refusals.ts';

const reportReceipt: ClientOperation<ReceiptBody> = {
  body: receiptBody,
  decide(book, submission, context) {
    const receipt = submission.body;
    const refusal = checkReceiptTarget(book, receipt);
    if (refusal !== undefined) return refusal;
    const id = mintedId(submission, 0);
    const quote = findQuote(book, receipt);
    // An unknown quote is refused last, after every other check of the Receipt.
    const admitted = admitReceipt(book, isRefusal(quote) ? { id, receipt } : { id, receipt, ...quote }, context);
    if (isRefusal(admitted)) return admitted;
    if (isRefusal(quote)) return quote;
    const { stored, after, outcome } = admitted;
    // The answer must not keep the parsed body: it may take 20 times its text, and a batch holds hundreds.
    const { reference } = receipt;
    return {
      facts: [{ ...stored, counts: true, occurredOn: dayOf(receipt.value_date) }],
      book: after,
      subject: id,
      answer: () => ({ status: 201, body: receiptText(after, reference, context, outcome) }),
    };
  },
};

function admitReceipt(book: ClientBook, receipt: StoredReceipt, context: DecisionContext) {
  const stored = { kind: 'receipt_reported', body: JSON.stringify(receipt) };
  const fact = readFact(stored.kind, receipt, (loanId) => requireLoanOrder(book, loanId));
  const added = admitToBook(book, fact, stored, context);
  return isRefusal(added) ? added : { stored, after: added.after, outcome: added.outcome };
}

/** The Client is registered, and the designated Loan is one of its own. */
function checkReceiptTarget(book: ClientBook, { designated_loan_id: designated }: ReceiptBody): Refusal | undefined {
  if (book.registration === undefined) return refuse('unknown_client', { field: '/client_id' });
  const isUnknown = designated !== undefined && loanOrder(book, designated) === undefined;
  return isUnknown ? refuse('unknown_loan', { field: '/designated_loan_id' }) : undefined;
}

/** The quote that a Receipt names. It must be of this Client, and of the designated Loan if there is one. */
function findQuote(book: ClientBook, receipt: ReceiptBody): Pick<StoredReceipt, 'quote'> | Refusal {
  const { quote_id, designated_loan_id: designated } = receipt;
  if (quote_id === undefined) return {};
  const quote = book.quotes.find(({ id }) => id === quote_id.toLowerCase());
  const isOfOtherLoan = designated !== undefined && quote?.loanId !== designated.toLowerCase();
  if (quote === undefined || isOfOtherLoan) return refuse('no_quote', { field: '/quote_id' });
  return { quote: { loan_id: quote.loanId, total: quote.owed.total.minor_units } };
}

const reverseReceipt: ClientOperation<ReversalBody> = {
  body: reversalBody,
  decide(book, submission, context) {
    const [act, { reason }] = splitAccount(submission.body);
    const receipt = String(submission.params['receipt_reference']);
    const reversal: StoredReversal = { receipt, reason, act };
    const stored = { kind: 'receipt_reversed', body: JSON.stringify(reversal) };
    const fact = readFact(stored.kind, reversal, (loanId) => requireLoanOrder(book, loanId));
    const added = admitToBook(book, fact, stored, context);
    if (isRefusal(added)) return added;
    return {
      facts: [{ ...stored, counts: true }],
      book: added.after,
      subject: mintedId(submission, 0),
      answer: () => ({ status: 201, body: receiptText(added.after, receipt, context) }),
    };
  },
};

/** By operation. */
export const receiptOperations = { reportReceipt, reverseReceipt };

export function findReceipt(book: ClientBook, reference: string): RecordedReceipt | undefined {
  return book.folded.log.receipt(book.folded.length, reference);
}

/** Pass the outcome where it is `known`. Otherwise the book is folded again up to the Receipt. */
export function receiptText(
  book: ClientBook,
  reference: string,
  { calendars }: Pick<DecisionContext, 'calendars'>,
  known?: StepOutcome,
): string {
  const recorded = findReceipt(book, reference);
  if (recorded === undefined) throw new Error(`Receipt ${reference} is not in the book of Client ${book.clientId}`);
  return JSON.stringify(receiptAnswer(book.folded, recorded, book.clientId, calendars, known));
}
