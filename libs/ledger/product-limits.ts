/** Limits of the product and the law on a Loan's terms, the same at issuance and at a restructure. */

import type { Schedule } from '#libs/calendar/schedule.ts';
import { formatRate, type Rate } from '#libs/money/rate.ts';
import { type MarketPenaltyCap, maxPenaltyRate } from '#libs/product/markets/market.ts';
import type { LoanTerms } from '#libs/product/terms.ts';
import { type Refusal, refuse } from '#libs/schema/refusals.ts';

export function refuseTerm(terms: readonly number[] | undefined, stated: number): Refusal | undefined {
  if (terms === undefined || terms.includes(stated)) return undefined;
  return refuse('term_not_offered', { field: '/term_periods', bound: [...terms], observed: stated });
}

export function refuseSchedule(schedules: readonly Schedule[], stated: Schedule): Refusal | undefined {
  if (schedules.some((schedule) => sameSchedule(schedule, stated))) return undefined;
  return refuse('schedule_not_offered', { field: '/schedule', bound: schedules, observed: stated });
}

type Corridors = {
  readonly rateMin: Rate;
  readonly rateMax: Rate;
  readonly penaltyRateMin: Rate;
  readonly penaltyRateMax: Rate;
};

/** Each rate must be in its corridor. A penalty rate that is not stated is not checked. */
export function refuseRates(corridors: Corridors, rate: Rate, penaltyRate: Rate | undefined): Refusal | undefined {
  const { rateMin, rateMax, penaltyRateMin, penaltyRateMax } = corridors;
  if (rate < rateMin || rate > rateMax) {
    const bound = formatRate(rate < rateMin ? rateMin : rateMax);
    return refuse('rate_outside_corridor', { field: '/rate', bound, observed: formatRate(rate) });
  }
  if (penaltyRate === undefined || (penaltyRate >= penaltyRateMin && penaltyRate <= penaltyRateMax)) return undefined;
  const bound = formatRate(penaltyRate < penaltyRateMin ? penaltyRateMin : penaltyRateMax);
  return refuse('penalty_rate_outside_corridor', {
    field: '/penalty_rate',
    bound,
    observed: formatRate(penaltyRate),
  });
}

/** `cap` is the law's cap as it was when the Loan was issued. */
export function refusePenaltyRateAboveCap(cap: MarketPenaltyCap, penaltyRate: Rate, rate: Rate): Refusal | undefined {
  const highest = maxPenaltyRate(cap, rate);
  if (highest === undefined || penaltyRate <= highest) return undefined;
  return refuse('penalty_rate_above_cap', {
    field: '/penalty_rate',
    bound: formatRate(highest),
    observed: formatRate(penaltyRate),
  });
}

type LateFeeTerms = Pick<LoanTerms, 'lateFee' | 'lateFeeBesidePenalty'>;

/** Where the law does not permit a late fee and a penalty rate together, a product with a late fee needs a rate of 0. */
export function refusePenaltyWithLateFee(terms: LateFeeTerms, penaltyRate: Rate): Refusal | undefined {
  if (penaltyRate === 0n || terms.lateFee === 0n || terms.lateFeeBesidePenalty) return undefined;
  return refuse('late_fee_beside_penalty', { field: '/penalty_rate', bound: '0', observed: formatRate(penaltyRate) });
}

/** Compares what was stated: a member at its default differs from a member left out. */
function sameSchedule(a: Schedule, b: Schedule): boolean {
  if (a.kind === 'anchored_every_n_days') return b.kind === a.kind && b.interval_days === a.interval_days;
  return b.kind === a.kind && b.day_of_month === a.day_of_month && b.first_after_days === a.first_after_days;
}
