/** What is asked about one Client. */

import { dayOf } from '#libs/calendar/civil-day.ts';
import { formatMoment } from '#libs/calendar/moment.ts';
import type { RouteHandlers, RouteResult } from '#libs/http/handler.ts';
import { bookOnDay } from '#libs/ledger/answers/moment.ts';
import { obligations } from '#libs/ledger/answers/obligations.ts';
import { paymentOptions } from '#libs/ledger/answers/payment-options.ts';
import { receiptRow, receiptsBefore } from '#libs/ledger/answers/receipt.ts';
import { statement } from '#libs/ledger/answers/statement.ts';
import { clientBookId } from '#libs/ledger/book-id.ts';
import { asOfSequence } from '#libs/ledger/client/as-of.ts';
import { bookInPieces } from '#libs/ledger/client/book-answer.ts';
import type { ClientBook } from '#libs/ledger/client/client-book.ts';
import { clientAnswer } from '#libs/ledger/client/issuance.ts';
import type { RecordedReceipt } from '#libs/ledger/fact-record.ts';
import { isRefusal, refuse } from '#libs/schema/refusals.ts';
import { page } from './cursors.ts';
import { entityTag, isNamed } from './entity-tag.ts';
import type { Aside } from './fair-scheduler.ts';
import { asKnown, clientBook, homeCurrency, newestBook, type ReadContext, type RequestTo } from './reads.ts';
import { knowingOf, unserved } from './version-filter.ts';

export function clientReads(reads: ReadContext, aside: Aside): RouteHandlers {
  return {
    readClient: (asked) => readClient(reads, asked),
    readPaymentOptions: (asked) => readPaymentOptions(reads, asked),
    readStatement: (asked) => readStatement(reads, asked),
    listReceipts: (asked) => listReceipts(reads, asked),
    readObligations: (asked) => readObligations(reads, asked),
    readBookVersion: (asked) => readBookVersion(reads, asked),
    readClientBook: (asked) => readClientBook(reads, aside, asked),
  };
}

function clientIn({ params }: { readonly params: { readonly [name: string]: string } }): string {
  return String(params['client_id']);
}

async function readClient(reads: ReadContext, asked: RequestTo<'readClient'>): Promise<RouteResult> {
  const book = await clientBook(reads, asked, clientIn(asked));
  return book.registration === undefined ? refuse('not_found') : { status: 200, body: clientAnswer(book) };
}

async function readBookVersion(reads: ReadContext, asked: RequestTo<'readBookVersion'>): Promise<RouteResult> {
  const clientId = clientIn(asked);
  const name = { tenantId: asked.tenancy.id, bookId: clientBookId(clientId) };
  const { count, at } = await reads.books.version(name, asked.timing);
  const version = at === null ? {} : { version: formatMoment(at) };
  return { status: 200, body: { client_id: clientId, ...version, facts: count } };
}

async function readClientBook(
  reads: ReadContext,
  aside: Aside,
  asked: RequestTo<'readClientBook'>,
): Promise<RouteResult> {
  const { on, known_at } = asked.query;
  const book = await clientBook(reads, asked, clientIn(asked), known_at);
  const question = { on: dayOf(on), homeCurrency: homeCurrency(reads, asked), calendars: reads.calendars };
  const body = await aside.derive(asked, bookInPieces(book, question));
  return { status: 200, body };
}

/** A caller that has the answer is told so from the book version alone; the book is neither read nor derived. */
async function readPaymentOptions(reads: ReadContext, asked: RequestTo<'readPaymentOptions'>): Promise<RouteResult> {
  const clientId = clientIn(asked);
  const { on, known_at } = asked.query;
  const tagOf = (facts: number, at: string | null) =>
    entityTag([reads.release, asked.version, asked.tenancy.id, clientId, facts, at, on, known_at ?? null]);
  const held = asked.header('If-None-Match');
  if (held !== undefined) {
    const name = { tenantId: asked.tenancy.id, bookId: clientBookId(clientId) };
    const { count, at } = await reads.books.version(name, asked.timing);
    const tag = tagOf(count, at === null ? null : formatMoment(at));
    if (isNamed(held, tag)) return { status: 304, headers: { ETag: tag } };
  }
  // The tag is of the book as it is now, also where it is asked how it was.
  const { book: newest, versionCount, versionAt } = await newestBook(reads, asked, clientId);
  const body = await asked.timing.measure('derive', () => {
    const book = asKnown(reads, newest, known_at);
    return paymentOptions(bookOnDay(book.folded, dayOf(on), reads.calendars), clientId);
  });
  const tag = tagOf(versionCount, versionAt === null ? null : formatMoment(versionAt));
  return { status: 200, body, headers: { ETag: tag } };
}

