import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  addDays,
  addMonths,
  type CivilDay,
  clampToLastDay,
  dayOf,
  daysInMonth,
  formatDay,
  fromYearMonthDay,
  isLeapYear,
  LAST_DAY,
  parseDay,
  weekday,
  yearMonthDay,
} from '#libs/calendar/civil-day.ts';

const FIRST = dayOf('1900-01-01');
const anyDay = fc.integer({ min: FIRST, max: LAST_DAY }).map((day) => day as CivilDay);
const MS_PER_DAY = 86_400_000;

describe('a civil day', () => {
  test('is counted from 1 January 1970', () => {
    expect(dayOf('1970-01-01')).toBe(0);
    expect(dayOf('1969-12-31')).toBe(-1);
    expect(dayOf('2000-03-01')).toBe(11_017);
  });

  test('survives conversion to year, month and day and back', () => {
    fc.assert(fc.property(anyDay, (day) => parseDay(formatDay(day)) === day));
  });

  test('agrees with the Date of the language', () => {
    fc.assert(
      fc.property(anyDay, (day) => {
        const other = new Date(day * MS_PER_DAY);
        expect(formatDay(day)).toBe(other.toISOString().slice(0, 10));
        expect(weekday(day) % 7).toBe(other.getUTCDay());
      }),
    );
  });

  test('later than the last day that can be written is limited to that day', () => {
    expect([-1, 0, 1, 4_000_000].map((days) => formatDay(clampToLastDay(addDays(LAST_DAY, days))))).toEqual([
      '9999-12-30',
      '9999-12-31',
      '9999-12-31',
      '9999-12-31',
    ]);
  });

  test('works before 1970', () => {
    expect(formatDay(fromYearMonthDay(1, 1, 1))).toBe('0001-01-01');
    expect(yearMonthDay(addDays(fromYearMonthDay(0, 3, 1), -1))).toEqual({ year: 0, month: 2, day: 29 });
    expect(weekday(fromYearMonthDay(1, 1, 1))).toBe(1);
  });

  test.each([
    ['1899-12-31', 'before the first day a caller may state'],
    ['10000-01-01', 'after the last'],
    ['2025-02-29', 'not a leap year'],
    ['1900-02-29', '1900 is not a leap year'],
    ['2025-04-31', 'April has 30 days'],
    ['2025-13-01', 'no such month'],
    ['2025-00-10', 'no such month'],
    ['2025-01-00', 'no such day'],
    ['2025-1-01', 'a digit is missing'],
    ['2025-01-01T00:00:00Z', 'a moment, not a day'],
    [' 2025-01-01', 'white space'],
    ['2025-01-01\n', 'white space'],
    ['٢٠٢٥-٠١-٠١', 'digits of another script'],
    ['', 'nothing'],
  ])('%j is refused: %s', (text) => {
    expect(parseDay(text)).toBeUndefined();
    expect(() => dayOf(text)).toThrow(RangeError);
  });

  test.each(['1900-01-01', '9999-12-31', '2000-02-29', '2024-02-29'])('%s is accepted', (text) => {
    expect(formatDay(dayOf(text))).toBe(text);
  });
});

describe('months', () => {
  test('added to 31 January end on the last day of shorter months', () => {
    const anchor = dayOf('2025-01-31');
    expect([1, 2, 3, 13, 37].map((months) => formatDay(addMonths(anchor, months)))).toEqual([
      '2025-02-28',
      '2025-03-31',
      '2025-04-30',
      '2026-02-28',
      '2028-02-29',
    ]);
  });

  test('can be subtracted', () => {
    expect(formatDay(addMonths(dayOf('2025-01-31'), -2))).toBe('2024-11-30');
    expect(formatDay(addMonths(dayOf('2025-03-31'), -25))).toBe('2023-02-28');
  });

  test('keep the day of the month, or the last day of a shorter month', () => {
    fc.assert(
      fc.property(anyDay, fc.integer({ min: -1_200, max: 1_200 }), (day, months) => {
        const [from, to] = [yearMonthDay(day), yearMonthDay(addMonths(day, months))];
        expect(12 * to.year + to.month).toBe(12 * from.year + from.month + months);
        expect(to.day).toBe(Math.min(from.day, daysInMonth(to.year, to.month)));
      }),
    );
  });

  test('of a year add up to its days', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9998 }), (year) => {
        const months = Array.from({ length: 12 }, (_, index) => daysInMonth(year, index + 1));
        const days = fromYearMonthDay(year + 1, 1, 1) - fromYearMonthDay(year, 1, 1);
        expect(months.reduce((sum, length) => sum + length, 0)).toBe(days);
        expect(isLeapYear(year)).toBe(days === 366);
      }),
    );
  });
});
