/** A Client's book as the processor turns it: what it decides, what it answers, what it is kept as. Pure. */

import type { BookDecider, RecordedReference, Submission } from '#libs/ledger/book-decider.ts';
import { clientOf } from '#libs/ledger/book-id.ts';
import { calendarsOf } from '#libs/ledger/calendars.ts';
import { loanActs, loanText, quoteAnswer } from '#libs/ledger/client/acts.ts';
import { type ClientBook, emptyClientBook, knownOrder, withStored } from '#libs/ledger/client/client-book.ts';
import { creditActs, decisionText, facilityText, resolutionText } from '#libs/ledger/client/credit-acts.ts';
import type { Decide, Setting } from '#libs/ledger/client/decision.ts';
import { derived } from '#libs/ledger/client/derived.ts';
import { issuanceActs } from '#libs/ledger/client/issuance.ts';
import { receiptActs, receiptText } from '#libs/ledger/client/receipts.ts';
import { decodeClientBook, encodeClientBook, putAwayMoney } from '#libs/ledger/client/snapshot.ts';
import type { Markets } from '#libs/product/markets/market.ts';
import { MARKETS } from '#libs/product/markets/registry.ts';

const acts: { readonly [operation: string]: Decide } = { ...issuanceActs, ...loanActs, ...receiptActs, ...creditActs };

export function clientKind(markets: Markets = MARKETS): BookDecider<ClientBook> {
  const calendars = calendarsOf(markets);
  return {
    empty: (tenantId, bookId) => emptyClientBook(tenantId, clientOf(bookId) as string),
    decide(book, submission, at) {
      const act = acts[submission.operation];
      if (act === undefined) throw new Error(`${submission.operation} is nothing a Client's book decides`);
      return act(book, submission, { at, markets, calendars });
    },
    currentRecord: (book, submission, recorded) => ({
      status: 200,
      body: recordAsItReads(book, submission, recorded, { calendars }),
    }),
    replay: (book, fact) => withStored(book, fact, calendars),
    encode: encodeClientBook,
    compact: putAwayMoney,
    decode: (text) => decodeClientBook(text),
    derive: derived,
  };
}

/** The record a repeated request named, as it reads now. */
function recordAsItReads(
  book: ClientBook,
  { operation, params }: Submission,
  recorded: RecordedReference,
  setting: Pick<Setting, 'calendars'>,
): string {
  switch (operation) {
    case 'issueLoan':
      return loanText(book, knownOrder(book, recorded.subject));
    case 'reportReceipt':
      return receiptText(book, referenceOfReceipt(book, recorded), setting);
    case 'reverseReceipt':
      return receiptText(book, String(params['receipt_reference']), setting);
    case 'quotePayoff': {
      const quote = book.quotes.find(({ id }) => id === recorded.subject);
      if (quote === undefined) throw new Error('a recorded quote is in its book');
      return JSON.stringify(quoteAnswer(quote));
    }
    case 'decide':
      return decisionText(book, recorded.subject);
    case 'resolveDecision':
      return resolutionText(book, recorded.subject);
    case 'openFacility':
      return facilityText(book, recorded.subject);
    default:
      return loanText(book, knownOrder(book, String(params['loan_id'])));
  }
}

function referenceOfReceipt(book: ClientBook, { sequence }: RecordedReference): string {
  const found = book.folded.log.at(book.folded.length, sequence);
  if (found?.fact.type !== 'receipt') throw new Error('a recorded Receipt is in its book');
  return found.fact.reference;
}
