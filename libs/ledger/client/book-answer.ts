/** The read of a Client's whole book on a day: Loans, Receipts, obligations, facilities and bar in one answer. */

import { type CivilDay, formatDay } from '#libs/calendar/civil-day.ts';
import { barAnswer } from '#libs/credit/bar.ts';
import { bookOnDay } from '#libs/ledger/answers/book-on-day.ts';
import { loanAnswer } from '#libs/ledger/answers/loan.ts';
import { obligations } from '#libs/ledger/answers/obligations.ts';
import { loanPaymentOptions } from '#libs/ledger/answers/payment-options.ts';
import { receiptAnswer, receiptRow, receiptsBefore } from '#libs/ledger/answers/receipt.ts';
import { scheduleAnswer } from '#libs/ledger/answers/schedule.ts';
import type { ClientBook } from '#libs/ledger/client/client-book.ts';
import { barsOf } from '#libs/ledger/client/credit-records.ts';
import { facilityUseIn } from '#libs/ledger/client/facility-drawdown.ts';
import { mapInTask } from '#libs/ledger/cooperative-loop.ts';
import type { Calendars } from '#libs/product/markets/registry.ts';

export type BookReadOptions = { readonly on: CivilDay; readonly homeCurrency: string; readonly calendars: Calendars };

/** Yields after each fact and each figure, so that other requests are served in between. */
export function* clientBookAnswer(book: ClientBook, options: BookReadOptions) {
  const { tenantId, clientId, folded, credit } = book;
  const { on, homeCurrency, calendars } = options;
  const version = yield* bookVersionOf(folded);
  const bookDay = bookOnDay(folded, on, calendars);
  const loans = yield* mapInTask(
    bookDay.loans,
    (loan, order) => ({
      loan: loanAnswer(folded, order, tenantId),
      payment_options: loanPaymentOptions(bookDay, loan),
      schedule: scheduleAnswer(bookDay, loan),
    }),
    1,
  );
  const receipts = receiptsBefore(folded, Number.POSITIVE_INFINITY, folded.length, () => true);
  // Only a Receipt that was meant as a payoff can have an anomaly of its own.
  const payoffReceipts = receipts.filter(({ fact }) => fact.payoffIntent);
  const receiptAnomalies = yield* mapInTask(
    payoffReceipts,
    (receipt) => receiptAnswer(folded, receipt, clientId, calendars).anomalies,
    1,
  );
  return {
    client_id: clientId,
    on: formatDay(on),
    book_version: { client_id: clientId, ...version },
    loans,
    receipts: yield* mapInTask(receipts, (receipt) => receiptRow(folded, receipt, clientId), 1),
    obligations: obligations(folded, clientId, homeCurrency),
    facilities: credit.facilities.map(facilityUseIn(book)).reverse(),
    bar: barAnswer(barsOf(credit), on),
    anomalies: [...loans.flatMap(({ loan }) => loan.anomalies), ...receiptAnomalies.flat()],
  };
}

/** The book version counts exactly the folded facts. */
function* bookVersionOf({ log, length }: ClientBook['folded']) {
  let at: string | undefined;
  for (const fact of log.entries(length)) {
    at = fact.at;
    yield;
  }
  return { ...(at === undefined ? {} : { version: at }), facts: length };
}
