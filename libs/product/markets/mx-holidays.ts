import { addDays, type CivilDay, fromYearMonthDay, weekday } from '#libs/calendar/civil-day.ts';
import { easterSunday } from '#libs/calendar/easter.ts';

const MONDAY = 1;

/** The days, weekends apart, on which Mexican banks close: the yearly list of the supervisor, by the rule it follows. */
export function mexicanBankHolidays(year: number): CivilDay[] {
  const easter = easterSunday(year);
  const holidays = [
    fromYearMonthDay(year, 1, 1),
    nthMonday(1, year, 2),
    nthMonday(3, year, 3),
    addDays(easter, -3),
    addDays(easter, -2),
    fromYearMonthDay(year, 5, 1),
    fromYearMonthDay(year, 9, 16),
    fromYearMonthDay(year, 11, 2),
    nthMonday(3, year, 11),
    fromYearMonthDay(year, 12, 12),
    fromYearMonthDay(year, 12, 25),
  ];
  // A President takes office on 1 October since 2024; before that it was in December, and no bank holiday in October.
  if (year >= 2024 && (year - 2024) % 6 === 0) holidays.push(fromYearMonthDay(year, 10, 1));
  return holidays;
}

function nthMonday(nth: number, year: number, month: number): CivilDay {
  const first = fromYearMonthDay(year, month, 1);
  const toMonday = (MONDAY - weekday(first) + 7) % 7;
  return addDays(first, toMonday + 7 * (nth - 1));
}
