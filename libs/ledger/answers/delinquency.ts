import { formatDay } from '#libs/calendar/civil-day.ts';
import { type Anomaly, anomaliesOf } from '#libs/ledger/answers/anomalies.ts';
import { type Owed, owedFigure } from '#libs/ledger/answers/figures.ts';
import { type Late, lateness } from '#libs/ledger/answers/lateness.ts';
import { asks, type BookOnDay, hasBegun } from '#libs/ledger/answers/moment.ts';
import { type SuspensionFigure, suspensionFigure } from '#libs/ledger/answers/suspension.ts';
import { daysPastDue, settledForLateness } from '#libs/ledger/charges/accrue-to.ts';
import { wholeDebt } from '#libs/ledger/charges/debt.ts';
import { fallenDue, isOwing, type Loan } from '#libs/ledger/loan.ts';

export type Delinquency = {
  readonly loan_id: string;
  readonly on: string;
  readonly days_past_due: number;
  readonly late?: Late;
  readonly suspension?: SuspensionFigure;
  readonly periods: readonly {
    readonly index: number;
    readonly due_on: string;
    readonly days_past_due: number;
    readonly owed: Owed;
  }[];
  readonly anomalies: readonly Anomaly[];
};

export function delinquency(moment: BookOnDay, loan: Loan): Delinquency {
  const { on } = moment;
  const asking = asks(loan, on);
  const unpaid =
    asking && hasBegun(loan, on) ? loan.periods.filter((each) => fallenDue(each, on) && isOwing(each)) : [];
  const periods = unpaid.map((period) => ({
    index: period.index,
    due_on: formatDay(period.dueOn),
    // Only unsettled periods count days, and a remainder within the band counts as settled here.
    days_past_due: settledForLateness(loan, period) ? 0 : daysPastDue(loan, period, on),
    owed: owedFigure(wholeDebt(period), loan.terms.currency),
  }));
  const late = asking ? lateness(loan, on) : undefined;
  const suspension = suspensionFigure(loan, on);
  return {
    loan_id: loan.id,
    on: formatDay(on),
    days_past_due: periods.reduce((worst, period) => Math.max(worst, period.days_past_due), 0),
    ...(late === undefined ? {} : { late }),
    ...(suspension === undefined ? {} : { suspension }),
    periods,
    anomalies: anomaliesOf(moment.book, loan),
  };
}
