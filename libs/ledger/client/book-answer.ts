/** A Client's whole book on one day: everything the other reads say of it, from one value of the book. */

import { type CivilDay, formatDay } from '#libs/calendar/civil-day.ts';
import { barAnswer } from '#libs/credit/bar.ts';
import { loanAnswer } from '#libs/ledger/answers/loan.ts';
import { bookOnDay } from '#libs/ledger/answers/moment.ts';
import { obligations } from '#libs/ledger/answers/obligations.ts';
import { loanOptions } from '#libs/ledger/answers/payment-options.ts';
import { receiptAnswer, receiptRow, receiptsBefore } from '#libs/ledger/answers/receipt.ts';
import { schedule } from '#libs/ledger/answers/schedule.ts';
import type { Calendars } from '#libs/ledger/calendars.ts';
import type { ClientBook } from '#libs/ledger/client/client-book.ts';
import { barsOf } from '#libs/ledger/client/credit.ts';
import { facilityWithDrawn } from '#libs/ledger/client/drawing.ts';
import type { InPieces } from '#libs/ledger/cooperative-loop.ts';

export type BookQuestion = { readonly on: CivilDay; readonly homeCurrency: string; readonly calendars: Calendars };

/** Stops after each fact that is read and each figure of it, for whoever else waits. */
export function* bookInPieces(book: ClientBook, question: BookQuestion) {
  const { tenantId, clientId, folded, credit } = book;
  const { on, homeCurrency, calendars } = question;
  const version = yield* versionOf(folded);
  const moment = bookOnDay(folded, on, calendars);
  const loans = yield* eachOf(moment.loans, (loan, order) => ({
    loan: loanAnswer(folded, order, tenantId),
    payment_options: loanOptions(moment, loan),
    schedule: schedule(moment, loan),
  }));
  const receipts = receiptsBefore(folded, Number.POSITIVE_INFINITY, folded.length, () => true);
  // Only money meant as a payoff can have fallen short of one.
  const meant = receipts.filter(({ fact }) => fact.payoffIntent);
  const ofReceipts = yield* eachOf(meant, (each) => receiptAnswer(folded, each, clientId, calendars).anomalies);
  return {
    client_id: clientId,
    on: formatDay(on),
    book_version: { client_id: clientId, ...version },
    loans,
    receipts: yield* eachOf(receipts, (each) => receiptRow(folded, each, clientId)),
    obligations: obligations(folded, clientId, homeCurrency),
    facilities: credit.facilities.map((facility) => facilityWithDrawn(book, facility)).reverse(),
    bar: barAnswer(barsOf(credit), on),
    anomalies: [...loans.flatMap(({ loan }) => loan.anomalies), ...ofReceipts.flat()],
  };
}

function* eachOf<Of, Figure>(
  many: readonly Of[],
  figureOf: (one: Of, nth: number) => Figure,
): InPieces<readonly Figure[]> {
  const figures: Figure[] = [];
  for (const [nth, one] of many.entries()) {
    figures.push(figureOf(one, nth));
    yield;
  }
  return figures;
}

/** It counts exactly what is folded. */
function* versionOf({ log, length }: ClientBook['folded']) {
  let at: string | undefined;
  for (const fact of log.facts(length)) {
    at = fact.at;
    yield;
  }
  return { ...(at === undefined ? {} : { version: at }), facts: length };
}
