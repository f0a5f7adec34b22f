/** Reported money, and its reversal. */

import { dayOf } from '#libs/calendar/civil-day.ts';
import { receiptAnswer } from '#libs/ledger/answers/receipt.ts';
import { type ClientBook, knownOrder, orderIn } from '#libs/ledger/client/client-book.ts';
import { accountIn, admitted, type Decide, minted, type Setting } from '#libs/ledger/client/decision.ts';
import type { RecordedReceipt } from '#libs/ledger/fact-record.ts';
import type { StepOutcome } from '#libs/ledger/fold.ts';
import { type ReceiptBody, readFact, type StoredReceipt } from '#libs/ledger/stored-facts.ts';
import type { JsonObject } from '#libs/schema/json.ts';
import { isRefusal, type Refusal, refuse } from '#libs/schema/refusals.ts';

const reportReceipt: Decide = (book, submission, setting) => {
  const body = submission.body as ReceiptBody;
  const misplaced = misplacedIn(book, body);
  if (misplaced !== undefined) return misplaced;
  const bare = { id: minted(submission, 0), receipt: body } as StoredReceipt;
  const quote = quoteNamed(book, body);
  // The quote is asked of last, of a Receipt that is taken otherwise.
  const taken = take(book, isRefusal(quote) || quote === undefined ? bare : { ...bare, quote }, setting);
  if (isRefusal(taken)) return taken;
  if (isRefusal(quote)) return quote;
  const { kept, added } = taken;
  const { reference, value_date } = body;
  return {
    facts: [{ ...kept, counts: true, occurredOn: dayOf(value_date) }],
    book: added.after,
    subject: bare.id,
    answer: () => ({ status: 201, body: receiptText(added.after, reference, setting, added.outcome) }),
  };
};

function take(book: ClientBook, stored: StoredReceipt, setting: Setting) {
  const kept = { kind: 'receipt_reported', body: JSON.stringify(stored) };
  const read = readFact(kept.kind, stored as unknown as JsonObject, (loanId) => knownOrder(book, loanId));
  const added = admitted(book, read, kept, setting);
  return isRefusal(added) ? added : { kept, added };
}

/** Of whom and for which Loan: what is asked before the money itself. */
function misplacedIn(book: ClientBook, body: ReceiptBody): Refusal | undefined {
  const { designated_loan_id: designated } = body;
  if (book.registration === undefined) return refuse('unknown_client', { field: '/client_id' });
  const unknown = designated !== undefined && orderIn(book, designated) === undefined;
  return unknown ? refuse('unknown_loan', { field: '/designated_loan_id' }) : undefined;
}

/** The quote a report names: one of this Client's, and of the designated Loan where there is one. */
function quoteNamed(book: ClientBook, body: ReceiptBody): StoredReceipt['quote'] | Refusal {
  const { quote_id, designated_loan_id: designated } = body;
  if (quote_id === undefined) return undefined;
  const quote = book.quotes.find(({ id }) => id === quote_id.toLowerCase());
  const other = quote !== undefined && designated !== undefined && quote.loanId !== designated.toLowerCase();
  if (quote === undefined || other) return refuse('no_quote', { field: '/quote_id' });
  return { loan_id: quote.loanId, total: quote.owed.total.minor_units };
}

const reverseReceipt: Decide = (book, submission, setting) => {
  const { act, stated } = accountIn(submission.body);
  const receipt = String(submission.params['receipt_reference']);
  const reference = act['reference'] as string;
  const reason = stated['reason'] as string;
  const kept = { kind: 'receipt_reversed', body: JSON.stringify({ receipt, reason, act }) };
  const added = admitted(
    book,
    { fact: { type: 'reversal', reference, receipt }, told: { ...act, reason } },
    kept,
    setting,
  );
  if (isRefusal(added)) return added;
  return {
    facts: [{ ...kept, counts: true }],
    book: added.after,
    subject: minted(submission, 0),
    answer: () => ({ status: 201, body: receiptText(added.after, receipt, setting) }),
  };
};

export const receiptActs: { readonly [operation: string]: Decide } = { reportReceipt, reverseReceipt };

/** A recorded Receipt of the book. */
export function receiptNamed(book: ClientBook, reference: string): RecordedReceipt | undefined {
  return book.folded.log.receipt(book.folded.length, reference);
}

export function receiptText(
  book: ClientBook,
  reference: string,
  { calendars }: Pick<Setting, 'calendars'>,
  known?: StepOutcome,
): string {
  const recorded = receiptNamed(book, reference);
  if (recorded === undefined) throw new Error('a Receipt just recorded is in its book');
  return JSON.stringify(receiptAnswer(book.folded, recorded, book.clientId, calendars, known));
}
