/** A Client's whole book on one day: everything the other reads say of it, from one value of the book. */

import { loanAnswer } from '#libs/book/answers/loan.ts';
import { momentOf } from '#libs/book/answers/moment.ts';
import { obligations } from '#libs/book/answers/obligations.ts';
import { loanOptions } from '#libs/book/answers/payment-options.ts';
import { receiptAnswer, receiptRow, receiptsBefore } from '#libs/book/answers/receipt.ts';
import { schedule } from '#libs/book/answers/schedule.ts';
import type { Calendars } from '#libs/book/calendars.ts';
import type { ClientBook } from '#libs/book/client/client-book.ts';
import { barsOf } from '#libs/book/client/credit.ts';
import { facilityWithDrawn } from '#libs/book/client/drawing.ts';
import { type CivilDay, formatDay } from '#libs/calendar/civil-day.ts';
import { barAnswer } from '#libs/credit/bar.ts';

export type BookQuestion = { readonly on: CivilDay; readonly homeCurrency: string; readonly calendars: Calendars };

export function bookAnswer(book: ClientBook, question: BookQuestion) {
  const { tenantId, clientId, folded, credit } = book;
  const { on, homeCurrency, calendars } = question;
  const moment = momentOf(folded, on, calendars);
  const loans = moment.loans.map((loan, order) => ({
    loan: loanAnswer(folded, order, tenantId),
    payment_options: loanOptions(moment, loan),
    schedule: schedule(moment, loan),
  }));
  const receipts = receiptsBefore(folded, Number.POSITIVE_INFINITY, folded.length, () => true);
  // Only money meant as a payoff can have fallen short of one.
  const meant = receipts.filter(({ fact }) => fact.payoffIntent);
  const ofReceipts = meant.flatMap((each) => receiptAnswer(folded, each, clientId, calendars).anomalies);
  return {
    client_id: clientId,
    on: formatDay(on),
    book_version: { client_id: clientId, ...versionOf(folded) },
    loans,
    receipts: receipts.map((each) => receiptRow(folded, each, clientId)),
    obligations: obligations(folded, clientId, homeCurrency),
    facilities: credit.facilities.map((facility) => facilityWithDrawn(book, facility)).reverse(),
    bar: barAnswer(barsOf(credit), on),
    anomalies: [...loans.flatMap(({ loan }) => loan.anomalies), ...ofReceipts],
  };
}

/** It counts exactly what is folded. */
function versionOf({ log, length }: ClientBook['folded']) {
  let at: string | undefined;
  for (const fact of log.facts(length)) at = fact.at;
  return { ...(at === undefined ? {} : { version: at }), facts: length };
}
