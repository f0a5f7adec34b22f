import type { CivilDay } from '#libs/calendar/civil-day.ts';
import type { PlannedPeriod } from '#libs/ledger/charges/plan.ts';
import { charging, NO_LINE } from '#libs/ledger/line.ts';
import { type Loan, type Origin, type Period, periodOwes } from '#libs/ledger/loan.ts';
import { MOST } from '#libs/money/minor.ts';
import type { Rate } from '#libs/money/rate.ts';
import { type LoanTerms, taxRateOn } from '#libs/product/terms.ts';

type Placing = { readonly index: number; readonly origin: Origin; readonly actionableFrom: CivilDay };

/** A planned period as the fold starts it, fees aside. */
export function plannedPeriod(
  { terms, rate }: { readonly terms: LoanTerms; readonly rate: Rate },
  planned: PlannedPeriod,
  { index, origin, actionableFrom }: Placing,
): Period {
  return {
    index,
    origin,
    start: planned.start,
    scheduledOn: planned.scheduledOn,
    dueOn: planned.dueOn,
    actionableFrom,
    alive: true,
    principal: charging(planned.principal, 0n as Rate),
    interest: charging(planned.interest, taxRateOn(terms, 'interest')),
    fee: NO_LINE,
    penalty: NO_LINE,
    late_fee: NO_LINE,
    rate,
    balance: planned.balance,
    balanceFrom: planned.start,
    accruedBefore: 0n,
    penaltyExact: 0n,
  };
}

/** Whether every figure of new periods, and what they come to in all, can be stated. */
export function canBeCharged(periods: readonly Period[]): boolean {
  return periods.reduce((total, period) => total + periodOwes(period), 0n) <= MOST;
}

/** The period that calls a debt before its time: it stands at what it was called for and accrues no interest. */
export function calledPeriod(loan: Loan, index: number, on: CivilDay): Period {
  const nothing = { start: on, scheduledOn: on, dueOn: on, balance: 0n, principal: 0n, interest: 0n };
  return plannedPeriod(loan, nothing, { index, origin: 'called', actionableFrom: (on + 1) as CivilDay });
}
