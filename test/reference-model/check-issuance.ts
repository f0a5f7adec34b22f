/** Checks of an issuance before it is recorded. */
import { toDay } from './days.ts';
import { disclosureFigure } from './disclosure.ts';
import type { BookContext } from './fold.ts';
import { CHARGES, type Configuration, type IssuanceFact } from './input.ts';
import { issueLoan } from './issue-loan.ts';
import type { Loan } from './loan.ts';
import { applyRate, LARGEST, rateOf } from './numbers.ts';
import { isSchedule, type ProductTerms, productTermsOf, sameSchedule } from './product-terms.ts';

/** The checks of an issuance, in the order of the README of the worked books. */
export function issuanceRefusal(context: BookContext, fact: IssuanceFact): string | undefined {
  const form = formRefusal(fact);
  if (form !== undefined) return form;
  const configuration: Configuration | undefined = context.configurations[fact.configuration];
  if (configuration === undefined) return 'no_configuration';
  const product = productTermsOf(configuration, context.market);
  const offered = frameRefusal(product, fact);
  if (offered !== undefined) return offered;
  const loan = issueLoan(fact, product, context.market, 0);
  if (loan === undefined) return 'beyond_horizon';
  if (fact.hold_until !== undefined) {
    const until = toDay(fact.hold_until);
    if (until < loan.anchor || until > loan.anchor + product.holdDays) return 'hold_outside_range';
  }
  if (!loan.amortises) return 'plan_not_amortising';
  if (totalOfPayments(loan) > LARGEST) return 'amount_out_of_range';
  return disclosureFigure(context, fact) === undefined ? 'figure_out_of_range' : undefined;
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

function frameRefusal(product: ProductTerms, fact: IssuanceFact): string | undefined {
  const principal = BigInt(fact.principal);
  const rate = rateOf(fact.rate);
  if ((fact.currency ?? 'MXN') !== product.currency) return 'currency_mismatch';
  if (product.principalMin !== undefined && principal < product.principalMin) return 'principal_outside_range';
  if (product.principalMax !== undefined && principal > product.principalMax) return 'principal_outside_range';
  if (fact.penalty_rate === undefined && product.penaltyRateMin !== product.penaltyRateMax) return 'missing_field';
  if (product.terms !== undefined && !product.terms.includes(fact.term_periods)) return 'term_not_offered';
  if (fact.schedule !== undefined && !sameSchedule(fact.schedule, product.schedule)) return 'schedule_not_offered';
  if (rate < product.rateMin || rate > product.rateMax) return 'rate_outside_corridor';
  const penaltyRate = fact.penalty_rate === undefined ? product.penaltyRateMin : rateOf(fact.penalty_rate);
  if (penaltyRate < product.penaltyRateMin || penaltyRate > product.penaltyRateMax)
    return 'penalty_rate_outside_corridor';
  const down = BigInt(fact.down_payment ?? 0);
  const outside =
    down >= principal ||
    down * 10_000n < principal * product.downPaymentMinBps ||
    down * 10_000n > principal * product.downPaymentMaxBps;
  return outside ? 'down_payment_outside_range' : undefined;
}

function totalOfPayments(loan: Loan): bigint {
  let all = BigInt(loan.fact.down_payment ?? 0);
  for (const period of loan.periods) {
    all += period.principal + period.interest + period.fee;
    all += applyRate(period.interest, loan.taxRates.interest) + applyRate(period.fee, loan.taxRates.fee);
  }
  return all;
}
