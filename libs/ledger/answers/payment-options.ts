/** What a Client can pay on a day: what is overdue, the next instalment, the payoff, or any other amount. */

import { type CivilDay, formatDay } from '#libs/calendar/civil-day.ts';
import { moneyFigure, type OwedFigure, owedFigure } from '#libs/ledger/answers/amounts-json.ts';
import { type Anomaly, anomaliesOf } from '#libs/ledger/answers/anomalies.ts';
import { type BookOnDay, hasStarted, isClaimable, isReachable } from '#libs/ledger/answers/book-on-day.ts';
import { type Lateness, lateness, type SuspensionFigure, suspensionFigure } from '#libs/ledger/answers/delinquency.ts';
import { overdueParts, payoffParts } from '#libs/ledger/answers/figure-parts.ts';
import { periodDebt, sumDebts } from '#libs/ledger/charges/debt.ts';
import {
  hasCharges,
  hasFallenDue,
  isDebtFixed,
  isOwing,
  type Loan,
  type Period,
  type Waiver,
} from '#libs/ledger/loan.ts';
import type { EarlyMoneyTreatment } from '#libs/product/terms.ts';
import type { MoneyJson } from '#libs/schema/objects.ts';

export type Instalment = {
  readonly period: number;
  readonly scheduled_on: string;
  readonly due_on: string;
  readonly owed: OwedFigure;
  readonly actionable_from: string;
  readonly requires_overdue_settled: boolean;
  readonly settled_by: 'overdue' | 'instalment';
};

export type LoanPaymentOptions = {
  readonly loan_id: string;
  readonly reference: string;
  readonly overdue: OwedFigure;
  readonly late?: Lateness;
  readonly suspension?: SuspensionFigure;
  readonly waivers?: readonly WaiverFigure[];
  readonly instalment?: Instalment;
  readonly payoff: {
    readonly owed: OwedFigure;
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
  readonly loans: readonly LoanPaymentOptions[];
};

export function paymentOptions(bookDay: BookOnDay, clientId: string): PaymentOptions {
  return {
    client_id: clientId,
    on: formatDay(bookDay.on),
    loans: bookDay.loans.map((loan) => loanPaymentOptions(bookDay, loan)),
  };
}

export function loanPaymentOptions(bookDay: BookOnDay, loan: Loan): LoanPaymentOptions {
  const { on } = bookDay;
  const { currency, anchor, treatment } = loan.terms;
  const late = lateness(loan, on);
  const suspension = suspensionFigure(loan, on);
  const instalment = instalmentOn(loan, on);
  return {
    loan_id: loan.id,
    reference: loan.reference,
    overdue: owedFigure(sumDebts(overdueParts(loan, on)), currency),
    ...(late === undefined ? {} : { late }),
    ...(suspension === undefined ? {} : { suspension }),
    ...(loan.waivers.length === 0 ? {} : { waivers: loan.waivers.map((waiver) => waiverFigure(waiver, currency)) }),
    ...(instalment === undefined ? {} : { instalment }),
    payoff: {
      owed: owedFigure(sumDebts(payoffParts(loan, on)), currency),
      actionable_on: formatDay(hasStarted(loan, on) ? on : anchor),
      requires_payoff_intent: true,
      requires_designation: requiresDesignation(bookDay, loan),
    },
    any_other_amount: { treatment, description: treatmentDescriptions[treatment] },
    anomalies: anomaliesOf(bookDay.book, loan),
  };
}

/** Whether money for the Loan that does not name it could be allocated to another one. */
export function requiresDesignation({ on, reachable }: BookOnDay, loan: Loan): boolean {
  return (reachable.get(loan.terms.currency) ?? 0) > (isReachable(loan, on) ? 1 : 0);
}

/** The first unsettled period that falls due on the day or later. Undefined once every period has fallen due. */
export function instalmentOn(loan: Loan, on: CivilDay): Instalment | undefined {
  if (!isClaimable(loan, on) || isDebtFixed(loan)) return undefined;
  const alive = loan.periods.filter((period) => period.alive && hasCharges(period));
  if (alive.every((period) => hasFallenDue(period, on))) return undefined;
  const next = alive.find((period) => period.dueOn >= on && isOwing(period));
  if (next === undefined) return undefined;
  return {
    period: next.index,
    scheduled_on: formatDay(next.scheduledOn),
    due_on: formatDay(next.dueOn),
    owed: owedFigure(periodDebt(next), loan.terms.currency),
    actionable_from: formatDay(next.actionableFrom),
    requires_overdue_settled: alive.some((period) => isOlder(period, next) && isOwing(period)),
    settled_by: next.dueOn === on ? 'overdue' : 'instalment',
  };
}

function isOlder(period: Period, next: Period): boolean {
  return period.dueOn < next.dueOn || (period.dueOn === next.dueOn && period.index < next.index);
}

/** For the borrower: the use of money beyond what is due and the next instalment. */
const treatmentDescriptions: { readonly [treatment in EarlyMoneyTreatment]: string } = {
  reduces_principal:
    'Anything you pay beyond what is due lowers the principal you owe from that day; your instalments become smaller and their days stay.',
  shortens_term:
    'Anything you pay beyond what is due lowers the principal you owe from that day; your instalments stay as they are and end sooner.',
  settles_next: 'Anything you pay beyond what is due pays your next instalments, one after the other.',
};

type WaiverFigure = {
  readonly reference: string;
  readonly on: string;
  readonly period: number;
  readonly charge: string;
  readonly amount: MoneyJson;
};

function waiverFigure({ reference, on, period, charge, amount }: Waiver, currency: string): WaiverFigure {
  return { reference, on: formatDay(on), period, charge, amount: moneyFigure(amount, currency) };
}
