import type { CivilDay } from '#libs/calendar/civil-day.ts';
import { agreedLeft, payoff, totalOf } from '#libs/ledger/charges/debt.ts';
import { endPlan, principalAhead } from '#libs/ledger/charges/recalculation.ts';
import { noteSettled } from '#libs/ledger/charges/settled.ts';
import { ended, fallenDue, isOwing, type Loan, type Period, periodOwes } from '#libs/ledger/loan.ts';
import {
  available,
  type LoanShare,
  loanIn,
  openTill,
  type SettledLine,
  shareTotal,
  type Till,
  takeAhead,
} from '#libs/ledger/receipts/allocation.ts';
import { placeEarlyMoney } from '#libs/ledger/receipts/early-money.ts';
import { byNextInstalment, nextInstalment, payPeriod, settleUp } from '#libs/ledger/receipts/placing.ts';
import { CHARGES } from '#libs/product/terms.ts';

export type Money = {
  readonly receipt: string;
  readonly on: CivilDay;
  readonly amount: bigint;
  readonly designated?: number;
  readonly payoffIntent: boolean;
};

export type Placed = {
  readonly shares: readonly LoanShare[];
  readonly surplus: bigint;
  /** What was left after a settlement for less was reached: owed back under it. */
  readonly excess?: { readonly settlement: string; readonly amount: bigint };
  readonly payoffShort: boolean;
};

/** Places a Receipt on the Loans open to it, already opened to its day; answers the Loans it changed. */
export function place(
  money: Money,
  open: readonly Loan[],
): { readonly loans: readonly Loan[]; readonly placed: Placed } {
  const till = openTill(money.receipt, money.on, money.amount, open);
  const intended =
    money.payoffIntent && money.designated !== undefined && till.loans.has(money.designated)
      ? money.designated
      : undefined;
  const paidOff = intended !== undefined && payOff(till, intended);
  if (!paidOff) {
    payOverdue(till);
    payInstalments(till);
    placeEarlyMoney(till);
  }
  const discharges = intended !== undefined && (paidOff || till.settlement !== undefined);
  const shares: LoanShare[] = [];
  const loans = till.reached.map((order) => {
    const loan = noteSettled(loanIn(till, order), till.on, till.receipt);
    const share = shareOf(till, loan);
    shares.push(share);
    return {
      ...loan,
      received: { receipt: till.receipt, on: till.on, amount: shareTotal(share), before: loan.received },
    };
  });
  return { loans, placed: { shares, ...whatIsLeft(till), payoffShort: intended !== undefined && !discharges } };
}

function whatIsLeft(till: Till): Pick<Placed, 'surplus' | 'excess'> {
  if (till.settlement === undefined || till.left === 0n) return { surplus: till.left };
  return { surplus: 0n, excess: { settlement: till.settlement, amount: till.left } };
}

/** Step 1: money meant to discharge the Loan, where it covers what that takes. */
function payOff(till: Till, order: number): boolean {
  const loan = loanIn(till, order);
  // What is left of an agreed settlement is placed by the ordinary steps, and discharges the Loan as it is reached.
  if (agreedLeft(loan, till.on) !== undefined || till.left < totalOf(payoff(loan, till.on))) return false;
  payEverything(till, order);
  settleUp(till, order);
  return true;
}

function payEverything(till: Till, order: number): void {
  const ahead = principalAhead(loanIn(till, order), till.on);
  if (ahead > 0n) takeAhead(till, order, ahead);
  const loan = endPlan(loanIn(till, order), till.on);
  till.loans.set(order, loan);
  // Settled-ahead periods owe nothing; every other living one has ended by now, so its whole charge is what is owed.
  loan.periods.forEach((period, at) => {
    if (isOwing(period)) payPeriod(till, order, at);
  });
}

/** Step 2: what has fallen due, over all Loans by due day, then Loan, then period. */
function payOverdue(till: Till): void {
  const due: { readonly order: number; readonly at: number; readonly dueOn: CivilDay }[] = [];
  for (const loan of till.loans.values()) {
    loan.periods.forEach((period, at) => {
      if (fallenDue(period, till.on) && isOwing(period)) due.push({ order: loan.order, at, dueOn: period.dueOn });
    });
  }
  due.sort((a, b) => a.dueOn - b.dueOn || a.order - b.order || a.at - b.at);
  for (const { order, at } of due) {
    if (till.left === 0n) return;
    payPeriod(till, order, at);
  }
}

/** Step 3, Loan by Loan: first its ended periods, in part if need be; then one that has not ended, only entire. */
function payInstalments(till: Till): void {
  for (const order of byNextInstalment(till)) {
    if (till.left === 0n) return;
    payEnded(till, order);
    const loan = loanIn(till, order);
    const at = nextInstalment(loan, till.on);
    if (at === undefined) continue;
    const period = loan.periods[at] as Period;
    const takes = !ended(period, till.on) && period.actionableFrom <= till.on;
    if (takes && available(till, loan) >= periodOwes(period)) payPeriod(till, order, at);
  }
}

function payEnded(till: Till, order: number): void {
  for (;;) {
    const loan = loanIn(till, order);
    const at = nextInstalment(loan, till.on);
    if (at === undefined || !ended(loan.periods[at] as Period, till.on) || available(till, loan) === 0n) return;
    payPeriod(till, order, at);
  }
}

function shareOf(till: Till, loan: Loan): LoanShare {
  return {
    order: loan.order,
    lines: (till.lines.get(loan.order) ?? []).slice().sort(byPeriodThenCharge),
    early: till.early.get(loan.order) ?? 0n,
    discharged: loan.discharged !== undefined && loan.discharged.by === till.receipt,
  };
}

function byPeriodThenCharge(a: SettledLine, b: SettledLine): number {
  return a.period - b.period || CHARGES.indexOf(a.charge) - CHARGES.indexOf(b.charge);
}
