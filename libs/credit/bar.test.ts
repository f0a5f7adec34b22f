import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { addDays, dayOf, formatDay, LAST_DAY } from '#libs/calendar/civil-day.ts';
import type { Moment } from '#libs/calendar/moment.ts';
import { barAnswer, barOf, barOn, refuseBarred } from './bar.ts';
import type { Decision } from './decide.ts';
import { resolve } from './resolution.ts';
import { admitted, applied, content, deciding, earning, hours, momentOf, noon } from './testing/example.ts';
import { dayInZone } from './time-zone.ts';

/** Refused by the lowest band on 2026-03-01: thirty days. */
const refusal = (id = 'decision-1', recordedAt = noon): Decision =>
  admitted(applied({ id, recordedAt, stated: { ...earning(0, 0), submitted_on: '2026-06-01' } }));

const barsOf = (...decisions: Decision[]) => decisions.flatMap((decision) => barOf(decision) ?? []);
const at = (bars: ReturnType<typeof barsOf>, day: string) => barAnswer(bars, dayOf(day));
const none = { barred: false };

describe('a refusal with a moratorium of thirty days', () => {
  test.each([
    ['2026-02-28', none],
    ['2026-03-01', { barred: true, lifts_on: '2026-03-31', decision: 'decision-1' }],
    ['2026-03-30', { barred: true, lifts_on: '2026-03-31', decision: 'decision-1' }],
    ['2026-03-31', none],
  ])('answers on %s: %p', (day, answer) => {
    expect(at(barsOf(refusal()), day)).toEqual(answer);
  });

  test('bars nobody where it was only a trial', () => {
    const trial = admitted(applied({ by: deciding(content, { binding: false }), stated: earning(0, 0) }));
    expect([trial.outcome, barOf(trial)]).toEqual(['refuse', undefined]);
  });

  test('of a knockout bars as long as the knockout says', () => {
    const stated = { attributes: { ...earning(90_000, 240).attributes, write_offs: { state: 'known', number: 1 } } };
    expect(at(barsOf(admitted(applied({ stated }))), '2026-03-01')).toMatchObject({ lifts_on: '2026-05-30' });
  });
});

test('what was not refused bars nobody, though its rule states a moratorium', () => {
  const bands = [{ id: 'all', outcome: 'not_offered', moratorium_days: 30 }];
  const decision = admitted(applied({ by: deciding({ ...content, bands }) }));
  expect([decision.outcome, barOf(decision)]).toEqual(['not_offered', undefined]);
});

test('a refusal without a moratorium bars nobody', () => {
  const bands = [{ id: 'all', outcome: 'refuse' }];
  expect(barOf(admitted(applied({ by: deciding({ ...content, bands }) })))).toBeUndefined();
});

describe('several refusals', () => {
  const first = refusal('first', momentOf('2026-03-01', hours(18)));
  const second = refusal('second', momentOf('2026-03-20', hours(18)));

  test('bar until the last one lifts', () => {
    const bars = barsOf(second, first);
    expect(at(bars, '2026-03-19')).toEqual({ barred: true, lifts_on: '2026-03-31', decision: 'first' });
    expect(at(bars, '2026-03-20')).toEqual({ barred: true, lifts_on: '2026-04-19', decision: 'second' });
    expect(at(bars, '2026-04-18')).toMatchObject({ barred: true });
    expect(at(bars, '2026-04-19')).toEqual(none);
  });

  test('that lift together are named by the first recorded', () => {
    expect(at(barsOf(first, refusal('later that day')), '2026-03-10')).toMatchObject({ decision: 'first' });
  });
});

test('a bar that lifts after the last day that can be written is told with that day', () => {
  const endless = [{ decision: 'd', boundFrom: dayOf('2026-03-01'), liftsOn: addDays(LAST_DAY, 400) }];
  expect(barAnswer(endless, LAST_DAY)).toEqual({ barred: true, lifts_on: '9999-12-31', decision: 'd' });
  expect(refuseBarred(endless, LAST_DAY)?.details).toMatchObject({ bound: '9999-12-31' });
});

describe('a person who refuses what was referred', () => {
  const referred = admitted(applied({ stated: { ...earning(8000, 0), submitted_on: '2026-02-25' } }));
  const act = { reference: 'r', actor: 'chief', basis: 'file read' };
  const refuse = (days?: number) =>
    admitted(resolve({ ...act, outcome: 'refuse', ...(days && { moratorium_days: days }) }, { decision: referred }));

  test('bars from the day the Decision froze, not from the day of the resolution', () => {
    const bar = barOf(referred, refuse(10));
    expect(bar && [bar.decision, formatDay(bar.boundFrom), formatDay(bar.liftsOn)]).toEqual([
      'decision-1',
      '2026-02-25',
      '2026-03-07',
    ]);
  });

  test('bars nobody without a moratorium, and nobody is barred before', () => {
    expect(barOf(referred, refuse())).toBeUndefined();
    expect(barOf(referred)).toBeUndefined();
  });

  test('bars nobody where the Decision was a trial', () => {
    expect(barOf({ ...referred, binding: false }, refuse(10))).toBeUndefined();
  });
});

describe('an enforced bar', () => {
  test('refuses who applies on a barred day, naming the lift day and the refusal', () => {
    expect(refuseBarred(barsOf(refusal()), dayOf('2026-03-30'))).toMatchObject({
      code: 'client_barred',
      status: 409,
      details: { bound: '2026-03-31', recorded_id: 'decision-1' },
    });
  });

  test('admits who applies on the day it lifts', () => {
    expect(refuseBarred(barsOf(refusal()), dayOf('2026-03-31'))).toBeUndefined();
  });
});

test('a bar of N days bars N days, first and last counted, wherever on earth it was recorded', () => {
  const moment = fc.integer({ min: momentOf('2026-01-01', 0), max: momentOf('2028-12-31', 0) });
  const zones = fc.constantFrom(
    'America/Mexico_City',
    'America/Tijuana',
    'Pacific/Kiritimati',
    'Pacific/Pago_Pago',
    'UTC',
  );
  fc.assert(
    fc.property(
      moment,
      zones,
      fc.integer({ min: 0, max: 400 }),
      fc.integer({ min: -5, max: 5 }),
      (recorded, zone, days, ahead) => {
        const recordedAt = recorded as Moment;
        const recordingDay = dayInZone(recordedAt, zone);
        const submittedOn = addDays(recordingDay, ahead);
        const bands = [{ id: 'all', outcome: 'refuse', moratorium_days: days }];
        const by = deciding({ ...content, bands, time_zone: zone });
        const decision = admitted(applied({ by, recordedAt, stated: { submitted_on: formatDay(submittedOn) } }));
        const bars = barsOf(decision);
        const around = Array.from({ length: days + 20 }, (_, index) => addDays(recordingDay, index - 10));
        const barred = around.filter((day) => barOn(bars, day) !== undefined);
        expect(barred).toHaveLength(days);
        if (days > 0) expect(barred[0]).toBe(Math.min(submittedOn, recordingDay));
        if (days > 0)
          expect(barAnswer(bars, barred.at(-1) ?? submittedOn).lifts_on).toBe(
            formatDay(addDays(barred[0] ?? submittedOn, days)),
          );
      },
    ),
  );
});
