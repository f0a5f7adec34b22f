/**
 * Allocates a Receipt over the Loans it may reach, in four steps: 1. the payoff of its designated Loan, if it is meant
 * as one and covers it; else 2. what is overdue, 3. the next instalments, 4. early money.
 */

import type { CivilDay } from '#libs/calendar/civil-day.ts';
import { debtTotal, payoff, settlementLeft } from '#libs/ledger/charges/debt.ts';
import { endPlan, principalAhead } from '#libs/ledger/charges/recalculation.ts';
import {
  hasEnded,
  hasFallenDue,
  isOwing,
  type Loan,
  markSettled,
  owedByPeriod,
  type Period,
} from '#libs/ledger/loan.ts';
import {
  type Allocation,
  allocationTotal,
  availableFor,
  type LoanAllocation,
  loanIn,
  nextInstalment,
  ordersByNextInstalment,
  payPeriod,
  releaseIfSettled,
  type SettledLine,
  startAllocation,
  takeAhead,
} from '#libs/ledger/receipts/allocation.ts';
import { allocateEarlyMoney } from '#libs/ledger/receipts/early-money.ts';
import { CHARGES } from '#libs/product/terms.ts';

export type MoneyToAllocate = {
  readonly receipt: string;
  readonly on: CivilDay;
  readonly amount: bigint;
  readonly designated?: number;
  readonly payoffIntent: boolean;
};

export type AllocationResult = {
  readonly shares: readonly LoanAllocation[];
  readonly surplus: bigint;
  /** What was left after a settlement for less was paid: owed back under it. */
  readonly excess?: { readonly settlement: string; readonly amount: bigint };
  /** The money was meant as a payoff and did not cover it. */
  readonly payoffShort: boolean;
};

/** `open` are the Loans the Receipt may reach, accrued to its day. Returns those it changed. */
export function allocateReceipt(
  money: MoneyToAllocate,
  open: readonly Loan[],
): { readonly loans: readonly Loan[]; readonly allocation: AllocationResult } {
  const allocation = startAllocation(money.receipt, money.on, money.amount, open);
  const toDischarge = money.payoffIntent && open.some(({ order }) => order === money.designated);
  const isPaidOff = toDischarge && payOff(allocation, money.designated as number);
  if (!isPaidOff) {
    payOverdue(allocation);
    payInstalments(allocation);
    allocateEarlyMoney(allocation);
  }
  const discharges = isPaidOff || allocation.settlement !== undefined;
  return closeAllocation(allocation, toDischarge && !discharges);
}

function closeAllocation(allocation: Allocation, payoffShort: boolean): ReturnType<typeof allocateReceipt> {
  const { receipt, on } = allocation;
  const shares: LoanAllocation[] = [];
  const loans = allocation.reached.map((order) => {
    const loan = markSettled(loanIn(allocation, order), on, receipt);
    const share = shareOf(allocation, loan);
    shares.push(share);
    return { ...loan, received: { receipt, on, amount: allocationTotal(share), before: loan.received } };
  });
  return { loans, allocation: { shares, ...remainderOf(allocation), payoffShort } };
}

function remainderOf({ settlement, left }: Allocation): Pick<AllocationResult, 'surplus' | 'excess'> {
  if (settlement === undefined || left === 0n) return { surplus: left };
  return { surplus: 0n, excess: { settlement, amount: left } };
}

/** Step 1. False where the money does not cover the payoff, and nothing was paid. */
function payOff(allocation: Allocation, order: number): boolean {
  const loan = loanIn(allocation, order);
  // A running settlement is paid by the ordinary steps, which discharge the Loan once the agreed sum is reached.
  if (settlementLeft(loan, allocation.on) !== undefined) return false;
  if (allocation.left < debtTotal(payoff(loan, allocation.on))) return false;
  payEverything(allocation, order);
  releaseIfSettled(allocation, order);
  return true;
}

function payEverything(allocation: Allocation, order: number): void {
  const ahead = principalAhead(loanIn(allocation, order), allocation.on);
  if (ahead > 0n) takeAhead(allocation, order, ahead);
  const loan = endPlan(loanIn(allocation, order), allocation.on);
  allocation.loans.set(order, loan);
  // Every period that still owes has ended by now, so it owes its whole charge.
  loan.periods.forEach((period, at) => {
    if (isOwing(period)) payPeriod(allocation, order, at);
  });
}

/** Step 2: what has fallen due, over all Loans by due day, then Loan, then period. */
function payOverdue(allocation: Allocation): void {
  const due: { readonly order: number; readonly at: number; readonly dueOn: CivilDay }[] = [];
  for (const loan of allocation.loans.values()) {
    loan.periods.forEach((period, at) => {
      if (hasFallenDue(period, allocation.on) && isOwing(period)) {
        due.push({ order: loan.order, at, dueOn: period.dueOn });
      }
    });
  }
  due.sort((a, b) => a.dueOn - b.dueOn || a.order - b.order || a.at - b.at);
  for (const { order, at } of due) {
    if (allocation.left === 0n) return;
    payPeriod(allocation, order, at);
  }
}

/** Step 3, Loan by Loan: first its ended periods, in part if need be; then one that has not ended, only in full. */
function payInstalments(allocation: Allocation): void {
  for (const order of ordersByNextInstalment(allocation)) {
    if (allocation.left === 0n) return;
    payEnded(allocation, order);
    const loan = loanIn(allocation, order);
    const at = nextInstalment(loan, allocation.on);
    if (at === undefined) continue;
    const period = loan.periods[at] as Period;
    const isPayable = !hasEnded(period, allocation.on) && period.actionableFrom <= allocation.on;
    if (isPayable && availableFor(loan, allocation) >= owedByPeriod(period)) payPeriod(allocation, order, at);
  }
}

/** Periods whose scheduled day has come but that fall due later, on the next banking day. */
function payEnded(allocation: Allocation, order: number): void {
  for (;;) {
    const loan = loanIn(allocation, order);
    const at = nextInstalment(loan, allocation.on);
    if (at === undefined || !hasEnded(loan.periods[at] as Period, allocation.on)) return;
    if (availableFor(loan, allocation) === 0n) return;
    payPeriod(allocation, order, at);
  }
}

function shareOf({ lines, early, receipt }: Allocation, loan: Loan): LoanAllocation {
  return {
    order: loan.order,
    lines: (lines.get(loan.order) ?? []).slice().sort(byPeriodThenCharge),
    early: early.get(loan.order) ?? 0n,
    discharged: loan.discharged !== undefined && loan.discharged.by === receipt,
  };
}

function byPeriodThenCharge(a: SettledLine, b: SettledLine): number {
  return a.period - b.period || CHARGES.indexOf(a.charge) - CHARGES.indexOf(b.charge);
}
