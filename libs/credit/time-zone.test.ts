import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { dayOf, formatDay } from '#libs/calendar/civil-day.ts';
import type { Moment } from '#libs/calendar/moment.ts';
import { hours, momentOf } from './testing/example.ts';
import { dayInZone, isTimeZone } from './time-zone.ts';

const zones = [
  'UTC',
  'America/Mexico_City',
  'America/Tijuana',
  'Pacific/Kiritimati',
  'Pacific/Pago_Pago',
  'Asia/Kolkata',
];

describe('the day in a time zone', () => {
  test.each([
    ['2026-03-01', hours(6) - 0.000001, 'America/Mexico_City', '2026-02-28'],
    ['2026-03-01', hours(6), 'America/Mexico_City', '2026-03-01'],
    ['2026-03-01', 0, 'UTC', '2026-03-01'],
    ['2026-03-01', hours(10), 'Pacific/Kiritimati', '2026-03-02'],
    ['2026-03-01', hours(11) - 1, 'Pacific/Pago_Pago', '2026-02-28'],
    // Tijuana is eight hours behind in winter and seven in summer.
    ['2026-01-15', hours(7.5), 'America/Tijuana', '2026-01-14'],
    ['2026-07-15', hours(7.5), 'America/Tijuana', '2026-07-15'],
    ['2024-02-29', hours(18.5), 'Asia/Kolkata', '2024-03-01'],
    ['2026-12-31', hours(23), 'america/mexico_city', '2026-12-31'],
  ])('%s at %d seconds UTC falls in %s on %s', (day, seconds, zone, expected) => {
    expect(formatDay(dayInZone(momentOf(day, seconds), zone))).toBe(expected);
  });

  test('is at most one day from the day in UTC and never goes back', () => {
    const moment = fc.integer({ min: momentOf('2020-01-01', 0), max: momentOf('2040-12-31', 0) });
    fc.assert(
      fc.property(
        moment,
        fc.integer({ min: 0, max: 3 * 86_400_000_000 }),
        fc.constantFrom(...zones),
        (at, later, zone) => {
          const day = dayInZone(at as Moment, zone);
          expect(Math.abs(day - dayInZone(at as Moment, 'UTC'))).toBeLessThanOrEqual(1);
          expect(dayInZone((at + later) as Moment, zone)).toBeGreaterThanOrEqual(day);
        },
      ),
    );
  });

  test('in UTC at moment zero is 1970-01-01', () => {
    expect(dayInZone(0 as Moment, 'UTC')).toBe(dayOf('1970-01-01'));
  });

  test('throws for an unknown time zone', () => {
    expect(() => dayInZone(0 as Moment, 'Nowhere/Land')).toThrow('not a time zone');
  });
});

describe('the name of a time zone', () => {
  test.each(zones)('%s is accepted', (zone) => {
    expect(isTimeZone(zone)).toBe(true);
  });

  test.each(['', 'Mars/Base', '+01:00', '-06:00', 'America/', ' UTC', 'America/Mexico City', '../UTC'])(
    '%p is rejected',
    (zone) => {
      expect(isTimeZone(zone)).toBe(false);
    },
  );
});
