/** A day of the civil calendar without a time zone: whole days since 1970-01-01, proleptic Gregorian. */
export type CivilDay = number & { readonly [day]: true };
declare const day: unique symbol;

export type YearMonthDay = { readonly year: number; readonly month: number; readonly day: number };

export const msPerDay = 86_400_000;

const DAYS_PER_ERA = 146_097;
// Days from 0000-03-01, where the count below starts, to 1970-01-01.
const EPOCH_SHIFT = 719_468;
const MONTH_LENGTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

export function isLeapYear(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}

export function daysInMonth(year: number, month: number): number {
  return month === 2 && isLeapYear(year) ? 29 : (MONTH_LENGTHS[month - 1] as number);
}

// Years are counted from March, so that a leap day is the last day of its year and needs no special case.
export function fromYearMonthDay(year: number, month: number, day: number): CivilDay {
  const marchYear = month <= 2 ? year - 1 : year;
  const era = Math.floor(marchYear / 400);
  const yearOfEra = marchYear - era * 400;
  const dayOfYear = Math.trunc((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.trunc(yearOfEra / 4) - Math.trunc(yearOfEra / 100) + dayOfYear;
  return (era * DAYS_PER_ERA + dayOfEra - EPOCH_SHIFT) as CivilDay;
}

export function yearMonthDay(civil: CivilDay): YearMonthDay {
  const shifted = civil + EPOCH_SHIFT;
  const era = Math.floor(shifted / DAYS_PER_ERA);
  const dayOfEra = shifted - era * DAYS_PER_ERA;
  const leapDays = Math.trunc(dayOfEra / 1460) - Math.trunc(dayOfEra / 36_524) + Math.trunc(dayOfEra / 146_096);
  const yearOfEra = Math.trunc((dayOfEra - leapDays) / 365);
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.trunc(yearOfEra / 4) - Math.trunc(yearOfEra / 100));
  const marchMonth = Math.trunc((5 * dayOfYear + 2) / 153);
  const month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9;
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
  return { year, month, day: dayOfYear - Math.trunc((153 * marchMonth + 2) / 5) + 1 };
}

/** ISO: Monday is 1, Sunday 7. */
export function weekday(civil: CivilDay): number {
  // 1970-01-01 was a Thursday; the second remainder keeps days before it positive.
  return ((((civil + 3) % 7) + 7) % 7) + 1;
}

export function addDays(civil: CivilDay, days: number): CivilDay {
  return (civil + days) as CivilDay;
}

/** The same day of the month, `months` later; where that month is shorter, its last day. */
export function addMonths(civil: CivilDay, months: number): CivilDay {
  const { year, month, day } = yearMonthDay(civil);
  return dayInMonth(year, month + months, day);
}

/** A day of a month counted from January of `year` (13 is the next January), at most the month's last day. */
export function dayInMonth(year: number, month: number, dayOfMonth: number): CivilDay {
  const years = Math.floor((month - 1) / 12);
  const inYear = year + years;
  const inMonth = month - years * 12;
  return fromYearMonthDay(inYear, inMonth, Math.min(dayOfMonth, daysInMonth(inYear, inMonth)));
}

const FORM = /^(\d{4})-(\d{2})-(\d{2})$/;

/** A day from 1900-01-01 to 9999-12-31 as YYYY-MM-DD. Undefined where the text is no such day. */
export function parseDay(text: string): CivilDay | undefined {
  const parts = FORM.exec(text);
  if (parts === null) return undefined;
  const [year, month, day] = [Number(parts[1]), Number(parts[2]), Number(parts[3])];
  if (year < 1900 || month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) return undefined;
  return fromYearMonthDay(year, month, day);
}

/** For constants and stored data, which are known to be days. */
export function dayOf(text: string): CivilDay {
  const parsed = parseDay(text);
  if (parsed === undefined) throw new RangeError(`invalid civil day: ${text}; expected YYYY-MM-DD from 1900 to 9999`);
  return parsed;
}

/** The last day that can be written as YYYY-MM-DD. */
export const LAST_DAY = fromYearMonthDay(9999, 12, 31);

/** The day, or the last one that can be written where it is later. */
export function clampToLastDay(civil: CivilDay): CivilDay {
  return civil < LAST_DAY ? civil : LAST_DAY;
}

const twoDigits = (count: number) => (count < 10 ? `0${count}` : count);

export function formatDay(civil: CivilDay): string {
  const { year, month, day } = yearMonthDay(civil);
  return `${year < 1000 ? String(year).padStart(4, '0') : year}-${twoDigits(month)}-${twoDigits(day)}`;
}
