/** A Loan as the fold has it after some step: its periods, and what its acts and Receipts did to it. */

import type { CivilDay } from '#libs/calendar/civil-day.ts';
import type { Schedule } from '#libs/calendar/schedule.ts';
import type { IssuedPeriod } from '#libs/ledger/charges/plan.ts';
import { isOwed, type Line, owedTotal, type Taxed } from '#libs/ledger/line.ts';
import type { Rate } from '#libs/money/rate.ts';
import type { Charge, LoanTerms } from '#libs/product/terms.ts';

export type Origin = 'issued' | 'recalculated' | 'rolled_over' | 'restructured' | 'called';

export type Period = {
  readonly index: number;
  readonly origin: Origin;
  /** The scheduled day before this period: interest runs from here to `scheduledOn`. */
  readonly start: CivilDay;
  readonly scheduledOn: CivilDay;
  readonly dueOn: CivilDay;
  readonly actionableFrom: CivilDay;
  /** False once an act, early money or a payoff ended the period. It owes nothing then. */
  readonly alive: boolean;
  readonly principal: Line;
  readonly interest: Line;
  readonly fee: Line;
  readonly penalty: Line;
  readonly late_fee: Line;
  readonly rate: Rate;
  /** Interest accrues on `balance` from `balanceFrom`; `accruedBefore` is balance times days of the segments before. */
  readonly balance: bigint;
  readonly balanceFrom: CivilDay;
  readonly accruedBefore: bigint;
  /** Exact penalty of the days counted so far: rate x base x days. Charged once the period is late. */
  readonly penaltyExact: bigint;
  readonly lateSince?: CivilDay;
  /** The first day on which it owed nothing. */
  readonly settledOn?: CivilDay;
};

export type Suspension = {
  readonly event: string;
  /** On its first day, acts recorded before it apply first. */
  readonly seq: number;
  readonly reference: string;
  readonly from: CivilDay;
  readonly to: CivilDay;
  readonly endedOn?: CivilDay;
};

export type Waiver = {
  readonly reference: string;
  readonly on: CivilDay;
  readonly period: number;
  readonly charge: Charge;
  readonly amount: bigint;
};

export type Return = {
  readonly event: string;
  readonly reference: string;
  readonly on: CivilDay;
  readonly amount: bigint;
  readonly unwound: bigint;
  readonly principalOwedBack: bigint;
  readonly interestOwedBack: bigint;
  readonly stillOwed: Debt;
  readonly beyond: bigint;
  readonly whole: boolean;
};

export type Settlement = {
  readonly event: string;
  readonly reference: string;
  readonly on: CivilDay;
  readonly until: CivilDay;
  readonly agreed: bigint;
  readonly taken: bigint;
};

export type Undoing = {
  readonly kind: 'rescinded' | 'withdrawn';
  readonly event: string;
  readonly reference: string;
  readonly on: CivilDay;
};

/** What one Receipt settled on the Loan. A linked list, newest first, so that adding to it costs the same at any length. */
export type Received = {
  readonly receipt: string;
  readonly on: CivilDay;
  readonly amount: bigint;
  readonly before: Received | undefined;
};

/** An act recorded earlier whose rule fails now. Reported as an anomaly. */
export type OverruledAct = { readonly kind: string; readonly event: string };

export type Debt = { readonly [charge in Charge]: Taxed };

export type Loan = {
  readonly id: string;
  readonly reference: string;
  /** Its place among the Client's Loans, in the order of recording. */
  readonly order: number;
  readonly terms: LoanTerms;
  readonly issued: readonly IssuedPeriod[];
  /** The day the Loan is accrued to. */
  readonly day: CivilDay;
  readonly periods: readonly Period[];
  readonly rate: Rate;
  readonly penaltyRate: Rate;
  readonly schedule: Schedule;
  readonly level: bigint;
  /** What each period repays under equal principal. A recalculation changes it; `level` stays that of the plan. */
  readonly share: bigint;
  readonly held: boolean;
  readonly confirmedOn?: CivilDay;
  readonly voided: boolean;
  readonly cancelled: boolean;
  readonly undone?: Undoing;
  readonly discharged?: { readonly on: CivilDay; readonly by?: string };
  readonly accelerated: boolean;
  readonly restructured: boolean;
  readonly writeOff?: {
    readonly event: string;
    readonly on: CivilDay;
    readonly cost: Debt;
    readonly recovered: bigint;
  };
  readonly cession?: { readonly event: string; readonly on: CivilDay };
  readonly settlement?: Settlement;
  readonly suspensions: readonly Suspension[];
  readonly waivers: readonly Waiver[];
  readonly returns: readonly Return[];
  readonly rollovers: readonly {
    readonly reference: string;
    readonly event: string;
    readonly on: CivilDay;
    readonly owedBack: bigint;
  }[];
  /** How many periods are late at the opening of the day, before its acts. */
  readonly lateAtOpening: number;
  /** Exact penalty charged so far, on ended periods too. The whole-loan ceiling limits it. */
  readonly penaltyShown: bigint;
  readonly paid: bigint;
  /** Principal that Receipts paid, on a period's line or ahead. */
  readonly principalReceived: bigint;
  readonly principalGivenBack: bigint;
  readonly received: Received | undefined;
  readonly bounded: readonly OverruledAct[];
};

