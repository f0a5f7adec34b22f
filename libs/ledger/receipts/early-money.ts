import { interestOn, onBalance, repriced } from '#libs/ledger/charges/interest.ts';
import { endPlan, periodsAhead, principalAhead, recalculate } from '#libs/ledger/charges/recalculation.ts';
import { owed, owedOf } from '#libs/ledger/line.ts';
import { debtIsFixed, type Period, periodOwes, replacePeriod } from '#libs/ledger/loan.ts';
import { available, loanIn, payLine, type Till, takeAhead } from '#libs/ledger/receipts/allocation.ts';
import { byNextInstalment, nextInstalment, payPeriod, settleUp } from '#libs/ledger/receipts/placing.ts';

/** Step 4: money beyond what is due and next, Loan by Loan, as each Loan's configuration treats it. */
export function placeEarlyMoney(till: Till): void {
  for (const order of byNextInstalment(till)) {
    if (till.left === 0n) return;
    const loan = loanIn(till, order);
    if (debtIsFixed(loan)) continue;
    if (loan.terms.treatment === 'settles_next') settleFollowing(till, order);
    else reducePrincipal(till, order, loan.terms.treatment === 'shortens_term' ? 'level' : 'term');
  }
}

function reducePrincipal(till: Till, order: number, keeping: 'term' | 'level'): void {
  if (loanIn(till, order).terms.archetype === 'payday') payAccrued(till, order);
  const loan = loanIn(till, order);
  const money = available(till, loan);
  if (money === 0n) return;
  const ahead = principalAhead(loan, till.on);
  const taken = money < ahead ? money : ahead;
  if (taken > 0n) takeAhead(till, order, taken);
  if (taken < ahead) {
    till.loans.set(order, recalculate(loanIn(till, order), till.on, ahead - taken, keeping));
    settleUp(till, order);
    return;
  }
  const running = periodsAhead(loanIn(till, order), till.on)[0];
  till.loans.set(order, endPlan(loanIn(till, order), till.on));
  if (running !== undefined) payPeriod(till, order, running);
  settleUp(till, order);
}

/** A payday Loan's fee, and its interest accrued to the day, come before its principal. */
function payAccrued(till: Till, order: number): void {
  const running = periodsAhead(loanIn(till, order), till.on)[0];
  if (running === undefined) return;
  for (const charge of loanIn(till, order).terms.chargeOrder) {
    const loan = loanIn(till, order);
    const period = loan.periods[running] as Period;
    if (charge === 'fee') payLine(till, order, running, charge, owed(period.fee));
    if (charge === 'interest') payLine(till, order, running, charge, owed(interestOn(loan, period, till.on)));
  }
  settleUp(till, order);
}

/** The following periods whole, one after the other; what covers no whole period is a part payment of the next one. */
function settleFollowing(till: Till, order: number): void {
  for (;;) {
    const loan = loanIn(till, order);
    const at = nextInstalment(loan, till.on);
    const money = available(till, loan);
    if (at === undefined || money === 0n) return;
    const before = loan.periods[at] as Period;
    const whole = money >= periodOwes(before);
    payPeriod(till, order, at);
    if (whole) continue;
    lowerBalance(till, order, at, before);
    return;
  }
}

/** Principal paid in part bears no interest from the day on; interest that is settled whole by then stays charged. */
function lowerBalance(till: Till, order: number, at: number, before: Period): void {
  const loan = loanIn(till, order);
  const period = loan.periods[at] as Period;
  const paid = period.principal.settled - before.principal.settled;
  if (paid === 0n || !period.alive) return;
  const lowered = onBalance(loan.terms, period, till.on, period.balance - paid);
  const priced = owedOf(period.interest) === 0n ? lowered : repriced(loan.terms, lowered);
  till.loans.set(order, { ...loan, periods: replacePeriod(loan.periods, at, priced) });
}
