import type { Schedule } from '#libs/calendar/schedule.ts';

/** Whether two schedules are the same as stated: a member at its default is not a member left out. */
export function sameSchedule(a: Schedule, b: Schedule): boolean {
  if (a.kind === 'anchored_every_n_days') return b.kind === a.kind && b.interval_days === a.interval_days;
  return b.kind === a.kind && b.day_of_month === a.day_of_month && b.first_after_days === a.first_after_days;
}
