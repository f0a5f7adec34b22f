import { addDays, type CivilDay, dayInMonth, yearMonthDay } from '#libs/calendar/civil-day.ts';

/** On which days the periods of a plan end, counted from its anchor. */
export type Schedule =
  | { readonly kind: 'anchored_monthly'; readonly day_of_month?: number; readonly first_after_days?: number }
  | { readonly kind: 'anchored_every_n_days'; readonly interval_days: number };

/** A hundred years: further than any calendar covers, and 600 such periods are still exact numbers. */
export const MAX_SCHEDULE_DAYS = 36_600;

/** The day on which period `k` ends; the anchor for 0. It may be later than any calendar covers. */
export function scheduledDay(schedule: Schedule, anchor: CivilDay, k: number): CivilDay {
  if (k === 0) return anchor;
  if (schedule.kind === 'anchored_every_n_days') return addDays(anchor, k * schedule.interval_days);
  if (schedule.day_of_month === undefined) {
    const { year, month, day } = yearMonthDay(anchor);
    return dayInMonth(year, month + k, day);
  }
  const earliest = addDays(anchor, Math.max(1, schedule.first_after_days ?? 0));
  const { year, month } = yearMonthDay(earliest);
  const inThatMonth = dayInMonth(year, month, schedule.day_of_month);
  const firstMonth = inThatMonth >= earliest ? month : month + 1;
  return dayInMonth(year, firstMonth + k - 1, schedule.day_of_month);
}

/** The stated schedule, or the member that is wrong ('' where the schedule is not an object). */
export type CheckedSchedule =
  | { readonly schedule: Schedule }
  | { readonly refused: 'unknown_field' | 'invalid_field'; readonly member: string };

export function checkSchedule(stated: unknown): CheckedSchedule {
  if (typeof stated !== 'object' || stated === null || Array.isArray(stated)) return invalid('');
  const { kind, interval_days, day_of_month, first_after_days, ...rest } = stated as Record<string, unknown>;
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined) return { refused: 'unknown_field', member: unknown };
  if (kind === 'anchored_every_n_days') {
    if (!isWholeWithin(interval_days, 1, MAX_SCHEDULE_DAYS)) return invalid('interval_days');
    if (day_of_month !== undefined) return invalid('day_of_month');
    if (first_after_days !== undefined) return invalid('first_after_days');
    return { schedule: { kind, interval_days } };
  }
  if (kind !== 'anchored_monthly') return invalid('kind');
  if (interval_days !== undefined) return invalid('interval_days');
  if (day_of_month === undefined) {
    return first_after_days === undefined ? { schedule: { kind } } : invalid('first_after_days');
  }
  if (!isWholeWithin(day_of_month, 1, 31)) return invalid('day_of_month');
  if (first_after_days === undefined) return { schedule: { kind, day_of_month } };
  if (!isWholeWithin(first_after_days, 0, MAX_SCHEDULE_DAYS)) return invalid('first_after_days');
  return { schedule: { kind, day_of_month, first_after_days } };
}

function invalid(member: string): CheckedSchedule {
  return { refused: 'invalid_field', member };
}

function isWholeWithin(value: unknown, min: number, max: number): value is number {
  return Number.isInteger(value) && (value as number) >= min && (value as number) <= max;
}
