/** Periods that the fold adds to a Loan: of a plan, and of a debt that is called before its time. */

import type { CivilDay } from '#libs/calendar/civil-day.ts';
import { debtTotal, periodDebtOn, sumDebts } from '#libs/ledger/charges/debt.ts';
import type { PlannedPeriod } from '#libs/ledger/charges/plan.ts';
import { EMPTY_LINE, lineOfMoved, newLine } from '#libs/ledger/line.ts';
import {
  hasFallenDue,
  highestIndex,
  isOwing,
  type Loan,
  type Origin,
  owedByPeriod,
  type Period,
} from '#libs/ledger/loan.ts';
import { MAX_AMOUNT } from '#libs/money/minor.ts';
import type { Rate } from '#libs/money/rate.ts';
import { type LoanTerms, taxRateOn } from '#libs/product/terms.ts';

type PeriodPlace = { readonly index: number; readonly origin: Origin; readonly actionableFrom: CivilDay };

/** A planned period before anything happens to it, without fees. */
export function plannedPeriod(
  { terms, rate }: { readonly terms: LoanTerms; readonly rate: Rate },
  planned: PlannedPeriod,
  { index, origin, actionableFrom }: PeriodPlace,
): Period {
  return {
    index,
    origin,
    start: planned.start,
    scheduledOn: planned.scheduledOn,
    dueOn: planned.dueOn,
    actionableFrom,
    alive: true,
    principal: newLine(planned.principal, 0n as Rate),
    interest: newLine(planned.interest, taxRateOn(terms, 'interest')),
    fee: EMPTY_LINE,
    penalty: EMPTY_LINE,
    late_fee: EMPTY_LINE,
    rate,
    balance: planned.balance,
    balanceFrom: planned.start,
    accruedBefore: 0n,
    penaltyExact: 0n,
  };
}

/** Whether every figure of the new periods and their total fit into an amount. */
export function canBeCharged(periods: readonly Period[]): boolean {
  return periods.reduce((total, period) => total + owedByPeriod(period), 0n) <= MAX_AMOUNT;
}

/** The period of a called debt. It accrues no interest. */
export function calledPeriod(loan: Loan, index: number, on: CivilDay): Period {
  const nothing = { start: on, scheduledOn: on, dueOn: on, balance: 0n, principal: 0n, interest: 0n };
  return plannedPeriod(loan, nothing, { index, origin: 'called', actionableFrom: (on + 1) as CivilDay });
}

/** Everything that has not fallen due falls due on the day as one period. Amounts and taxes move as they are. */
export function callDebt(loan: Loan, on: CivilDay): Loan {
  const isCalled = (period: Period) => period.alive && !hasFallenDue(period, on) && isOwing(period);
  const called = sumDebts(loan.periods.filter(isCalled).map((period) => periodDebtOn(loan, period, on)));
  const periods = loan.periods.map((period) => (isCalled(period) ? { ...period, alive: false } : period));
  if (debtTotal(called) === 0n) return { ...loan, periods };
  const period: Period = {
    ...calledPeriod(loan, highestIndex(loan) + 1, on),
    principal: lineOfMoved(called.principal),
    interest: lineOfMoved(called.interest),
    fee: lineOfMoved(called.fee),
    penalty: lineOfMoved(called.penalty),
    late_fee: lineOfMoved(called.late_fee),
  };
  return { ...loan, periods: [...periods, period] };
}
