/** Lateness of a Loan on a day: its late periods, days past due, and a suspension in force. */

import { type CivilDay, formatDay } from '#libs/calendar/civil-day.ts';
import { type OwedFigure, owedFigure } from '#libs/ledger/answers/amounts-json.ts';
import { type Anomaly, anomaliesOf } from '#libs/ledger/answers/anomalies.ts';
import { type BookOnDay, isReachable } from '#libs/ledger/answers/book-on-day.ts';
import { lateParts, latePeriods } from '#libs/ledger/answers/figure-parts.ts';
import { periodDebt, sumDebts } from '#libs/ledger/charges/debt.ts';
import { daysPastDue, isSettledForLateness, suspensionOn } from '#libs/ledger/charges/lateness.ts';
import { hasFallenDue, isOwing, type Loan, type Period } from '#libs/ledger/loan.ts';

export type Delinquency = {
  readonly loan_id: string;
  readonly on: string;
  readonly days_past_due: number;
  readonly late?: Lateness;
  readonly suspension?: SuspensionFigure;
  readonly periods: readonly {
    readonly index: number;
    readonly due_on: string;
    readonly days_past_due: number;
    readonly owed: OwedFigure;
  }[];
  readonly anomalies: readonly Anomaly[];
};

export function delinquency(bookDay: BookOnDay, loan: Loan): Delinquency {
  const { on } = bookDay;
  const unpaid = loan.periods.filter((period) => isUnpaid(loan, period, on));
  const periods = unpaid.map((period) => ({
    index: period.index,
    due_on: formatDay(period.dueOn),
    days_past_due: countsDaysPastDue(loan, period, on) ? daysPastDue(loan, period, on) : 0,
    owed: owedFigure(periodDebt(period), loan.terms.currency),
  }));
  const late = lateness(loan, on);
  const suspension = suspensionFigure(loan, on);
  return {
    loan_id: loan.id,
    on: formatDay(on),
    days_past_due: periods.reduce((worst, period) => Math.max(worst, period.days_past_due), 0),
    ...(late === undefined ? {} : { late }),
    ...(suspension === undefined ? {} : { suspension }),
    periods,
    anomalies: anomaliesOf(bookDay.book, loan),
  };
}

/** Whether it has fallen due and is not settled. */
function isUnpaid(loan: Loan, period: Period, on: CivilDay): boolean {
  return isReachable(loan, on) && hasFallenDue(period, on) && isOwing(period);
}

/** Only unpaid periods count days past due. A remainder within the tolerance counts as settled here. */
export function countsDaysPastDue(loan: Loan, period: Period, on: CivilDay): boolean {
  return isUnpaid(loan, period, on) && !isSettledForLateness(loan, period);
}

export type Lateness = { readonly owed: OwedFigure; readonly worst_days_past_due: number; readonly periods: number };

/** Undefined where the Loan is not late. */
export function lateness(loan: Loan, on: CivilDay): Lateness | undefined {
  const late = latePeriods(loan, on);
  if (late.length === 0) return undefined;
  return {
    owed: owedFigure(sumDebts(lateParts(loan, on)), loan.terms.currency),
    worst_days_past_due: late.reduce((worst, period) => Math.max(worst, daysPastDue(loan, period, on)), 0),
    periods: late.length,
  };
}

export type SuspensionFigure = {
  readonly event_id: string;
  readonly reference: string;
  readonly from: string;
  readonly to: string;
  readonly ended_on?: string;
};

export function suspensionFigure(loan: Loan, on: CivilDay): SuspensionFigure | undefined {
  const suspension = suspensionOn(loan, on);
  if (suspension === undefined) return undefined;
  const { event, reference, from, to, endedOn } = suspension;
  const figure = { event_id: event, reference, from: formatDay(from), to: formatDay(to) };
  return endedOn === undefined ? figure : { ...figure, ended_on: formatDay(endedOn) };
}
