import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { calendarOf, nextBankingDay } from '#libs/calendar/banking-calendar.ts';
import { type CivilDay, dayOf, formatDay, weekday } from '#libs/calendar/civil-day.ts';

const WEEKEND = [6, 7];
const coversTo = dayOf('2026-12-31');
const next = (calendar: ReturnType<typeof calendarOf>, day: string) => {
  const found = nextBankingDay(calendar, dayOf(day));
  return found === undefined ? undefined : formatDay(found);
};

describe('the next banking day', () => {
  const calendar = calendarOf({
    weekend: WEEKEND,
    holidays: [dayOf('2026-05-01'), dayOf('2026-05-04'), dayOf('2026-12-31')],
    coversTo,
  });

  test('is the day itself if it is a banking day', () => {
    expect(next(calendar, '2026-04-30')).toBe('2026-04-30');
  });

  test('skips a weekend with a holiday on either side', () => {
    expect(next(calendar, '2026-05-01')).toBe('2026-05-05');
  });

  test('is undefined beyond the last covered day, also when that day is a holiday', () => {
    expect(next(calendar, '2026-12-30')).toBe('2026-12-30');
    expect(next(calendar, '2026-12-31')).toBeUndefined();
    expect(next(calendar, '2027-01-04')).toBeUndefined();
  });

  test('is undefined when no weekday is a banking day', () => {
    expect(next(calendarOf({ weekend: [1, 2, 3, 4, 5, 6, 7], holidays: [], coversTo }), '2026-01-01')).toBeUndefined();
  });

  test('may be before the first known holiday', () => {
    expect(next(calendar, '1950-07-01')).toBe('1950-07-03');
  });

  test('ignores a holiday the calendar does not cover', () => {
    const bounded = calendarOf({ weekend: [], holidays: [dayOf('2027-01-01')], coversTo });
    expect(next(bounded, '2026-12-31')).toBe('2026-12-31');
  });

  test('is the first day on or after that is neither weekend nor holiday', () => {
    const start = dayOf('2026-01-01');
    const anyDay = fc.integer({ min: start - 10, max: coversTo }).map((day) => day as CivilDay);
    fc.assert(
      fc.property(
        fc.subarray([1, 2, 3, 4, 5, 6, 7]),
        fc.array(
          fc.integer({ min: start, max: coversTo }).map((day) => day as CivilDay),
          { maxLength: 120 },
        ),
        anyDay,
        (weekend, holidays, from) => {
          const resting = (day: CivilDay) => weekend.includes(weekday(day)) || holidays.includes(day);
          const days = Array.from({ length: coversTo - from + 1 }, (_, index) => (from + index) as CivilDay);
          const expected = days.find((day) => !resting(day));
          expect(nextBankingDay(calendarOf({ weekend, holidays, coversTo }), from)).toBe(expected);
        },
      ),
    );
  });
});
