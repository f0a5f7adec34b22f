import { addDays, type CivilDay, weekday } from '#libs/calendar/civil-day.ts';

/** The banking days up to the last day the calendar covers. */
export type BankingCalendar = {
  readonly coversTo: CivilDay;
  isBankingDay(civil: CivilDay): boolean;
};

export type CalendarRules = {
  /** ISO weekdays (Monday is 1) that are not banking days. */
  readonly weekend: readonly number[];
  readonly holidays: Iterable<CivilDay>;
  readonly coversTo: CivilDay;
};

export function calendarOf({ weekend, holidays, coversTo }: CalendarRules): BankingCalendar {
  const days = [...holidays].filter((holiday) => holiday <= coversTo);
  const first = days.reduce((earliest, holiday) => Math.min(earliest, holiday), coversTo as number);
  const isHoliday = new Uint8Array(coversTo - first + 1);
  for (const holiday of days) isHoliday[holiday - first] = 1;
  const isWeekend = new Uint8Array(8);
  for (const isoWeekday of weekend) isWeekend[isoWeekday] = 1;
  return {
    coversTo,
    // Before the first holiday the array reads undefined, which is not a holiday.
    isBankingDay: (civil) => isWeekend[weekday(civil)] === 0 && isHoliday[civil - first] !== 1,
  };
}

/** The first banking day on or after `civil`; undefined where the calendar ends before one is found. */
export function nextBankingDay(calendar: BankingCalendar, civil: CivilDay): CivilDay | undefined {
  for (let candidate = civil; candidate <= calendar.coversTo; candidate = addDays(candidate, 1)) {
    if (calendar.isBankingDay(candidate)) return candidate;
  }
  return undefined;
}
