/** The effects of acts on a Loan. */
import { type Market, toDay } from './days.ts';
import type { ActFact } from './input.ts';
import { type Loan, lineOf, type Period, payoffOf, total, unpaidPrincipal } from './loan.ts';
import { applyRate, max, min } from './numbers.ts';
import {
  callDebt,
  changeBalance,
  endPlan,
  isSettled,
  markSettled,
  principalAhead,
  principalFallenDue,
  recalculate,
  recomputeInterest,
} from './period-changes.ts';
import { restructure } from './restructure.ts';
import { rollover } from './rollover.ts';

/** Applies the act. Returns the refusal code when its own rule fails; its effect is then bounded to what is possible. */
export function applyAct(loan: Loan, act: ActFact, market: Market, isCandidate: boolean): string | undefined {
  const on = toDay(act.on);
  const failed = effectOf(loan, act, market, isCandidate);
  if (loan.undone === undefined) markSettled(loan, on, false);
  return failed;
}

function effectOf(loan: Loan, act: ActFact, market: Market, isCandidate: boolean): string | undefined {
  switch (act.kind) {
    case 'rescind':
    case 'withdraw':
      loan.undone = { on: toDay(act.on), act, kind: act.kind === 'rescind' ? 'rescinded' : 'withdrawn' };
      return undefined;
    case 'waiver':
      return waive(loan, act, isCandidate);
    case 'return':
      return returnGoods(loan, act);
    case 'rollover':
      return rollover(loan, act, market);
    case 'restructure':
      return restructure(loan, act, market);
    case 'acceleration':
      return accelerate(loan, act);
    case 'settlement':
      return settleForLess(loan, act);
    case 'write-off':
      return writeOff(loan, act);
    case 'cession':
      loan.ceded = { on: toDay(act.on), act };
      return undefined;
    default:
      return undefined;
  }
}

function waive(loan: Loan, act: ActFact, isCandidate: boolean): string | undefined {
  const on = toDay(act.on);
  const { charge } = act;
  if (charge === undefined || charge === 'principal') return 'charge_not_waivable';
  const period = loan.periods.find((each) => each.index === act.period);
  const owed = period?.alive === true ? max(lineOf(loan, period, charge, on).owed.amount, 0n) : 0n;
  const requested = BigInt(act.amount ?? 0);
  const waived = min(requested, owed);
  if (isCandidate && waived < requested) return 'waiver_exceeds_charge';
  if (period !== undefined && waived > 0n) {
    period.waived[charge] += waived;
    loan.waivers.push({ act, amount: waived });
  }
  return waived < requested ? 'waiver_exceeds_charge' : undefined;
}

/** Section 7 of fold.md, return. */
function returnGoods(loan: Loan, act: ActFact): string | undefined {
  if (loan.product.archetype === 'payday') return 'return_not_provided';
  const on = toDay(act.on);
  const amount = BigInt(act.amount ?? 0);
  const aheadOf = principalAhead(loan, on);
  const fallenDue = principalFallenDue(loan, on);
  const received = loan.principalReceived - loan.returns.reduce((back, entry) => back + entry.principalOwedBack, 0n);
  const someFallenDue = loan.periods.some((period) => period.alive && period.scheduledOn <= on);
  const fails = amount > aheadOf && received === 0n && !someFallenDue;
  const unwindsFallenDue = amount - aheadOf >= fallenDue && fallenDue > 0n;
  const unwound = unwindsFallenDue ? aheadOf + fallenDue : min(amount, aheadOf);
  const principalOwedBack = min(amount - unwound, received);
  const before = excessInterest(loan);
  const settledAhead = loan.periods.filter(
    (period) => period.alive && period.scheduledOn > on && isSettled(loan, period),
  );
  if (unwindsFallenDue) unwindFallenDue(loan, on);
  if (aheadOf > 0n && unwound >= aheadOf) endPlan(loan, on);
  else if (unwound > 0n && aheadOf > 0n) recalculate(loan, on, aheadOf - unwound, true);
  for (const period of settledAhead) reprice(loan, period, on, unwound + principalOwedBack);
  loan.returns.push({
    act,
    amount,
    unwoundPrincipal: unwound,
    principalOwedBack,
    interestOwedBack: excessInterest(loan) - before,
    stillOwed: payoffOf(loan, on),
    beyondTheLoan: amount - unwound - principalOwedBack,
    returnedWhole: unwound === aheadOf + fallenDue && unwound > 0n,
  });
  return fails ? 'return_exceeds_principal' : undefined;
}

function unwindFallenDue(loan: Loan, on: number): void {
  for (const period of loan.periods) {
    if (period.alive && period.scheduledOn <= on) period.principal -= unpaidPrincipal(period);
  }
}

function reprice(loan: Loan, period: Period, on: number, less: bigint): void {
  const balance = period.segments.at(-1)?.balance ?? 0n;
  changeBalance(period, on, max(balance - less, 0n));
  recomputeInterest(loan, period);
}

/** Interest settled above what the plan charges now, with its tax, over all periods. */
function excessInterest(loan: Loan): bigint {
  let excess = 0n;
  for (const period of loan.periods) {
    if (!period.alive) continue;
    const settled = period.settled.interest;
    const moved = period.moved.interest;
    const charged = moved.amount + period.interest;
    if (settled.amount <= charged) continue;
    const tax = moved.tax + applyRate(period.interest, loan.taxRates.interest);
    excess += settled.amount - charged + max(settled.tax - tax, 0n);
  }
  return excess;
}

function accelerate(loan: Loan, act: ActFact): string | undefined {
  const { acceleration } = loan.product;
  const on = toDay(act.on);
  if (acceleration.forbidden) return 'acceleration_forbidden';
  if (loan.latePeriodsAtDayStart < Math.max(1, acceleration.missed_periods)) return 'acceleration_unearned';
  if (on < toDay(act.notified_on ?? act.on) + acceleration.notice_days) return 'notice_too_short';
  callDebt(loan, on);
  return undefined;
}

function settleForLess(loan: Loan, act: ActFact): string | undefined {
  const on = toDay(act.on);
  const until = act.until === undefined ? on : toDay(act.until);
  const agreed = BigInt(act.agreed ?? 0);
  if (until < on) return 'invalid_event';
  if (agreed >= total(payoffOf(loan, on))) return 'settlement_not_less';
  loan.settlement = { act, on, until, agreed, taken: 0n, excess: 0n };
  loan.settlements.push(loan.settlement);
  return undefined;
}

function writeOff(loan: Loan, act: ActFact): string | undefined {
  const on = toDay(act.on);
  loan.writeOff = { on, act, cost: payoffOf(loan, on), recovered: 0n };
  callDebt(loan, on);
  return undefined;
}
