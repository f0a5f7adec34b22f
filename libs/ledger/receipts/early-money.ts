/** Step 4 of an allocation: money beyond what is due and next, Loan by Loan, as each Loan's configuration treats it. */

import { interestOn, withBalance, withInterestRecomputed } from '#libs/ledger/charges/interest.ts';
import {
  endPlan,
  type KeptFigure,
  periodsAhead,
  principalAhead,
  recalculate,
} from '#libs/ledger/charges/recalculation.ts';
import { owedTaxed, owedTotal } from '#libs/ledger/line.ts';
import { isDebtFixed, owedByPeriod, type Period, replacePeriod } from '#libs/ledger/loan.ts';
import {
  type Allocation,
  availableFor,
  loanIn,
  nextInstalment,
  ordersByNextInstalment,
  payLine,
  payPeriod,
  releaseIfSettled,
  takeAhead,
} from '#libs/ledger/receipts/allocation.ts';

export function allocateEarlyMoney(allocation: Allocation): void {
  for (const order of ordersByNextInstalment(allocation)) {
    if (allocation.left === 0n) return;
    const loan = loanIn(allocation, order);
    if (isDebtFixed(loan)) continue;
    if (loan.terms.treatment === 'settles_next') settleFollowing(allocation, order);
    else reducePrincipal(allocation, order, loan.terms.treatment === 'shortens_term' ? 'level' : 'term');
  }
}

/** Pays principal ahead; what is left of it is planned again with the same term or the same level amount. */
function reducePrincipal(allocation: Allocation, order: number, keeping: KeptFigure): void {
  const { on } = allocation;
  if (loanIn(allocation, order).terms.archetype === 'payday') payAccrued(allocation, order);
  const loan = loanIn(allocation, order);
  const money = availableFor(loan, allocation);
  if (money === 0n) return;
  const ahead = principalAhead(loan, on);
  const taken = money < ahead ? money : ahead;
  if (taken > 0n) takeAhead(allocation, order, taken);
  if (taken < ahead) {
    allocation.loans.set(order, recalculate(loanIn(allocation, order), on, ahead - taken, keeping));
    releaseIfSettled(allocation, order);
    return;
  }
  const running = periodsAhead(loanIn(allocation, order), on)[0];
  allocation.loans.set(order, endPlan(loanIn(allocation, order), on));
  if (running !== undefined) payPeriod(allocation, order, running);
  releaseIfSettled(allocation, order);
}

/** A payday Loan's fee, and its interest accrued to the day, come before its principal. */
function payAccrued(allocation: Allocation, order: number): void {
  const { on } = allocation;
  const running = periodsAhead(loanIn(allocation, order), on)[0];
  if (running === undefined) return;
  for (const charge of loanIn(allocation, order).terms.chargeOrder) {
    const loan = loanIn(allocation, order);
    const period = loan.periods[running] as Period;
    if (charge === 'fee') payLine(allocation, order, running, charge, owedTaxed(period.fee));
    if (charge === 'interest') payLine(allocation, order, running, charge, owedTaxed(interestOn(loan, period, on)));
  }
  releaseIfSettled(allocation, order);
}

/** Pays the following periods in full, one after the other; the rest is a part payment of the next one. */
function settleFollowing(allocation: Allocation, order: number): void {
  for (;;) {
    const loan = loanIn(allocation, order);
    const at = nextInstalment(loan, allocation.on);
    const money = availableFor(loan, allocation);
    if (at === undefined || money === 0n) return;
    const before = loan.periods[at] as Period;
    const isPaidInFull = money >= owedByPeriod(before);
    payPeriod(allocation, order, at);
    if (isPaidInFull) continue;
    lowerBalance(allocation, order, at, before);
    return;
  }
}

/** Principal paid in part bears no interest from the day on. Interest that is already settled in full stays charged. */
function lowerBalance(allocation: Allocation, order: number, at: number, before: Period): void {
  const loan = loanIn(allocation, order);
  const period = loan.periods[at] as Period;
  const paid = period.principal.settled - before.principal.settled;
  if (paid === 0n || !period.alive) return;
  const lowered = withBalance(loan.terms, period, allocation.on, period.balance - paid);
  const priced = owedTotal(period.interest) === 0n ? lowered : withInterestRecomputed(loan.terms, lowered);
  allocation.loans.set(order, { ...loan, periods: replacePeriod(loan.periods, at, priced) });
}
