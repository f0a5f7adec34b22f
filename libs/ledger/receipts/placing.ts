import type { CivilDay } from '#libs/calendar/civil-day.ts';
import { release } from '#libs/ledger/charges/settled.ts';
import { isOwed, owed } from '#libs/ledger/line.ts';
import { fallenDue, isOwing, type Loan, type Period } from '#libs/ledger/loan.ts';
import { loanIn, payLine, type Till } from '#libs/ledger/receipts/allocation.ts';

/** The period's whole charge, line by line in the Loan's charge order, as far as the money goes. */
export function payPeriod(till: Till, order: number, at: number): void {
  for (const charge of loanIn(till, order).terms.chargeOrder) {
    const period = loanIn(till, order).periods[at] as Period;
    if (!period.alive) return;
    // Most lines of most periods owe nothing: asked here, it need not be found out by paying.
    if (isOwed(period[charge])) payLine(till, order, at, charge, owed(period[charge]));
  }
  settleUp(till, order);
}

/** A settlement for less that is reached releases the rest of the debt. */
export function settleUp(till: Till, order: number): void {
  const loan = loanIn(till, order);
  const { settlement } = loan;
  if (settlement === undefined || till.on > settlement.until || settlement.taken < settlement.agreed) return;
  till.settlement ??= settlement.reference;
  // Where the sum agreed happens to pay all there is, there is nothing to release.
  if (loan.periods.some((period) => isOwing(period))) till.loans.set(order, release(loan));
}

/** The first period not fallen due and not settled. */
export function nextInstalment(loan: Loan, on: CivilDay): number | undefined {
  const at = loan.periods.findIndex((period) => !fallenDue(period, on) && isOwing(period));
  return at === -1 ? undefined : at;
}

/** The Loans that have a next instalment, by its due day, then in the order of their recording. */
export function byNextInstalment(till: Till): number[] {
  const next: { readonly order: number; readonly dueOn: CivilDay }[] = [];
  for (const loan of till.loans.values()) {
    const at = nextInstalment(loan, till.on);
    if (at !== undefined) next.push({ order: loan.order, dueOn: (loan.periods[at] as Period).dueOn });
  }
  next.sort((a, b) => a.dueOn - b.dueOn || a.order - b.order);
  return next.map(({ order }) => order);
}
