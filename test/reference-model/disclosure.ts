/** The yearly cost figure (CAT) of a Loan as issued. */
import { addMonths, type Day } from './days.ts';
import type { BookContext } from './fold.ts';
import type { Configuration, IssuanceFact, Schedule } from './input.ts';
import { issueLoan } from './issue-loan.ts';
import { productTermsOf } from './product-terms.ts';

/** Section 11 of fold.md, of a Loan as issued; undefined where the figure is out of range. */
export function disclosureFigure(context: BookContext, fact: IssuanceFact): string | undefined {
  const product = productTermsOf(context.configurations[fact.configuration] as Configuration, context.market);
  const loan = issueLoan(fact, product, context.market, 0);
  if (loan === undefined) return undefined;
  const flows = loan.periods.map((period) => ({
    amount: period.principal + period.interest + period.fee,
    years: yearsOf(loan.schedule, loan.anchor, period.index, period.scheduledOn),
  }));
  return catPercentage(loan.disbursed, flows);
}

/** One payment of the borrower: minor units, and when, in years from the anchor. */
export interface Flow {
  amount: bigint;
  years: number;
}

/** Section 11 of fold.md: the time of the k-th scheduled day. */
export function yearsOf(schedule: Schedule, anchor: Day, k: number, scheduledOn: Day): number {
  if (schedule.kind === 'anchored_every_n_days') {
    const n = schedule.interval_days ?? 0;
    if (n % 7 === 0) return (k * (n / 7)) / 52;
    if (n === 15) return k / 24;
    return (k * n) / 365;
  }
  if (schedule.day_of_month === undefined) return k / 12;
  let months = 0;
  while (addMonths(scheduledOn, -(months + 1)) >= anchor) months += 1;
  return months / 12 + (addMonths(scheduledOn, -months) - anchor) / 365;
}

/**
 * The yearly effective rate in per cent to one decimal, half up; undefined above 999999.
 * With y = ln(1 + i) the sum of payments is convex and falls, so Newton from 0 climbs to the one root and never passes it.
 */
export function catPercentage(disbursed: bigint, flows: Flow[]): string | undefined {
  const disbursedNumber = Number(disbursed);
  let total = 0n;
  for (const flow of flows) total += flow.amount;
  if (total <= disbursed) return '0.0';
  let y = 0;
  for (let step = 0; step < 500; step += 1) {
    let value = -disbursedNumber;
    let slope = 0;
    for (const { amount, years } of flows) {
      const worth = Number(amount) * Math.exp(-years * y);
      value += worth;
      slope += years * worth;
    }
    const next = y + value / slope;
    if (!(Math.abs(next - y) > 1e-15 * Math.max(1, y))) break;
    y = next;
  }
  const tenths = Math.expm1(y) * 1000;
  if (!(tenths < 1e11)) return undefined;
  // The root is known to 1e-12 as a fraction, so one that near to a half is that half.
  const whole = Math.floor(tenths + 0.5 + 5e-10 + tenths * 1e-13);
  if (whole > 9_999_990) return undefined;
  return `${Math.floor(whole / 10)}.${whole % 10}`;
}
