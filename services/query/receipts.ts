/** One Receipt by the caller's own reference. */
import { receiptAnswer } from '#libs/book/answers/receipt.ts';
import { receiptNamed } from '#libs/book/client/receipts.ts';
import { refuse } from '#libs/contract/refusals.ts';
import { unservable } from '#libs/contract/versions.ts';
import type { Handlers, Outcome } from '#libs/door/handler.ts';
import { clientOf } from '#libs/turn/book-id.ts';
import { type AskedOf, clientBook, knowing, type Reads } from './reads.ts';

export function receiptReads(reads: Reads): Handlers {
  return { readReceipt: (asked) => readReceipt(reads, asked) };
}

async function readReceipt(reads: Reads, asked: AskedOf<'readReceipt'>): Promise<Outcome> {
  const { tenancy, timing, params } = asked;
  const reference = String(params['receipt_reference']);
  const bookId = await timing.measure('db', () => reads.locations.receiptBook.of(tenancy.id, reference));
  const clientId = bookId === undefined ? undefined : clientOf(bookId);
  if (clientId === undefined) return refuse('no_receipt');
  const book = await clientBook(reads, asked, clientId);
  const recorded = receiptNamed(book, reference);
  if (recorded === undefined) return refuse('no_receipt');
  const rail = recorded.told['rail'];
  const unserved = typeof rail === 'string' ? unservable(knowing(reads, asked), 'rail', rail) : undefined;
  if (unserved !== undefined) return unserved;
  const body = await timing.measure('derive', () => receiptAnswer(book.folded, recorded, clientId, reads.calendars));
  return { status: 200, body };
}
