import type { Schedule } from '#libs/calendar/schedule.ts';
import { sameSchedule } from '#libs/ledger/same-schedule.ts';
import { formatRate, type Rate } from '#libs/money/rate.ts';
import { type Refusal, refuse } from '#libs/schema/refusals.ts';

/** What a configuration version lets a Loan choose, asked alike when it is issued and when it is restructured. */

export function termOffered(terms: readonly number[] | undefined, stated: number): Refusal | undefined {
  if (terms === undefined || terms.includes(stated)) return undefined;
  return refuse('term_not_offered', { field: '/term_periods', bound: [...terms], observed: stated });
}

export function scheduleOffered(schedules: readonly Schedule[], stated: Schedule): Refusal | undefined {
  if (schedules.some((each) => sameSchedule(each, stated))) return undefined;
  return refuse('schedule_not_offered', { field: '/schedule', bound: schedules, observed: stated });
}

type Corridors = {
  readonly rateMin: Rate;
  readonly rateMax: Rate;
  readonly penaltyRateMin: Rate;
  readonly penaltyRateMax: Rate;
};

/** Both rates in their corridors; a penalty rate not stated is asked nothing. */
export function ratesOffered(corridors: Corridors, rate: Rate, penaltyRate: Rate | undefined): Refusal | undefined {
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