/** What the period owes of its full charge. A settled period never owes again. */
export function owedByPeriod(period: Period): bigint {
  if (!period.alive || period.settledOn !== undefined) return 0n;
  return (
    owedTotal(period.principal) +
    owedTotal(period.interest) +
    owedTotal(period.fee) +
    owedTotal(period.penalty) +
    owedTotal(period.late_fee)
  );
}

/** Whether the period owes anything. Checked for every period at every Receipt, so it computes no sum. */
export function isOwing(period: Period): boolean {
  if (!period.alive || period.settledOn !== undefined) return false;
  return (
    isOwed(period.principal) ||
    isOwed(period.interest) ||
    isOwed(period.fee) ||
    isOwed(period.penalty) ||
    isOwed(period.late_fee)
  );
}

export function hasCharges(period: Period): boolean {
  return (
    period.principal.charged > 0n ||
    period.interest.charged > 0n ||
    period.fee.charged > 0n ||
    period.penalty.charged > 0n ||
    period.late_fee.charged > 0n
  );
}

export function hasFallenDue(period: Period, on: CivilDay): boolean {
  return period.dueOn <= on;
}

/** Its scheduled day has come: the full interest is owed, and money for it is not early any more. */
export function hasEnded(period: Period, on: CivilDay): boolean {
  return period.scheduledOn <= on;
}

/** Whether the Loan charges, receives money and admits acts: not held, and not ended. */
export function isInForce(loan: Loan): boolean {
  return !loan.held && !loan.voided && !loan.cancelled && loan.undone === undefined && loan.discharged === undefined;
}

/** Whether the whole debt has fallen due, so that no money for it is early. */
export function isDebtFixed(loan: Loan): boolean {
  return loan.accelerated || loan.writeOff !== undefined;
}

/** The settlement for less that runs on the day. */
export function runningSettlement(loan: Loan, on: CivilDay): Settlement | undefined {
  const settlement = loan.settlement;
  return settlement !== undefined && settlement.on <= on && on <= settlement.until ? settlement : undefined;
}

export function replacePeriod(periods: readonly Period[], at: number, period: Period): readonly Period[] {
  const copy = periods.slice();
  copy[at] = period;
  return copy;
}

export function highestIndex(loan: Loan): number {
  return loan.periods.reduce((highest, period) => Math.max(highest, period.index), 0);
}

/**
 * Marks the periods that owe nothing as settled, and the Loan as discharged once none of them owes anything. A remainder
 * within the tolerance is still owed.
 */
export function markSettled(loan: Loan, on: CivilDay, by?: string): Loan {
  let owes = false;
  let changed = false;
  const periods = loan.periods.map((period) => {
    if (!period.alive) return period;
    if (isOwing(period)) {
      owes = true;
      return period;
    }
    if (period.settledOn !== undefined || !hasCharges(period)) return period;
    changed = true;
    return { ...period, settledOn: on };
  });
  const marked = changed ? { ...loan, periods } : loan;
  if (owes || loan.held || loan.discharged !== undefined) return marked;
  return { ...marked, discharged: by === undefined ? { on } : { on, by } };
}

/** Releases the rest of the debt: periods that are not settled end. */
export function releaseRest(loan: Loan): Loan {
  const periods = loan.periods.map(
    (period): Period => (period.settledOn === undefined ? { ...period, alive: false } : period),
  );
  return { ...loan, periods };
}
