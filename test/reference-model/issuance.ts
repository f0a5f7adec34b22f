import { toDay } from './days.ts';
import { disclosureFigure } from './disclosure.ts';
import type { Law } from './fold.ts';
import { CHARGES, type Configuration, type IssuanceFact } from './input.ts';
import { issue } from './issue.ts';
import type { Loan } from './loan.ts';
import { LARGEST, rateOf, share } from './numbers.ts';
import { type Frame, frameOf, isSchedule, sameSchedule } from './terms.ts';

/** The checks of an issuance, in the order the books' README writes them. */
export function issuanceRefusal(law: Law, fact: IssuanceFact): string | undefined {
  const form = formRefusal(fact);
  if (form !== undefined) return form;
  const configuration: Configuration | undefined = law.configurations[fact.configuration];
  if (configuration === undefined) return 'no_configuration';
  const frame = frameOf(configuration, law.market);
  const offered = frameRefusal(frame, fact);
  if (offered !== undefined) return offered;
  const loan = issue(fact, frame, law.market, 0);
  if (loan === undefined) return 'beyond_horizon';
  if (fact.hold_until !== undefined) {
    const until = toDay(fact.hold_until);
    if (until < loan.anchor || until > loan.anchor + frame.holdDays) return 'hold_outside_range';
  }
  if (!loan.amortises) return 'plan_not_amortising';
  if (totalOfPayments(loan) > LARGEST) return 'amount_out_of_range';
  return disclosureFigure(law, fact) === undefined ? 'figure_out_of_range' : undefined;
}

function formRefusal(fact: IssuanceFact): string | undefined {
  const amounts = [fact.principal, ...(fact.down_payment === undefined ? [] : [fact.down_payment])];
  for (const amount of amounts) {
    if (!Number.isInteger(amount) || amount <= 0) return 'invalid_field';
    if (BigInt(amount) > LARGEST) return 'amount_out_of_range';
  }
  if (!Number.isInteger(fact.term_periods) || fact.term_periods < 1) return 'invalid_field';
  if (fact.schedule !== undefined && !isSchedule(fact.schedule)) return 'invalid_field';
  const on = new Set(fact.tax.on);
  const known = fact.tax.on.every((charge) => charge !== 'principal' && CHARGES.some((each) => each === charge));
  return on.size !== fact.tax.on.length || !known ? 'invalid_field' : undefined;
}

function frameRefusal(frame: Frame, fact: IssuanceFact): string | undefined {
  const principal = BigInt(fact.principal);
  const rate = rateOf(fact.rate);
  if ((fact.currency ?? 'MXN') !== frame.currency) return 'currency_mismatch';
  if (frame.principalMin !== undefined && principal < frame.principalMin) return 'principal_outside_range';
  if (frame.principalMax !== undefined && principal > frame.principalMax) return 'principal_outside_range';
  if (fact.penalty_rate === undefined && frame.penaltyRateMin !== frame.penaltyRateMax) return 'missing_field';
  if (frame.terms !== undefined && !frame.terms.includes(fact.term_periods)) return 'term_not_offered';
  if (fact.schedule !== undefined && !sameSchedule(fact.schedule, frame.schedule)) return 'schedule_not_offered';
  if (rate < frame.rateMin || rate > frame.rateMax) return 'rate_outside_corridor';
  const penaltyRate = fact.penalty_rate === undefined ? frame.penaltyRateMin : rateOf(fact.penalty_rate);
  if (penaltyRate < frame.penaltyRateMin || penaltyRate > frame.penaltyRateMax) return 'penalty_rate_outside_corridor';
  const down = BigInt(fact.down_payment ?? 0);
  const outside =
    down >= principal ||
    down * 10_000n < principal * frame.downPaymentMinBps ||
    down * 10_000n > principal * frame.downPaymentMaxBps;
  return outside ? 'down_payment_outside_range' : undefined;
}

function totalOfPayments(loan: Loan): bigint {
  let all = BigInt(loan.fact.down_payment ?? 0);
  for (const period of loan.periods) {
    all += period.principal + period.interest + period.fee;
    all += share(period.interest, loan.taxRates.interest) + share(period.fee, loan.taxRates.fee);
  }
  return all;
}
