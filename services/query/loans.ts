/** One Loan: as it stands, its schedule, its delays, its account, its payoff quotes. */

import { dayOf } from '#libs/calendar/civil-day.ts';
import type { RouteHandlers, RouteResult } from '#libs/http/handler.ts';
import { delinquency } from '#libs/ledger/answers/delinquency.ts';
import { loanAnswer } from '#libs/ledger/answers/loan.ts';
import { bookOnDay } from '#libs/ledger/answers/moment.ts';
import { schedule } from '#libs/ledger/answers/schedule.ts';
import { loanStatement } from '#libs/ledger/answers/statement.ts';
import { quoteAnswer } from '#libs/ledger/client/acts.ts';
import type { Loan } from '#libs/ledger/loan.ts';
import { isRefusal, refuse } from '#libs/schema/refusals.ts';
import { page } from './cursors.ts';
import { loanInBook, type ReadContext, type RequestTo } from './reads.ts';

export function loanReads(reads: ReadContext): RouteHandlers {
  return {
    readLoan: (asked) => readLoan(reads, asked),
    readSchedule: (asked) => onDay(reads, asked, schedule),
    readDelinquency: (asked) => onDay(reads, asked, delinquency),
    readLoanStatement: (asked) => readStatement(reads, asked),
    listPayoffQuotes: (asked) => listQuotes(reads, asked),
    readPayoffQuote: (asked) => readQuote(reads, asked),
  };
}

async function readLoan(reads: ReadContext, asked: RequestTo<'readLoan'>): Promise<RouteResult> {
  const found = await loanInBook(reads, asked);
  if (isRefusal(found)) return found;
  const { book, order } = found;
  const body = await asked.timing.measure('derive', () => loanAnswer(book.folded, order, asked.tenancy.id));
  return { status: 200, body };
}

type OnDay = (moment: ReturnType<typeof bookOnDay>, loan: Loan) => unknown;

async function onDay(
  reads: ReadContext,
  asked: RequestTo<'readSchedule' | 'readDelinquency'>,
  answer: OnDay,
): Promise<RouteResult> {
  const { on, known_at } = asked.query;
  const found = await loanInBook(reads, asked, known_at);
  if (isRefusal(found)) return found;
  const { book, order } = found;
  const body = await asked.timing.measure('derive', () => {
    const moment = bookOnDay(book.folded, dayOf(on), reads.calendars);
    return answer(moment, moment.loans[order] as Loan);
  });
  return { status: 200, body };
}

async function readStatement(reads: ReadContext, asked: RequestTo<'readLoanStatement'>): Promise<RouteResult> {
  const { from, to, known_at } = asked.query;
  const found = await loanInBook(reads, asked, known_at);
  if (isRefusal(found)) return found;
  const { book, order } = found;
  const span = { from: dayOf(from), to: dayOf(to) };
  const body = await asked.timing.measure('derive', () => loanStatement(book.folded, order, span, reads.calendars));
  return { status: 200, body };
}

/** Oldest first; quotes are only ever added, so a place among them stays. */
async function listQuotes(reads: ReadContext, asked: RequestTo<'listPayoffQuotes'>): Promise<RouteResult> {
  const { limit, cursor } = asked.query;
  const loanId = String(asked.params['loan_id']);
  const listing = { tenantId: asked.tenancy.id, name: 'quotes', filters: { loan_id: loanId } };
  const taken = reads.cursors.take(listing, cursor);
  if (isRefusal(taken)) return taken;
  const found = await loanInBook(reads, asked);
  if (isRefusal(found)) return found;
  const from = Number(taken.place?.[0] ?? 0);
  const rest = found.book.quotes.filter((quote) => quote.loanId === loanId).slice(from, from + limit + 1);
  const { items, cursor: next } = page(rest, limit, () => reads.cursors.give(listing, [from + limit]));
  return { status: 200, body: { quotes: items.map(quoteAnswer), ...next } };
}

async function readQuote(reads: ReadContext, asked: RequestTo<'readPayoffQuote'>): Promise<RouteResult> {
  const found = await loanInBook(reads, asked);
  if (isRefusal(found)) return found;
  const { loan_id: loanId, quote_id: id } = asked.params;
  const quote = found.book.quotes.find((each) => each.id === id && each.loanId === loanId);
  return quote === undefined ? refuse('no_quote') : { status: 200, body: quoteAnswer(quote) };
}
