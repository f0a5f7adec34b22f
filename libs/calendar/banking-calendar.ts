import { addDays, type CivilDay, fromYearMonthDay, weekday } from '#libs/calendar/civil-day.ts';

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

/** Easter Sunday of a Gregorian year, by the anonymous computus (Nature, 1876; Meeus, Astronomical Algorithms). */
export function easterSunday(year: number): CivilDay {
  const golden = year % 19;
  const century = Math.trunc(year / 100);
  const inCentury = year % 100;
  const moonShift = Math.trunc((century - Math.trunc((century + 8) / 25) + 1) / 3);
  const epact = (19 * golden + century - Math.trunc(century / 4) - moonShift + 15) % 30;
  const toSunday = (32 + 2 * (century % 4) + 2 * Math.trunc(inCentury / 4) - epact - (inCentury % 4)) % 7;
  const correction = Math.trunc((golden + 11 * epact + 22 * toSunday) / 451);
  const marchDay = epact + toSunday - 7 * correction + 22;
  // A day past 31 March counts on into April.
  return fromYearMonthDay(year, 3, marchDay);
}
