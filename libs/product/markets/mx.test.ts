import { describe, expect, test } from '@jest/globals';
import { nextBankingDay } from '#libs/calendar/banking-calendar.ts';
import { addDays, dayOf, formatDay, weekday } from '#libs/calendar/civil-day.ts';
import { rateOf } from '#libs/money/rate.ts';
import { isTaxRateAllowed } from '#libs/product/markets/market.ts';
import { MX, mexicanBankHolidays } from '#libs/product/markets/mx.ts';

describe('banks in Mexico', () => {
  test.each([
    [2024, '01-01 02-05 03-18 03-28 03-29 05-01 09-16 10-01 11-02 11-18 12-12 12-25'],
    [2025, '01-01 02-03 03-17 04-17 04-18 05-01 09-16 11-02 11-17 12-12 12-25'],
    [2026, '01-01 02-02 03-16 04-02 04-03 05-01 09-16 11-02 11-16 12-12 12-25'],
    [2030, '01-01 02-04 03-18 04-18 04-19 05-01 09-16 10-01 11-02 11-18 12-12 12-25'],
  ])('close in %s on %s, besides weekends', (year, days) => {
    const holidays = mexicanBankHolidays(year).map(formatDay).sort();
    expect(holidays).toEqual(days.split(' ').map((day) => `${year}-${day}`));
  });

  test('close on 1 October only in years in which a President takes office, since 2024', () => {
    const years = Array.from({ length: 41 }, (_, index) => 2000 + index);
    const october = years.filter((year) => mexicanBankHolidays(year).includes(dayOf(`${year}-10-01`)));
    expect(october).toEqual([2024, 2030, 2036]);
  });

  test('close on weekends and holidays, and open on all other days', () => {
    const holidays = new Set(mexicanBankHolidays(2026));
    for (let day = dayOf('2026-01-01'); day <= dayOf('2026-12-31'); day = addDays(day, 1)) {
      expect(MX.calendar.value.isBankingDay(day)).toBe(weekday(day) < 6 && !holidays.has(day));
    }
  });

  test('reopen on the Monday after Holy Week', () => {
    expect(nextBankingDay(MX.calendar.value, dayOf('2026-04-02'))).toBe(dayOf('2026-04-06'));
  });

  test('are covered by the calendar up to the end of 2040', () => {
    const { coversTo } = MX.calendar.value;
    expect(formatDay(coversTo)).toBe('2040-12-31');
    expect(nextBankingDay(MX.calendar.value, coversTo)).toBe(coversTo);
    expect(nextBankingDay(MX.calendar.value, addDays(coversTo, 1))).toBeUndefined();
    expect(MX.calendar.value.isBankingDay(dayOf('2040-12-25'))).toBe(false);
  });
});

describe('value added tax in Mexico', () => {
  const { value: tax } = MX.tax;

  test('is 16 % on any day, and 8 % until the decree for the borders ends', () => {
    expect(isTaxRateAllowed(tax, rateOf('16'), dayOf('2040-12-31'))).toBe(true);
    expect(isTaxRateAllowed(tax, rateOf('8'), dayOf('2026-12-31'))).toBe(true);
    expect(isTaxRateAllowed(tax, rateOf('8'), dayOf('2027-01-01'))).toBe(false);
    expect(isTaxRateAllowed(tax, rateOf('0'), dayOf('2025-01-01'))).toBe(false);
  });

  test('applies to every charge except principal', () => {
    expect(tax.on).toEqual(['interest', 'fee', 'penalty', 'late_fee']);
  });
});

test('every rule of the market has a source', () => {
  const { jurisdiction, isForTests, ...rules } = MX;
  expect([jurisdiction, isForTests]).toEqual(['MX', undefined]);
  for (const rule of Object.values(rules)) {
    expect(rule.source).toMatch(/\S/);
    expect(typeof rule.provisional).toBe('boolean');
  }
});
