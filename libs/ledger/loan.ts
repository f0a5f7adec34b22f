import type { CivilDay } from '#libs/calendar/civil-day.ts';
import type { Schedule } from '#libs/calendar/schedule.ts';
import type { IssuedPeriod } from '#libs/ledger/charges/plan.ts';
import { isOwed, type Line, owedOf, type Taxed } from '#libs/ledger/line.ts';
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
  /** False once an act, early money, a payoff or a return ended it: it owes nothing any more. */
  readonly alive: boolean;
  readonly principal: Line;
  readonly interest: Line;
  readonly fee: Line;
  readonly penalty: Line;
  readonly late_fee: Line;
  readonly rate: Rate;
  /** Interest accrues on `balance` from `balanceFrom`; `accruedBefore` is the exact balance-time of the segments before. */
  readonly balance: bigint;
  readonly balanceFrom: CivilDay;
  readonly accruedBefore: bigint;
  /** Exact penalty: rate x base x days, of the days counted so far, shown or not. */
  readonly penaltyExact: bigint;
  /** The day it became late, if ever. */
  readonly lateSince?: CivilDay;
  /** The first day on which it owed nothing. */
  readonly settledOn?: CivilDay;
};

export type Suspension = {
  readonly event: string;
  /** Its place in the order of recording: on its own day it gives way to what was recorded before it. */
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

/** What one Receipt settled on the Loan. Newest first, so that one more costs the same however many there are. */
export type Received = {
  readonly receipt: string;
  readonly on: CivilDay;
  readonly amount: bigint;
  readonly before: Received | undefined;
};

/** An act that stands but whose rule no longer holds, and the code admission would have refused it with. */
export type Bounded = { readonly kind: string; readonly event: string };

export type Debt = { readonly [charge in Charge]: Taxed };

export type Loan = {
  readonly id: string;
  readonly reference: string;
  /** The Client's Loans in the order of their recording. */
  readonly order: number;
  readonly terms: LoanTerms;
  readonly issued: readonly IssuedPeriod[];
  /** The last day that was opened: everything that time does is done up to it. */
  readonly day: CivilDay;
  readonly periods: readonly Period[];
  readonly rate: Rate;
  readonly penaltyRate: Rate;
  readonly schedule: Schedule;
  readonly level: bigint;
  /** Under equal principal, what each period repays: a recalculation divides anew, while `level` is the plan's own. */
  readonly share: bigint;
  /** Issued with a hold and not confirmed yet. */
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
  /** How many periods were late as the day opened, before its acts. */
  readonly lateAtOpening: number;
  /** Exact penalty of all periods that shows, ended ones included: what the whole-loan ceiling bounds. */
  readonly penaltyShown: bigint;
  readonly paid: bigint;
  /** Principal that Receipts settled, on a period's line or ahead. */
  readonly principalReceived: bigint;
  readonly principalGivenBack: bigint;
  readonly received: Received | undefined;
  readonly bounded: readonly Bounded[];
};

/** What the period still owes of its whole charge. One that was settled never owes again. */
export function periodOwes(period: Period): bigint {
  if (!period.alive || period.settledOn !== undefined) return 0n;
  return (
    owedOf(period.principal) +
    owedOf(period.interest) +
    owedOf(period.fee) +
    owedOf(period.penalty) +
    owedOf(period.late_fee)
  );
}

/** Whether it owes anything: asked of every period for every Receipt, and no sum of it is. */
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

export function chargesSomething(period: Period): boolean {
  return (
    period.principal.charged > 0n ||
    period.interest.charged > 0n ||
    period.fee.charged > 0n ||
    period.penalty.charged > 0n ||
    period.late_fee.charged > 0n
  );
}

/** Fallen due, as arrears and lateness count it. */
export function fallenDue(period: Period, on: CivilDay): boolean {
  return period.dueOn <= on;
}

/** Its scheduled day has come: interest is whole, and money no longer comes early. */
export function ended(period: Period, on: CivilDay): boolean {
  return period.scheduledOn <= on;
}

/** Charges, takes money and can be acted upon. A Loan is not open while held, nor once undone or discharged. */
export function stands(loan: Loan): boolean {
  return !loan.held && !loan.voided && !loan.cancelled && loan.undone === undefined && loan.discharged === undefined;
}

/** Nothing of the debt comes in time any more: it is owed whole. */
export function debtIsFixed(loan: Loan): boolean {
  return loan.accelerated || loan.writeOff !== undefined;
}

/** The settlement for less that runs on the day, if one does. */
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
