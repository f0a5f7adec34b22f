/**
 * Reads of the console whose cost a page can pay, answered in the form of the routes. In a book of very many open Loans a
 * Receipt visits all of them, so that a day or a statement may take seconds to compute. The cost is known before.
 */

import type { CivilDay } from '#libs/calendar/civil-day.ts';
import { RequestTiming } from '#libs/http/timing.ts';
import { bookOnDay } from '#libs/ledger/answers/book-on-day.ts';
import { delinquency } from '#libs/ledger/answers/delinquency.ts';
import { type LoanExplanation, loanExplanation } from '#libs/ledger/answers/explanation.ts';
import { receiptAnswer, receiptRow } from '#libs/ledger/answers/receipt.ts';
import { type LoanStatement, loanStatement } from '#libs/ledger/answers/statement.ts';
import { quoteAnswer } from '#libs/ledger/client/acts.ts';
import { type ClientBook, loanOrder, type PayoffQuote } from '#libs/ledger/client/client-book.ts';
import { findReceipt } from '#libs/ledger/client/receipts.ts';
import { storedCheckpoints } from '#libs/ledger/client/snapshot.ts';
import { runToEnd } from '#libs/ledger/cooperative-loop.ts';
import { bookDayCost, dayCost, knownCost, rangeCost, receiptCost } from '#libs/ledger/fold-cost.ts';
import type { Loan } from '#libs/ledger/loan.ts';
import { isRefusal } from '#libs/schema/refusals.ts';
import {
  type BookScope,
  bookAsKnownAt,
  findLoanById,
  findReceiptBook,
  type LoanInBook,
  loadClientBook,
  type ReadContext,
} from './read-context.ts';

export interface KnownLoan {
  readonly tenantId: string;
  readonly loanId: string;
  /** A parsed moment. */
  readonly knownAt?: string;
}

/** `not_found` also where the Loan was not known yet. */
export type BoundedRead<Answer> = Answer | 'not_found' | 'too_costly';

export interface ExplainedLoan {
  readonly explanation: LoanExplanation;
  readonly delinquency: ReturnType<typeof delinquency>;
}

/** How the Receipts of the Loan were allocated is explained as far as the rest of the cost allows, newest first. */
export async function readLoanOnDay(
  context: ReadContext,
  loan: KnownLoan,
  on: CivilDay,
  maxCost: number,
): Promise<BoundedRead<ExplainedLoan>> {
  const found = await findKnownLoan(context, loan, maxCost);
  if (typeof found === 'string') return found;
  const { book, order } = found;
  const left = maxCost - dayCost(book.folded, on);
  if (left < 0) return 'too_costly';
  const bookDay = bookOnDay(book.folded, on, context.calendars, order);
  const explained = { bookDay, clientId: book.clientId, tenantId: loan.tenantId, calendars: context.calendars };
  return {
    explanation: loanExplanation(explained, order, left),
    delinquency: delinquency(bookDay, bookDay.loans[order] as Loan),
  };
}

/** Begins on a later day where the whole range costs too much. */
export async function readLoanStatementWithin(
  context: ReadContext,
  loan: KnownLoan,
  { from, to }: { readonly from: CivilDay; readonly to: CivilDay },
  maxCost: number,
): Promise<BoundedRead<LoanStatement>> {
  const found = await findKnownLoan(context, loan, maxCost);
  if (typeof found === 'string') return found;
  const { folded } = found.book;
  const first = firstDay(from, to, (day) => rangeCost(folded, { from: day, to }) <= maxCost);
  return first === undefined
    ? 'too_costly'
    : runToEnd(loanStatement(folded, found.order, { from: first, to }, context.calendars));
}

/** The first day from which on all days match; undefined where not even the last one does. */
function firstDay(from: CivilDay, to: CivilDay, matches: (day: CivilDay) => boolean): CivilDay | undefined {
  let [low, high]: [number, number] = [from, to + 1];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (matches(middle as CivilDay)) high = middle;
    else low = middle + 1;
  }
  return low > to ? undefined : (low as CivilDay);
}

