import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type CivilDay, dayOf, daysInMonth, formatDay, yearMonthDay } from '#libs/calendar/civil-day.ts';
import { checkSchedule, MAX_SCHEDULE_DAYS, type Schedule, scheduledDay } from '#libs/calendar/schedule.ts';

const days = (schedule: Schedule, anchor: string, ...periods: number[]) =>
  periods.map((k) => formatDay(scheduledDay(schedule, dayOf(anchor), k)));

const anyAnchor = fc.integer({ min: dayOf('1990-01-01'), max: dayOf('2060-12-31') }).map((day) => day as CivilDay);
const dayOfMonth = fc.integer({ min: 1, max: 31 });

describe('a scheduled day', () => {
  test('of period 0 is the anchor under every schedule', () => {
    expect(days({ kind: 'anchored_monthly', day_of_month: 5 }, '2026-01-20', 0)).toEqual(['2026-01-20']);
    expect(days({ kind: 'anchored_every_n_days', interval_days: 14 }, '2026-01-20', 0)).toEqual(['2026-01-20']);
  });

  test('monthly from 31 January is the end of each month, counted from the anchor', () => {
    expect(days({ kind: 'anchored_monthly' }, '2025-01-31', 1, 2, 3, 12, 600)).toEqual([
      '2025-02-28',
      '2025-03-31',
      '2025-04-30',
      '2026-01-31',
      '2075-01-31',
    ]);
  });

  test('every n days adds n days for each period', () => {
    expect(days({ kind: 'anchored_every_n_days', interval_days: 14 }, '2024-02-20', 1, 2)).toEqual([
      '2024-03-05',
      '2024-03-19',
    ]);
  });

  test.each([
    ['2026-01-20', 31, undefined, ['2026-01-31', '2026-02-28', '2026-03-31']],
    // The first day is at least one day after the anchor.
    ['2026-01-31', 31, undefined, ['2026-02-28', '2026-03-31', '2026-04-30']],
    ['2026-01-05', 5, 0, ['2026-02-05', '2026-03-05', '2026-04-05']],
    ['2026-01-20', 31, 11, ['2026-01-31', '2026-02-28', '2026-03-31']],
    ['2026-01-20', 31, 12, ['2026-02-28', '2026-03-31', '2026-04-30']],
    ['2026-12-20', 1, 20, ['2027-02-01', '2027-03-01', '2027-04-01']],
    ['2026-02-27', 30, 1, ['2026-02-28', '2026-03-30', '2026-04-30']],
    ['2026-01-20', 15, 400, ['2027-03-15', '2027-04-15', '2027-05-15']],
  ])('from %s on day %s of the month, the first after %s days, is %j', (anchor, day, after, expected) => {
    const schedule: Schedule = {
      kind: 'anchored_monthly',
      day_of_month: day,
      ...(after === undefined ? {} : { first_after_days: after }),
    };
    expect(days(schedule, anchor, 1, 2, 3)).toEqual(expected);
  });

  test('on a day of the month starts with the first such day far enough from the anchor', () => {
    fc.assert(
      fc.property(anyAnchor, dayOfMonth, fc.integer({ min: 0, max: 400 }), (anchor, wanted, after) => {
        let day = (anchor + Math.max(1, after)) as CivilDay;
        for (;;) {
          const { year, month, day: inMonth } = yearMonthDay(day);
          if (inMonth === Math.min(wanted, daysInMonth(year, month))) break;
          day = (day + 1) as CivilDay;
        }
        const schedule: Schedule = { kind: 'anchored_monthly', day_of_month: wanted, first_after_days: after };
        expect(formatDay(scheduledDay(schedule, anchor, 1))).toBe(formatDay(day));
      }),
    );
  });

  test('of each later period is one month later, limited to the length of the month', () => {
    const anySchedule: fc.Arbitrary<Schedule> = fc.oneof(
      fc.constant<Schedule>({ kind: 'anchored_monthly' }),
      dayOfMonth.map((day): Schedule => ({ kind: 'anchored_monthly', day_of_month: day })),
    );
    fc.assert(
      fc.property(anyAnchor, anySchedule, fc.integer({ min: 1, max: 599 }), (anchor, schedule, k) => {
        const [from, to] = [k, k + 1].map((period) => yearMonthDay(scheduledDay(schedule, anchor, period)));
        const ofMonth = (schedule.kind === 'anchored_monthly' && schedule.day_of_month) || yearMonthDay(anchor).day;
        if (from === undefined || to === undefined) throw new Error('expected two days');
        expect(12 * to.year + to.month).toBe(12 * from.year + from.month + 1);
        expect(to.day).toBe(Math.min(ofMonth, daysInMonth(to.year, to.month)));
      }),
    );
  });
});

describe('a stated schedule', () => {
  test.each<Schedule>([
    { kind: 'anchored_monthly' },
    { kind: 'anchored_monthly', day_of_month: 1 },
    { kind: 'anchored_monthly', day_of_month: 31, first_after_days: 0 },
    { kind: 'anchored_monthly', day_of_month: 31, first_after_days: MAX_SCHEDULE_DAYS },
    { kind: 'anchored_every_n_days', interval_days: 1 },
    { kind: 'anchored_every_n_days', interval_days: MAX_SCHEDULE_DAYS },
  ])('%j is accepted', (schedule) => {
    expect(checkSchedule(schedule)).toEqual({ schedule });
  });

  test.each([
    ['anchored_monthly', 'invalid_field', ''],
    [null, 'invalid_field', ''],
    [[], 'invalid_field', ''],
    [{}, 'invalid_field', 'kind'],
    [{ kind: 'weekly' }, 'invalid_field', 'kind'],
    [{ kind: 'anchored_monthly', every: 2 }, 'unknown_field', 'every'],
    [{ kind: 'anchored_monthly', interval_days: 14 }, 'invalid_field', 'interval_days'],
    [{ kind: 'anchored_monthly', day_of_month: 0 }, 'invalid_field', 'day_of_month'],
    [{ kind: 'anchored_monthly', day_of_month: 32 }, 'invalid_field', 'day_of_month'],
    [{ kind: 'anchored_monthly', day_of_month: 1.5 }, 'invalid_field', 'day_of_month'],
    [{ kind: 'anchored_monthly', day_of_month: '1' }, 'invalid_field', 'day_of_month'],
    [{ kind: 'anchored_monthly', day_of_month: null }, 'invalid_field', 'day_of_month'],
    [{ kind: 'anchored_monthly', first_after_days: 3 }, 'invalid_field', 'first_after_days'],
    [{ kind: 'anchored_monthly', day_of_month: 1, first_after_days: -1 }, 'invalid_field', 'first_after_days'],
    [{ kind: 'anchored_every_n_days' }, 'invalid_field', 'interval_days'],
    [{ kind: 'anchored_every_n_days', interval_days: 0 }, 'invalid_field', 'interval_days'],
    [{ kind: 'anchored_every_n_days', interval_days: MAX_SCHEDULE_DAYS + 1 }, 'invalid_field', 'interval_days'],
    [{ kind: 'anchored_every_n_days', interval_days: 7, day_of_month: 1 }, 'invalid_field', 'day_of_month'],
    [{ kind: 'anchored_every_n_days', interval_days: 7, first_after_days: 1 }, 'invalid_field', 'first_after_days'],
  ])('%j is refused %s at %j', (stated, refused, member) => {
    expect(checkSchedule(stated)).toEqual({ refused, member });
  });
});
