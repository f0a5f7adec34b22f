import { addMonths, type CivilDay, yearMonthDay } from '#libs/calendar/civil-day.ts';
import type { Schedule } from '#libs/calendar/schedule.ts';
import type { DisclosedFigure, DisclosureInput } from '#libs/product/markets/market.ts';
import { yearlyRate } from '#libs/product/markets/yearly-rate.ts';

const TENTHS_OF_A_PER_CENT = 1_000;
const MOST_PER_CENT = 999_999;

/** Costo anual total: the yearly effective rate of what a plan hands over and asks back, in per cent to one decimal. */
export function discloseCat({ handedOver, anchor, schedule, flows }: DisclosureInput): DisclosedFigure {
  const payments = flows.map(({ k, scheduledOn, amount }) => ({
    amount,
    ...yearsTo(schedule, anchor, k, scheduledOn),
  }));
  const tenths = yearlyRate({ handedOver, payments }, TENTHS_OF_A_PER_CENT, 10 * MOST_PER_CENT);
  if (tenths === undefined) return { refused: 'figure_out_of_range' };
  return { figure: `${Math.trunc(tenths / 10)}.${tenths % 10}` };
}

type Years = { readonly num: number; readonly den: number };

/** The years from the anchor to the day on which period `k` is scheduled, as the convention counts them. */
export function yearsTo(schedule: Schedule, anchor: CivilDay, k: number, scheduledOn: CivilDay): Years {
  if (schedule.kind === 'anchored_every_n_days') {
    const { interval_days: interval } = schedule;
    if (interval % 7 === 0) return { num: (k * interval) / 7, den: 52 };
    if (interval === 15) return { num: k, den: 24 };
    return { num: k * interval, den: 365 };
  }
  if (schedule.day_of_month === undefined) return { num: k, den: 12 };
  const months = wholeMonthsBack(scheduledOn, anchor);
  const days = addMonths(scheduledOn, -months) - anchor;
  return { num: 365 * months + 12 * days, den: 12 * 365 };
}

// Each month is counted from the later day itself, so that a month end is clipped once and does not drift.
function wholeMonthsBack(later: CivilDay, earlier: CivilDay): number {
  const [to, from] = [yearMonthDay(later), yearMonthDay(earlier)];
  const months = 12 * (to.year - from.year) + to.month - from.month;
  return addMonths(later, -months) >= earlier ? months : months - 1;
}
