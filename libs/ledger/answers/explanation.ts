/** What the figures of a Loan on a day consist of: each period's part of them, and the Receipts behind what was paid. */

import { type CivilDay, formatDay } from '#libs/calendar/civil-day.ts';
import { moneyFigure, type OwedFigure, owedFigure } from '#libs/ledger/answers/amounts-json.ts';
import type { BookOnDay } from '#libs/ledger/answers/book-on-day.ts';
import { countsDaysPastDue } from '#libs/ledger/answers/delinquency.ts';
import { lateParts, overdueParts, payoffParts } from '#libs/ledger/answers/figure-parts.ts';
import { type LoanAnswer, loanAnswer } from '#libs/ledger/answers/loan.ts';
import { instalmentOn, type LoanPaymentOptions, loanPaymentOptions } from '#libs/ledger/answers/payment-options.ts';
import { type ReceiptLoan, receiptAnswer } from '#libs/ledger/answers/receipt.ts';
import { type ScheduleAnswer, scheduleAnswer } from '#libs/ledger/answers/schedule.ts';
import { penaltyBase, penaltyDays } from '#libs/ledger/charges/accrue-to.ts';
import { NO_DEBT, periodDebt } from '#libs/ledger/charges/debt.ts';
import { daysPastDue } from '#libs/ledger/charges/lateness.ts';
import { receiptCost } from '#libs/ledger/fold-cost.ts';
import type { Debt, Loan, Period, Received } from '#libs/ledger/loan.ts';
import { formatRate } from '#libs/money/rate.ts';
import type { Calendars } from '#libs/product/markets/registry.ts';
import type { MoneyJson } from '#libs/schema/objects.ts';

/** Part of each figure of the Loan's payment options: the parts of all periods add up to the figure. */
type PeriodParts = {
  readonly index: number;
  readonly days_past_due: number;
  readonly late_since?: string;
  readonly overdue: OwedFigure;
  readonly late: OwedFigure;
  readonly instalment: OwedFigure;
  readonly payoff: OwedFigure;
  readonly interest: {
    readonly rate: string;
    readonly from: string;
    readonly to: string;
    readonly balance: MoneyJson;
    readonly balance_from: string;
  };
  readonly penalty?: PenaltyPart;
};

type PenaltyPart = {
  readonly rate: string;
  /** What bears penalty on the next day. */
  readonly base: MoneyJson;
  readonly days: number;
  /** The base of each counted day, added up: minor units times days. Absent where the ceiling of the Loan cut it. */
  readonly base_days?: string;
};

type ExplainedReceipt = {
  readonly reference: string;
  readonly value_date: string;
  /** What it settled on this Loan. */
  readonly allocation: ReceiptLoan;
};

export type LoanExplanation = {
  readonly client_id: string;
  readonly on: string;
  readonly loan: LoanAnswer;
  readonly payment_options: LoanPaymentOptions;
  readonly schedule: ScheduleAnswer;
  readonly periods: readonly PeriodParts[];
  readonly paid: MoneyJson;
  readonly receipts: readonly ExplainedReceipt[];
  readonly earlier_receipts: { readonly count: number; readonly settled: MoneyJson };
};

const maxReceipts = 50;

interface ExplainedBook {
  readonly bookDay: BookOnDay;
  readonly clientId: string;
  readonly tenantId: string;
  readonly calendars: Calendars;
}

/** Each Receipt costs a few steps of the fold (`receiptCost`): those above the limit are in the sum of earlier ones. */
export function loanExplanation(
  explained: ExplainedBook,
  order: number,
  maxReceiptCost: number = Number.POSITIVE_INFINITY,
): LoanExplanation {
  const { bookDay, clientId, tenantId } = explained;
  const loan = bookDay.loans[order] as Loan;
  return {
    client_id: clientId,
    on: formatDay(bookDay.on),
    loan: loanAnswer(bookDay.book, order, tenantId),
    payment_options: loanPaymentOptions(bookDay, loan),
    schedule: scheduleAnswer(bookDay, loan),
    periods: periodParts(loan, bookDay.on),
    paid: moneyFigure(loan.paid, loan.terms.currency),
    ...explainedReceipts(explained, loan, maxReceiptCost),
  };
}

function periodParts(loan: Loan, on: CivilDay): readonly PeriodParts[] {
  const { currency } = loan.terms;
  const overdue = overdueParts(loan, on);
  const late = lateParts(loan, on);
  const payoff = payoffParts(loan, on);
  const next = instalmentOn(loan, on)?.period;
  const figure = (debt: Debt | undefined) => owedFigure(debt ?? NO_DEBT, currency);
  return loan.periods.map((period, at) => {
    const countsDays = countsDaysPastDue(loan, period, on);
    return {
      index: period.index,
      days_past_due: countsDays ? daysPastDue(loan, period, on) : 0,
      ...(period.lateSince === undefined ? {} : { late_since: formatDay(period.lateSince) }),
      overdue: figure(overdue[at]),
      late: figure(late[at]),
      instalment: figure(period.alive && period.index === next ? periodDebt(period) : NO_DEBT),
      payoff: figure(payoff[at]),
      interest: interestPart(period, currency),
      ...(countsDays && period.lateSince !== undefined ? { penalty: penaltyPart(loan, period, on) } : {}),
    };
  });
}

function interestPart({ rate, start, scheduledOn, balance, balanceFrom }: Period, currency: string) {
  return {
    rate: formatRate(rate),
    from: formatDay(start),
    to: formatDay(scheduledOn),
    balance: moneyFigure(balance, currency),
    balance_from: formatDay(balanceFrom),
  };
}

/** Of a period that still owes: a restructure, which may change the rate, ends all of those before it. */
function penaltyPart(loan: Loan, period: Period, on: CivilDay): PenaltyPart {
  const { penaltyRate, terms } = loan;
  const isCut = terms.penaltyCeilingBps !== undefined || penaltyRate === 0n;
  return {
    rate: formatRate(penaltyRate),
    base: moneyFigure(penaltyBase(terms, period), terms.currency),
    days: penaltyDays(loan, period, on),
    ...(isCut ? {} : { base_days: String(period.penaltyExact / penaltyRate) }),
  };
}

/** Newest first. What the Receipts left out settled is stated as one sum, so that all of it adds up to what was paid. */
function explainedReceipts(
  { bookDay: { book }, clientId, calendars }: ExplainedBook,
  loan: Loan,
  maxCost: number,
): Pick<LoanExplanation, 'receipts' | 'earlier_receipts'> {
  const receipts: ExplainedReceipt[] = [];
  let earlier: Received | undefined = loan.received;
  let cost = 0;
  for (; earlier !== undefined && receipts.length < maxReceipts; earlier = earlier.before) {
    const recorded = book.log.receipt(book.length, earlier.receipt);
    if (recorded === undefined) throw new Error(`Receipt ${earlier.receipt} settled something and is not in its book`);
    cost += receiptCost(book, recorded);
    if (cost > maxCost) break;
    const { receipt, loans } = receiptAnswer(book, recorded, clientId, calendars);
    const allocation = loans.find(({ loan_id }) => loan_id === loan.id);
    if (allocation === undefined) throw new Error(`Receipt ${earlier.receipt} settled nothing on Loan ${loan.id}`);
    receipts.push({ reference: receipt.reference, value_date: receipt.value_date, allocation });
  }
  let count = 0;
  let settled = 0n;
  for (; earlier !== undefined; earlier = earlier.before) {
    count += 1;
    settled += earlier.amount;
  }
  return { receipts, earlier_receipts: { count, settled: moneyFigure(settled, loan.terms.currency) } };
}
