/** Builds a Loan and its plan from an issuance. */
import { type Day, type Market, toDay } from './days.ts';
import { CHARGES, type IssuanceFact } from './input.ts';
import { type Loan, newPeriod, type Origin, type PerCharge, type Period, perCharge } from './loan.ts';
import { rateOf } from './numbers.ts';
import { dueDays, planOf, scheduledDays } from './plan.ts';
import type { ProductTerms } from './product-terms.ts';

/** Periods planned from `anchor` by section 2, or undefined when a day is after the end of the calendar. */
export function plannedPeriods(
  loan: Pick<Loan, 'product' | 'schedule' | 'rate' | 'taxRates'>,
  market: Market,
  given: { anchor: Day; n: number; balance: bigint; after: number; origin: Origin },
): { level: bigint; amortises: boolean; periods: Period[] } | undefined {
  const days = scheduledDays(loan.schedule, given.anchor, given.n);
  const due = dueDays(market, days);
  if (due === undefined) return undefined;
  const plan = planOf(loan.product, loan.rate, loan.taxRates.interest, given.balance, days);
  let balance = given.balance;
  const periods = plan.periods.map(({ from, to, principal, interest }, k) => {
    const period = newPeriod({
      index: given.after + k + 1,
      origin: given.origin,
      from,
      scheduledOn: to,
      dueOn: due[k] as Day,
      actionableFrom: k === 0 ? given.anchor : from + 1,
      rate: loan.rate,
    });
    period.principal = principal;
    period.interest = interest;
    period.segments = [{ from, balance }];
    balance -= principal;
    return period;
  });
  return { level: plan.level, amortises: plan.amortises, periods };
}

export function taxRatesOf(fact: IssuanceFact): PerCharge<bigint> {
  const rates = perCharge(() => 0n);
  for (const charge of CHARGES) {
    if (charge !== 'principal' && fact.tax.on.includes(charge)) rates[charge] = rateOf(fact.tax.rate);
  }
  return rates;
}

/** The Loan as issued, or undefined when the calendar ends too early. */
export function issueLoan(
  fact: IssuanceFact,
  product: ProductTerms,
  market: Market,
  order: number,
): (Loan & { amortises: boolean }) | undefined {
  const anchor = toDay(fact.anchor);
  const terms = {
    product,
    schedule: fact.schedule ?? product.schedule,
    rate: rateOf(fact.rate),
    taxRates: taxRatesOf(fact),
  };
  const disbursed = BigInt(fact.principal) - BigInt(fact.down_payment ?? 0);
  const plan = plannedPeriods(terms, market, {
    anchor,
    n: fact.term_periods,
    balance: disbursed,
    after: 0,
    origin: 'issued',
  });
  if (plan === undefined) return undefined;
  (plan.periods[0] as Period).fee = product.originationFee;
  return {
    ...terms,
    fact,
    order,
    currency: fact.currency ?? 'MXN',
    anchor,
    penaltyRate: fact.penalty_rate === undefined ? product.penaltyRateMin : rateOf(fact.penalty_rate),
    disbursed,
    periods: plan.periods,
    level: plan.level,
    equalShare: plan.level,
    amortises: plan.amortises,
    held: fact.hold_until !== undefined,
    confirmedOn: undefined,
    endedAs: undefined,
    suspensions: [],
    undone: undefined,
    discharged: undefined,
    writeOff: undefined,
    ceded: undefined,
    fixed: false,
    restructured: false,
    settlement: undefined,
    settlements: [],
    latePeriodsAtDayStart: 0,
    penaltySoFar: 0n,
    paid: 0n,
    principalReceived: BigInt(fact.down_payment ?? 0),
    returns: [],
    rollovers: [],
    waivers: [],
    bounded: [],
  };
}
