import { addDays, type CivilDay, weekday } from '#libs/calendar/civil-day.ts';

/** On which days banks work, and the last day of which we know it. */
export type BankingCalendar = {
  readonly coversTo: CivilDay;
  isBankingDay(civil: CivilDay): boolean;
};

export type CalendarRules = {
  /** ISO weekdays, Monday 1, on which banks rest. */
  readonly weekend: readonly number[];
  readonly holidays: Iterable<CivilDay>;
  readonly coversTo: CivilDay;
};

export function calendarOf({ weekend, holidays, coversTo }: CalendarRules): BankingCalendar {
  const days = [...holidays].filter((holiday) => holiday <= coversTo);
  const first = days.reduce((least, holiday) => Math.min(least, holiday), coversTo as number);
  const resting = new Uint8Array(coversTo - first + 1);
  for (const holiday of days) resting[holiday - first] = 1;
  const restingWeekday = new Uint8Array(8);
  for (const iso of weekend) restingWeekday[iso] = 1;
  return {
    coversTo,
    // Days before the first holiday on record read undefined, which is no holiday.
    isBankingDay: (civil) => restingWeekday[weekday(civil)] === 0 && resting[civil - first] !== 1,
  };
}

/** The first banking day on or after `civil`; undefined where the calendar ends before one is found. */
export function nextBankingDay(calendar: BankingCalendar, civil: CivilDay): CivilDay | undefined {
  for (let candidate = civil; candidate <= calendar.coversTo; candidate = addDays(candidate, 1)) {
    if (calendar.isBankingDay(candidate)) return candidate;
  }
  return undefined;
}
