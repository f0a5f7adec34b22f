/** Costo anual total (CAT): the yearly figure that Mexican law requires lenders to disclose. */
import { addMonths, type CivilDay, yearMonthDay } from '#libs/calendar/civil-day.ts';
import type { Schedule } from '#libs/calendar/schedule.ts';
import type { DisclosedFigure, DisclosureInput } from '#libs/product/markets/market.ts';
import { yearlyRate } from '#libs/product/markets/yearly-rate.ts';

/** The figure is computed in tenths of a per cent. */
const tenthsPerUnit = 1_000;
const maxPerCent = 999_999;

/** The yearly effective rate of a plan's cash flows, in per cent to one decimal. */
export function discloseCat({ disbursed, anchor, schedule, flows }: DisclosureInput): DisclosedFigure {
  const payments = flows.map(({ k, scheduledOn, amount }) => ({
    amount,
    ...yearsTo(schedule, anchor, k, scheduledOn),
  }));
  const tenths = yearlyRate({ disbursed, payments }, tenthsPerUnit, 10 * maxPerCent);
  if (tenths === undefined) return { refused: 'figure_out_of_range' };
  return { figure: `${Math.trunc(tenths / 10)}.${tenths % 10}` };
}

/** A time in years as a fraction. */
type Years = { readonly num: number; readonly den: number };

/** The years from the anchor to the scheduled day of period `k`, as the convention counts them. */
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

// Counted from the later day, so that a month end is clipped only once.
function wholeMonthsBack(later: CivilDay, earlier: CivilDay): number {
  const [to, from] = [yearMonthDay(later), yearMonthDay(earlier)];
  const months = 12 * (to.year - from.year) + to.month - from.month;
  return addMonths(later, -months) >= earlier ? months : months - 1;
}
