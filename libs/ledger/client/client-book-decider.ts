/** Decides the submissions to a Client's book, answers repeated requests, and encodes the book. */

import { manifest } from '#libs/ledger/acts/manifest.ts';
import type { BookDecider, RecordedReference, Submission } from '#libs/ledger/book-decider.ts';
import { requireClientId } from '#libs/ledger/book-id.ts';
import { loanOperations, loanText, quoteAnswer } from '#libs/ledger/client/acts.ts';
import type { ClientOperation, DecisionContext } from '#libs/ledger/client/admission.ts';
import {
  asOfSequence,
  type ClientBook,
  emptyClientBook,
  requireLoanOrder,
  withStoredFact,
} from '#libs/ledger/client/client-book.ts';
import { creditOperations, decisionText, facilityText, resolutionText } from '#libs/ledger/client/credit-operations.ts';
import { derivedRows } from '#libs/ledger/client/derived-rows.ts';
import { issuanceOperations } from '#libs/ledger/client/issuance.ts';
import { receiptOperations, receiptText } from '#libs/ledger/client/receipts.ts';
import { compactReceipts, decodeClientBook, encodeClientBook } from '#libs/ledger/client/snapshot.ts';
import { bookMovement } from '#libs/ledger/journal/book-movement.ts';
import type { Markets } from '#libs/product/markets/market.ts';
import { calendarsOf, MARKETS } from '#libs/product/markets/registry.ts';

export function clientBookDecider(markets: Markets = MARKETS, acts = manifest): BookDecider<ClientBook> {
  const operations: { readonly [name: string]: ClientOperation } = {
    ...issuanceOperations,
    ...loanOperations(acts),
    ...receiptOperations,
    ...creditOperations,
  };
  const calendars = calendarsOf(markets);
  return {
    empty: (tenantId, bookId) => emptyClientBook(tenantId, requireClientId(bookId)),
    decide(book, submission, at) {
      const operation = operations[submission.operation];
      if (operation === undefined) throw new Error(`unknown operation ${submission.operation} on the book of a Client`);
      return operation.decide(book, submission, { at, markets, calendars });
    },
    currentRecord: (book, submission, recorded) => ({
      status: 200,
      body: currentRecordText(book, submission, recorded, { calendars }),
    }),
    replay: (book, fact) => withStoredFact(book, fact, calendars, acts),
    encode: encodeClientBook,
    compact: compactReceipts,
    decode: (text) => decodeClientBook(text, acts),
    derive: derivedRows,
    journal: {
      asOf: (book, sequence) => asOfSequence(book, sequence, calendars),
      movement: (before, after, maxLines) => bookMovement(before.folded, after.folded, calendars, maxLines),
    },
  };
}

/** The record that the reference of a repeated request names, as it reads now. */
function currentRecordText(
  book: ClientBook,
  { operation, params }: Submission,
  recorded: RecordedReference,
  context: Pick<DecisionContext, 'calendars'>,
): string {
  switch (operation) {
    case 'issueLoan':
      return loanText(book, requireLoanOrder(book, recorded.subject));
    case 'reportReceipt':
      return receiptText(book, receiptReference(book, recorded), context);
    case 'reverseReceipt':
      return receiptText(book, String(params['receipt_reference']), context);
    case 'quotePayoff': {
      const quote = book.quotes.find(({ id }) => id === recorded.subject);
      if (quote === undefined)
        throw new Error(`payoff quote ${recorded.subject} is not in the book of Client ${book.clientId}`);
      return JSON.stringify(quoteAnswer(quote));
    }
    case 'decide':
      return decisionText(book, recorded.subject);
    case 'resolveDecision':
      return resolutionText(book, recorded.subject);
    case 'openFacility':
      return facilityText(book, recorded.subject);
    default:
      return loanText(book, requireLoanOrder(book, String(params['loan_id'])));
  }
}

function receiptReference(book: ClientBook, { sequence }: RecordedReference): string {
  const found = book.folded.log.findBySequence(book.folded.length, sequence);
  if (found?.fact.type !== 'receipt') throw new Error(`fact ${sequence} of Client ${book.clientId} is not a Receipt`);
  return found.fact.reference;
}
