import { type CivilDay, formatDay } from '#libs/calendar/civil-day.ts';
import { type Anomaly, anomaliesOf } from '#libs/ledger/answers/anomalies.ts';
import { type Owed, owedFigure } from '#libs/ledger/answers/figures.ts';
import { type Late, lateness } from '#libs/ledger/answers/lateness.ts';
import { asks, type BookOnDay, hasBegun } from '#libs/ledger/answers/moment.ts';
import { type SuspensionFigure, suspensionFigure } from '#libs/ledger/answers/suspension.ts';
import { TREATMENTS } from '#libs/ledger/answers/treatments.ts';
import { type WaiverFigure, waiverFigure } from '#libs/ledger/answers/waivers.ts';
import { NO_DEBT, overdue, payoff, quoted, wholeDebt } from '#libs/ledger/charges/debt.ts';
import { chargesSomething, debtIsFixed, fallenDue, isOwing, type Loan, type Period } from '#libs/ledger/loan.ts';

export type Instalment = {
  readonly period: number;
  readonly scheduled_on: string;
  readonly due_on: string;
  readonly owed: Owed;
  readonly actionable_from: string;
  readonly requires_overdue_settled: boolean;
  readonly settled_by: 'overdue' | 'instalment';
};

export type LoanOptions = {
  readonly loan_id: string;
  readonly reference: string;
  readonly overdue: Owed;
  readonly late?: Late;
  readonly suspension?: SuspensionFigure;
  readonly waivers?: readonly WaiverFigure[];
  readonly instalment?: Instalment;
  readonly payoff: {
    readonly owed: Owed;
    readonly actionable_on: string;
    readonly requires_payoff_intent: true;
    readonly requires_designation: boolean;
  };
  readonly any_other_amount: { readonly treatment: string; readonly description: string };
  readonly anomalies: readonly Anomaly[];
};

export type PaymentOptions = {
  readonly client_id: string;
  readonly on: string;
  readonly loans: readonly LoanOptions[];
};

export function paymentOptions(moment: BookOnDay, clientId: string): PaymentOptions {
  return {
    client_id: clientId,
    on: formatDay(moment.on),
    loans: moment.loans.map((loan) => loanOptions(moment, loan)),
  };
}

export function loanOptions(moment: BookOnDay, loan: Loan): LoanOptions {
  const { on } = moment;
  const { currency, anchor, treatment } = loan.terms;
  const asking = asks(loan, on);
  const begun = hasBegun(loan, on);
  const late = asking && begun ? lateness(loan, on) : undefined;
  const suspension = suspensionFigure(loan, on);
  const instalment = asking ? instalmentOn(loan, on) : undefined;
  return {
    loan_id: loan.id,
    reference: loan.reference,
    overdue: owedFigure(asking && begun ? overdueDebt(loan, on) : NO_DEBT, currency),
    ...(late === undefined ? {} : { late }),
    ...(suspension === undefined ? {} : { suspension }),
    ...(loan.waivers.length === 0 ? {} : { waivers: loan.waivers.map((waiver) => waiverFigure(waiver, currency)) }),
    ...(instalment === undefined ? {} : { instalment }),
    payoff: {
      owed: owedFigure(asking ? quoted(loan, begun ? on : anchor) : NO_DEBT, currency),
      actionable_on: formatDay(begun ? on : anchor),
      requires_payoff_intent: true,
      requires_designation: moment.loans.some((other) => other !== loan && competes(other, loan, on)),
    },
    any_other_amount: { treatment, description: TREATMENTS[treatment] },
    anomalies: anomaliesOf(moment.book, loan),
  };
}

/** A debt that is fixed is overdue whole. */
export function overdueDebt(loan: Loan, on: CivilDay) {
  return debtIsFixed(loan) ? payoff(loan, on) : overdue(loan, on);
}

/** Another Loan that undesignated money of the currency would reach. */
function competes(other: Loan, loan: Loan, on: CivilDay): boolean {
  return other.terms.currency === loan.terms.currency && hasBegun(other, on) && asks(other, on);
}

/** The first period not settled that falls due on the day or later; none once every period has fallen due. */
export function instalmentOn(loan: Loan, on: CivilDay): Instalment | undefined {
  if (debtIsFixed(loan)) return undefined;
  const living = loan.periods.filter((period) => period.alive && chargesSomething(period));
  if (living.every((period) => fallenDue(period, on))) return undefined;
  const next = living.find((period) => period.dueOn >= on && isOwing(period));
  if (next === undefined) return undefined;
  return {
    period: next.index,
    scheduled_on: formatDay(next.scheduledOn),
    due_on: formatDay(next.dueOn),
    owed: owedFigure(wholeDebt(next), loan.terms.currency),
    actionable_from: formatDay(next.actionableFrom),
    requires_overdue_settled: living.some((period) => isOlder(period, next) && isOwing(period)),
    settled_by: next.dueOn === on ? 'overdue' : 'instalment',
  };
}

function isOlder(period: Period, next: Period): boolean {
  return period.dueOn < next.dueOn || (period.dueOn === next.dueOn && period.index < next.index);
}
