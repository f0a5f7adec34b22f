/** One Receipt by the caller's own reference. */

import type { RouteHandlers, RouteResult } from '#libs/http/handler.ts';
import { receiptAnswer } from '#libs/ledger/answers/receipt.ts';
import { receiptNamed } from '#libs/ledger/client/receipts.ts';
import { refuse } from '#libs/schema/refusals.ts';
import { type ReadContext, type RequestTo, receiptBook } from './reads.ts';

export function receiptReads(reads: ReadContext): RouteHandlers {
  return { readReceipt: (asked) => readReceipt(reads, asked) };
}

async function readReceipt(reads: ReadContext, asked: RequestTo<'readReceipt'>): Promise<RouteResult> {
  const reference = String(asked.params['receipt_reference']);
  const book = await receiptBook(reads, asked, reference);
  if (book === undefined) return refuse('no_receipt');
  const recorded = receiptNamed(book, reference);
  if (recorded === undefined) return refuse('no_receipt');
  const body = await asked.timing.measure('derive', () =>
    receiptAnswer(book.folded, recorded, book.clientId, reads.calendars),
  );
  return { status: 200, body };
}
