/** A Receipt while it is being allocated, and the steps that all parts of the allocation share. */

import type { CivilDay } from '#libs/calendar/civil-day.ts';
import { isOwed, owedTaxed, payablePart, settle, type Taxed } from '#libs/ledger/line.ts';
import {
  hasFallenDue,
  isOwing,
  type Loan,
  type Period,
  releaseRest,
  replacePeriod,
  runningSettlement,
  type Settlement,
} from '#libs/ledger/loan.ts';
import type { Charge } from '#libs/product/terms.ts';

export type SettledLine = {
  readonly period: number;
  readonly charge: Charge;
  readonly amount: bigint;
  readonly tax: bigint;
};

/** What one Receipt did to one Loan. */
export type LoanAllocation = {
  readonly order: number;
  readonly lines: readonly SettledLine[];
  /** Principal paid ahead, which is on no period's line. */
  readonly early: bigint;
  readonly discharged: boolean;
};

/** Mutable while the Receipt is allocated: the money that is left, and the Loans as it leaves them, by order. */
export type Allocation = {
  readonly receipt: string;
  readonly on: CivilDay;
  left: bigint;
  readonly loans: Map<number, Loan>;
  /** The orders of the Loans that took money, in the order in which they first did. */
  readonly reached: number[];
  readonly lines: Map<number, SettledLine[]>;
  readonly early: Map<number, bigint>;
  /** The settlement for less that this Receipt completed, if any. */
  settlement: string | undefined;
};

export function startAllocation(receipt: string, on: CivilDay, amount: bigint, loans: readonly Loan[]): Allocation {
  return {
    receipt,
    on,
    left: amount,
    loans: new Map(loans.map((loan) => [loan.order, loan])),
    reached: [],
    lines: new Map(),
    early: new Map(),
    settlement: undefined,
  };
}

export function loanIn(allocation: Allocation, order: number): Loan {
  const loan = allocation.loans.get(order);
  if (loan === undefined) throw new Error(`the allocation of ${allocation.receipt} holds no Loan with order ${order}`);
  return loan;
}

/** The money this Loan may take: while a settlement runs, at most what is left of it. */
export function availableFor(loan: Loan, allocation: Allocation): bigint {
  const settlement = runningSettlement(loan, allocation.on);
  if (settlement === undefined) return allocation.left;
  const left = settlement.agreed - settlement.taken;
  return left < allocation.left ? left : allocation.left;
}

/** The period's whole charge, line by line in the Loan's charge order, as far as the money goes. */
export function payPeriod(allocation: Allocation, order: number, at: number): void {
  for (const charge of loanIn(allocation, order).terms.chargeOrder) {
    const period = loanIn(allocation, order).periods[at] as Period;
    if (!period.alive) return;
    // Most lines of most periods owe nothing; checking that first is cheaper than paying nothing.
    if (isOwed(period[charge])) payLine(allocation, order, at, charge, owedTaxed(period[charge]));
  }
  releaseIfSettled(allocation, order);
}

/** Settles `due` of a line, or the part of it that the available money covers. */
export function payLine(allocation: Allocation, order: number, at: number, charge: Charge, due: Taxed): void {
  const loan = loanIn(allocation, order);
  const paid = payablePart(due, availableFor(loan, allocation));
  if (paid.amount + paid.tax === 0n) return;
  const period = loan.periods[at] as Period;
  const line = settle(period[charge], paid);
  const periods = replacePeriod(loan.periods, at, { ...period, [charge]: line });
  takeMoney(allocation, loan, periods, paid.amount + paid.tax, charge === 'principal' ? paid.amount : 0n);
  addLine(allocation, order, { period: period.index, charge, ...paid });
}

/** Takes principal ahead. The caller recalculates the plan of what is left. */
export function takeAhead(allocation: Allocation, order: number, amount: bigint): void {
  const loan = loanIn(allocation, order);
  takeMoney(allocation, loan, loan.periods, amount, amount);
  allocation.early.set(order, (allocation.early.get(order) ?? 0n) + amount);
}

/** `periods` are the Loan's periods after the payment; `principal` is the part of the money that repaid principal. */
function takeMoney(
  allocation: Allocation,
  loan: Loan,
  periods: readonly Period[],
  money: bigint,
  principal: bigint,
): void {
  allocation.left -= money;
  if (!allocation.reached.includes(loan.order)) allocation.reached.push(loan.order);
  const running = runningSettlement(loan, allocation.on);
  const paid: Loan = {
    ...loan,
    periods,
    paid: loan.paid + money,
    principalReceived: loan.principalReceived + principal,
  };
  const hasAgreement = running !== undefined || loan.writeOff !== undefined;
  allocation.loans.set(loan.order, hasAgreement ? countPayment(paid, running, money) : paid);
}

/** Counts the money towards a running settlement and as recovered after a write-off. */
function countPayment(loan: Loan, running: Settlement | undefined, money: bigint): Loan {
  return {
    ...loan,
    ...(running === undefined ? {} : { settlement: { ...running, taken: running.taken + money } }),
    ...(loan.writeOff === undefined
      ? {}
      : { writeOff: { ...loan.writeOff, recovered: loan.writeOff.recovered + money } }),
  };
}

/** Each line is paid at most once: one that is not paid in full has taken all the money the Loan could have. */
function addLine(allocation: Allocation, order: number, line: SettledLine): void {
  const lines = allocation.lines.get(order);
  if (lines === undefined) allocation.lines.set(order, [line]);
  else lines.push(line);
}

/** Once the agreed sum of a settlement is paid, the rest of the debt is released. */
export function releaseIfSettled(allocation: Allocation, order: number): void {
  const loan = loanIn(allocation, order);
  const { settlement } = loan;
  if (settlement === undefined || allocation.on > settlement.until || settlement.taken < settlement.agreed) return;
  allocation.settlement ??= settlement.reference;
  if (loan.periods.some((period) => isOwing(period))) allocation.loans.set(order, releaseRest(loan));
}

/** The index of the first period that has not fallen due and is not settled. */
export function nextInstalment(loan: Loan, on: CivilDay): number | undefined {
  const at = loan.periods.findIndex((period) => !hasFallenDue(period, on) && isOwing(period));
  return at === -1 ? undefined : at;
}

/** The Loans that have a next instalment, by its due day, then in the order of recording. */
export function ordersByNextInstalment(allocation: Allocation): number[] {
  const next: { readonly order: number; readonly dueOn: CivilDay }[] = [];
  for (const loan of allocation.loans.values()) {
    const at = nextInstalment(loan, allocation.on);
    if (at !== undefined) next.push({ order: loan.order, dueOn: (loan.periods[at] as Period).dueOn });
  }
  next.sort((a, b) => a.dueOn - b.dueOn || a.order - b.order);
  return next.map(({ order }) => order);
}

export function allocationTotal({ lines, early }: LoanAllocation): bigint {
  return lines.reduce((sum, line) => sum + line.amount + line.tax, early);
}
