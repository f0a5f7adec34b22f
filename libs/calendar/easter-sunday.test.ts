import { expect, test } from '@jest/globals';
import { formatDay, weekday } from '#libs/calendar/civil-day.ts';
import { easterSunday } from './banking-calendar.ts';

// The earliest and the latest possible date, the two cases the rule corrects for, and common ones.
test.each([
  '1818-03-22',
  '1943-04-25',
  '1954-04-18',
  '1981-04-19',
  '2000-04-23',
  '2008-03-23',
  '2011-04-24',
  '2024-03-31',
  '2025-04-20',
  '2026-04-05',
  '2030-04-21',
  '2038-04-25',
  '2040-04-01',
])('Easter fell or falls on %s', (day) => {
  expect(formatDay(easterSunday(Number(day.slice(0, 4))))).toBe(day);
});

test('Easter is a Sunday between 22 March and 25 April', () => {
  for (let year = 1900; year <= 2299; year += 1) {
    const easter = easterSunday(year);
    expect(weekday(easter)).toBe(7);
    expect(formatDay(easter) >= `${year}-03-22` && formatDay(easter) <= `${year}-04-25`).toBe(true);
  }
});