async function readStatement(reads: ReadContext, asked: RequestTo<'readStatement'>): Promise<RouteResult> {
  const clientId = clientIn(asked);
  const { from, to, known_at } = asked.query;
  const book = await clientBook(reads, asked, clientId, known_at);
  const span = { from: dayOf(from), to: dayOf(to) };
  const body = await asked.timing.measure('derive', () => statement(book.folded, clientId, span, reads.calendars));
  return { status: 200, body };
}

/** Newest first in the order of recording. */
async function listReceipts(reads: ReadContext, asked: RequestTo<'listReceipts'>): Promise<RouteResult> {
  const clientId = clientIn(asked);
  const { limit, cursor } = asked.query;
  const listing = { tenantId: asked.tenancy.id, name: 'receipts', filters: { client_id: clientId } };
  const taken = reads.cursors.take(listing, cursor);
  if (isRefusal(taken)) return taken;
  const { folded } = await clientBook(reads, asked, clientId);
  const from = Number(taken.place?.[0] ?? Number.POSITIVE_INFINITY);
  const knowing = knowingOf(reads.contract, asked);
  return asked.timing.measure('derive', () => {
    const found = receiptsBefore(folded, from, limit + 1, ({ told }) => unserved(knowing, told) === undefined);
    const { items, cursor: next } = page(found, limit, ({ seq }) => reads.cursors.give(listing, [seq]));
    return { status: 200, body: { receipts: items.map((receipt) => receiptRow(folded, receipt, clientId)), ...next } };
  });
}

/**
 * Only `receipts` is paged: by their place in the fold, which a Receipt keeps whatever is recorded meanwhile. The walk is
 * over those that were owed back when it began; what has been owed since is before its first page, wherever it is dated.
 */
async function readObligations(reads: ReadContext, asked: RequestTo<'readObligations'>): Promise<RouteResult> {
  const clientId = clientIn(asked);
  const { limit, cursor } = asked.query;
  const listing = { tenantId: asked.tenancy.id, name: 'obligations', filters: { client_id: clientId } };
  const taken = reads.cursors.take(listing, cursor);
  if (isRefusal(taken)) return taken;
  const { book, sequence } = await newestBook(reads, asked, clientId);
  const [afterDay, afterSeq, begun = sequence] = (taken.place ?? []).map(Number);
  const owedBy = (each: ClientBook) => obligations(each.folded, clientId, homeCurrency(reads, asked));
  return asked.timing.measure('derive', () => {
    const whole = owedBy(book);
    const walked = begun === sequence ? whole : owedBy(asOfSequence(book, begun, reads.calendars));
    const then = new Set(walked.receipts);
    const owed = whole.receipts.filter((each) => then.has(each)).map((reference) => receiptOf(book, reference));
    const rest =
      afterDay === undefined || afterSeq === undefined
        ? owed
        : owed.filter(({ fact, seq }) => fact.valueDate > afterDay || (fact.valueDate === afterDay && seq > afterSeq));
    const { items, cursor: next } = page(rest, limit, ({ fact, seq }) =>
      reads.cursors.give(listing, [fact.valueDate, seq, begun]),
    );
    return { status: 200, body: { ...whole, receipts: items.map(({ fact }) => fact.reference), ...next } };
  });
}

function receiptOf({ folded }: ClientBook, reference: string): RecordedReceipt {
  const found = folded.log.receipt(folded.length, reference);
  if (found === undefined) throw new Error('a Receipt that is owed back is in its book');
  return found;
}
