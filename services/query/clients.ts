/** Reads of one Client: registration, payment options, statement, obligations, and the whole book. */
import { dayOf } from '#libs/calendar/civil-day.ts';
import { formatMoment } from '#libs/calendar/moment.ts';
import type { RouteHandlers, RouteResult } from '#libs/http/handler.ts';
import { bookOnDay } from '#libs/ledger/answers/book-on-day.ts';
import { obligations } from '#libs/ledger/answers/obligations.ts';
import { paymentOptions } from '#libs/ledger/answers/payment-options.ts';
import { statement } from '#libs/ledger/answers/statement.ts';
import { clientBookId } from '#libs/ledger/book-id.ts';
import { clientBookAnswer } from '#libs/ledger/client/book-answer.ts';
import { asOfSequence, type ClientBook } from '#libs/ledger/client/client-book.ts';
import { clientAnswer } from '#libs/ledger/client/issuance.ts';
import type { RecordedReceipt } from '#libs/ledger/fact-log.ts';
import { isRefusal, refuse } from '#libs/schema/refusals.ts';
import { paginate } from './cursors.ts';
import { entityTag, matchesTag } from './entity-tag.ts';
import type { FairScheduler } from './fair-scheduler.ts';
import {
  bookAsKnownAt,
  homeCurrency,
  loadClientBook,
  loadLatestClientBook,
  type ReadContext,
  type RouteRequest,
} from './read-context.ts';

interface ClientSchedulers {
  readonly wholeBooks: FairScheduler;
  readonly statements: FairScheduler;
}

export function clientReads(context: ReadContext, { wholeBooks, statements }: ClientSchedulers): RouteHandlers {
  return {
    readClient: (request) => readClient(context, request),
    readPaymentOptions: (request) => readPaymentOptions(context, request),
    readStatement: (request) => readStatement(context, statements, request),
    readObligations: (request) => readObligations(context, request),
    readBookVersion: (request) => readBookVersion(context, request),
    readClientBook: (request) => readClientBook(context, wholeBooks, request),
  };
}

function clientIdIn({ params }: { readonly params: { readonly [name: string]: string } }): string {
  return String(params['client_id']);
}

async function readClient(context: ReadContext, request: RouteRequest<'readClient'>): Promise<RouteResult> {
  const book = await loadClientBook(context, request, clientIdIn(request));
  return book.registration === undefined ? refuse('not_found') : { status: 200, body: clientAnswer(book) };
}

async function readBookVersion(context: ReadContext, request: RouteRequest<'readBookVersion'>): Promise<RouteResult> {
  const clientId = clientIdIn(request);
  const key = { tenantId: request.tenancy.id, bookId: clientBookId(clientId) };
  const { count, at } = await context.books.readVersion(key, request.timing);
  const version = at === null ? {} : { version: formatMoment(at) };
  return { status: 200, body: { client_id: clientId, ...version, facts: count } };
}

async function readClientBook(
  context: ReadContext,
  scheduler: FairScheduler,
  request: RouteRequest<'readClientBook'>,
): Promise<RouteResult> {
  const { on, known_at } = request.query;
  const book = await loadClientBook(context, request, clientIdIn(request), known_at);
  const options = { on: dayOf(on), homeCurrency: homeCurrency(context, request), calendars: context.calendars };
  const body = await scheduler.run(request, clientBookAnswer(book, options));
  return { status: 200, body };
}

/** A conditional request is answered from the book version alone, without loading the book. */
async function readPaymentOptions(
  context: ReadContext,
  request: RouteRequest<'readPaymentOptions'>,
): Promise<RouteResult> {
  const clientId = clientIdIn(request);
  const { on, known_at } = request.query;
  const tagOf = (facts: number, at: string | null): string =>
    entityTag([context.release, request.version, request.tenancy.id, clientId, facts, at, on, known_at ?? null]);
  const ifNoneMatch = request.header('If-None-Match');
  if (ifNoneMatch !== undefined) {
    const key = { tenantId: request.tenancy.id, bookId: clientBookId(clientId) };
    const { count, at } = await context.books.readVersion(key, request.timing);
    const currentTag = tagOf(count, at === null ? null : formatMoment(at));
    if (matchesTag(ifNoneMatch, currentTag)) return { status: 304, headers: { ETag: currentTag } };
  }
  // The tag names the latest version even where the answer is as known at an earlier moment.
  const { book: latest, versionCount, versionAt } = await loadLatestClientBook(context, request, clientId);
  const body = await request.timing.measure('derive', () => {
    const book = bookAsKnownAt(context, latest, known_at);
    return paymentOptions(bookOnDay(book.folded, dayOf(on), context.calendars), clientId);
  });
  const tag = tagOf(versionCount, versionAt === null ? null : formatMoment(versionAt));
  return { status: 200, body, headers: { ETag: tag } };
}

async function readStatement(
  context: ReadContext,
  scheduler: FairScheduler,
  request: RouteRequest<'readStatement'>,
): Promise<RouteResult> {
  const clientId = clientIdIn(request);
  const { from, to, known_at } = request.query;
  const book = await loadClientBook(context, request, clientId, known_at);
  const span = { from: dayOf(from), to: dayOf(to) };
  const body = await scheduler.runSoon(request, statement(book.folded, clientId, span, context.calendars));
  return { status: 200, body };
}

/**
 * Only `receipts` is paged, by position in the fold, which recording more facts does not change. All pages show the
 * Receipts that were owed back at the first page: one owed back since could be dated before a page already read.
 */
async function readObligations(context: ReadContext, request: RouteRequest<'readObligations'>): Promise<RouteResult> {
  const clientId = clientIdIn(request);
  const { limit, cursor } = request.query;
  const scope = { tenantId: request.tenancy.id, name: 'obligations', filters: { client_id: clientId } };
  const start = context.cursors.decode(scope, cursor);
  if (isRefusal(start)) return start;
  const { book, sequence } = await loadLatestClientBook(context, request, clientId);
  const [afterDay, afterSeq, firstPageSequence = sequence] = (start.position ?? []).map(Number);
  const obligationsOf = (clientBook: ClientBook) =>
    obligations(clientBook.folded, clientId, homeCurrency(context, request));
  return request.timing.measure('derive', () => {
    const current = obligationsOf(book);
    const atFirstPage =
      firstPageSequence === sequence
        ? current
        : obligationsOf(asOfSequence(book, firstPageSequence, context.calendars));
    const owedAtFirstPage = new Set(atFirstPage.receipts);
    const receipts = current.receipts
      .filter((reference) => owedAtFirstPage.has(reference))
      .map((reference) => requireReceipt(book, reference));
    const remaining =
      afterDay === undefined || afterSeq === undefined
        ? receipts
        : receipts.filter(
            ({ fact, seq }) => fact.valueDate > afterDay || (fact.valueDate === afterDay && seq > afterSeq),
          );
    const page = paginate(remaining, limit, ({ fact, seq }) =>
      context.cursors.encode(scope, [fact.valueDate, seq, firstPageSequence]),
    );
    const references = page.items.map(({ fact }) => fact.reference);
    return { status: 200, body: { ...current, receipts: references, ...page.cursor } };
  });
}

function requireReceipt({ folded }: ClientBook, reference: string): RecordedReceipt {
  const receipt = folded.log.receipt(folded.length, reference);
  if (receipt === undefined) throw new Error(`Receipt ${reference} is owed back but is not in its book`);
  return receipt;
}
