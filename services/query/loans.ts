/** Reads of one Loan: its state, schedule, delinquency, statement and payoff quotes. */
import { dayOf } from '#libs/calendar/civil-day.ts';
import type { RouteHandlers, RouteResult } from '#libs/http/handler.ts';
import { type BookOnDay, bookOnDay } from '#libs/ledger/answers/book-on-day.ts';
import { delinquency } from '#libs/ledger/answers/delinquency.ts';
import { loanExplanation } from '#libs/ledger/answers/explanation.ts';
import { loanAnswer } from '#libs/ledger/answers/loan.ts';
import { scheduleAnswer } from '#libs/ledger/answers/schedule.ts';
import { loanStatement } from '#libs/ledger/answers/statement.ts';
import { quoteAnswer } from '#libs/ledger/client/acts.ts';
import type { Loan } from '#libs/ledger/loan.ts';
import { isRefusal, refuse } from '#libs/schema/refusals.ts';
import type { FairScheduler } from './fair-scheduler.ts';
import { jsonPage, pageResponse } from './json-page.ts';
import { findLoan, type ReadContext, type RouteRequest } from './read-context.ts';

export function loanReads(context: ReadContext, scheduler: FairScheduler): RouteHandlers {
  return {
    readLoan: (request) => readLoan(context, request),
    readSchedule: (request) => readOnDay(context, request, scheduleAnswer),
    readDelinquency: (request) => readOnDay(context, request, delinquency),
    explainLoan: (request) => explainLoan(context, request),
    readLoanStatement: (request) => readStatement(context, scheduler, request),
    listPayoffQuotes: (request) => listQuotes(context, request),
    readPayoffQuote: (request) => readQuote(context, request),
  };
}

async function readLoan(context: ReadContext, request: RouteRequest<'readLoan'>): Promise<RouteResult> {
  const found = await findLoan(context, request);
  if (isRefusal(found)) return found;
  const { book, order } = found;
  const body = await request.timing.measure('derive', () => loanAnswer(book.folded, order, request.tenancy.id));
  return { status: 200, body };
}

async function readOnDay(
  context: ReadContext,
  request: RouteRequest<'readSchedule' | 'readDelinquency'>,
  answer: (book: BookOnDay, loan: Loan) => unknown,
): Promise<RouteResult> {
  const { on, known_at } = request.query;
  const found = await findLoan(context, request, known_at);
  if (isRefusal(found)) return found;
  const { book, order } = found;
  const body = await request.timing.measure('derive', () => {
    const onDay = bookOnDay(book.folded, dayOf(on), context.calendars);
    return answer(onDay, onDay.loans[order] as Loan);
  });
  return { status: 200, body };
}

async function explainLoan(context: ReadContext, request: RouteRequest<'explainLoan'>): Promise<RouteResult> {
  const { on, known_at } = request.query;
  const found = await findLoan(context, request, known_at);
  if (isRefusal(found)) return found;
  const { book, order } = found;
  const { calendars } = context;
  const body = await request.timing.measure('derive', () => {
    const bookDay = bookOnDay(book.folded, dayOf(on), calendars);
    return loanExplanation({ bookDay, clientId: book.clientId, tenantId: request.tenancy.id, calendars }, order);
  });
  return { status: 200, body };
}

async function readStatement(
  context: ReadContext,
  scheduler: FairScheduler,
  request: RouteRequest<'readLoanStatement'>,
): Promise<RouteResult> {
  const { from, to, known_at } = request.query;
  const found = await findLoan(context, request, known_at);
  if (isRefusal(found)) return found;
  const { book, order } = found;
  const span = { from: dayOf(from), to: dayOf(to) };
  const body = await scheduler.runSoon(request, loanStatement(book.folded, order, span, context.calendars));
  return { status: 200, body };
}

/** Oldest first. Quotes are only added, so an index among them stays valid. */
async function listQuotes(context: ReadContext, request: RouteRequest<'listPayoffQuotes'>): Promise<RouteResult> {
  const { limit, cursor } = request.query;
  const loanId = String(request.params['loan_id']);
  const scope = { tenantId: request.tenancy.id, name: 'quotes', filters: { loan_id: loanId } };
  const start = context.cursors.decode(scope, cursor);
  if (isRefusal(start)) return start;
  const found = await findLoan(context, request);
  if (isRefusal(found)) return found;
  const from = Number(start.position?.[0] ?? 0);
  const quotes = found.book.quotes.filter((quote) => quote.loanId === loanId).slice(from, from + limit + 1);
  const page = jsonPage(quotes, {
    limit,
    textOf: (quote) => JSON.stringify(quoteAnswer(quote)),
    cursorAfter: (_last, count) => context.cursors.encode(scope, [from + count]),
  });
  return pageResponse('quotes', page);
}

async function readQuote(context: ReadContext, request: RouteRequest<'readPayoffQuote'>): Promise<RouteResult> {
  const found = await findLoan(context, request);
  if (isRefusal(found)) return found;
  const { loan_id: loanId, quote_id: quoteId } = request.params;
  const quote = found.book.quotes.find((candidate) => candidate.id === quoteId && candidate.loanId === loanId);
  return quote === undefined ? refuse('no_quote') : { status: 200, body: quoteAnswer(quote) };
}