/** Where its allocation costs too much, only what was reported; undefined where there is no such Receipt. */
export async function readReceiptWithin(
  context: ReadContext,
  { tenantId, reference }: { readonly tenantId: string; readonly reference: string },
  maxCost: number,
) {
  const book = await findReceiptBook(context, scopeOf(tenantId), reference);
  const receipt = book === undefined ? undefined : findReceipt(book, reference);
  if (book === undefined || receipt === undefined) return undefined;
  const { folded, clientId } = book;
  if (receiptCost(folded, receipt) > maxCost) return { receipt: receiptRow(folded, receipt, clientId) };
  return receiptAnswer(folded, receipt, clientId, context.calendars);
}

/** Newest first, of those recorded by the moment. The listing of the API begins with the oldest. Nothing is folded. */
export async function readNewestQuotes(context: ReadContext, { tenantId, loanId, knownAt }: KnownLoan, limit: number) {
  const found = await findLoanById(context, scopeOf(tenantId), loanId);
  if (isRefusal(found)) return { quotes: [], hasMore: false };
  const isListed = (quote: PayoffQuote) => quote.loanId === loanId && (knownAt === undefined || quote.at <= knownAt);
  const quotes = found.book.quotes.filter(isListed);
  return { quotes: quotes.slice(-limit).reverse().map(quoteAnswer), hasMore: quotes.length > limit };
}

/** From an index, as the following ones: no book is loaded. */
export async function hasClient({ lookups }: ReadContext, tenantId: string, clientId: string): Promise<boolean> {
  return (await lookups.client.find(tenantId, clientId, new RequestTiming())) !== undefined;
}

export async function hasLoan({ lookups }: ReadContext, tenantId: string, loanId: string): Promise<boolean> {
  return (await lookups.clientOfLoan.find(tenantId, loanId, new RequestTiming())) !== undefined;
}

export async function hasReceipt({ lookups }: ReadContext, tenantId: string, reference: string): Promise<boolean> {
  return (await lookups.bookOfReceipt.find(tenantId, reference, new RequestTiming())) !== undefined;
}

export interface ComparedVersions {
  readonly tenantId: string;
  readonly clientId: string;
  readonly fromFacts: number;
  readonly toFacts: number;
}

/** What `readChanges` costs before it compares figures: the first version, and the day in each version. */
export async function versionsCost(
  context: ReadContext,
  { tenantId, clientId, fromFacts, toFacts }: ComparedVersions,
  on: CivilDay,
): Promise<number> {
  const { folded } = await loadClientBook(context, scopeOf(tenantId), clientId);
  const versions = Math.max(0, Math.min(toFacts, folded.length) - fromFacts) + 1;
  // As `bookChanges` does: it starts from stored checkpoints, and compares all Loans of two versions.
  const stored = { ...folded, checkpoints: storedCheckpoints(folded) };
  return knownCost(stored, fromFacts) + versions * bookDayCost(folded, on);
}

async function findKnownLoan(
  context: ReadContext,
  { tenantId, loanId, knownAt }: KnownLoan,
  maxCost: number,
): Promise<BoundedRead<LoanInBook>> {
  const found = await findLoanById(context, scopeOf(tenantId), loanId);
  if (isRefusal(found)) return 'not_found';
  if (knownAt === undefined) return found;
  if (knownCost(found.book.folded, knownLength(found.book, knownAt)) > maxCost) return 'too_costly';
  const book = bookAsKnownAt(context, found.book, knownAt);
  const order = loanOrder(book, loanId);
  return order === undefined ? 'not_found' : { book, order };
}

function knownLength({ folded }: ClientBook, knownAt: string): number {
  return folded.log.countLeading(folded.length, ({ at }) => at <= knownAt);
}

function scopeOf(tenantId: string): BookScope {
  return { tenancy: { id: tenantId }, timing: new RequestTiming() };
}
