import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { addDays, dayOf, formatDay, LAST_DAY } from '#libs/calendar/civil-day.ts';
import type { Moment } from '#libs/calendar/moment.ts';
import { barAnswer, barOf, barOn, refuseIfBarred } from './bar.ts';
import type { Decision } from './decide.ts';
import { resolveDecision } from './resolution.ts';
import {
  admitted,
  adoptedPolicy,
  given,
  hours,
  known,
  momentOf,
  noon,
  policyContent,
  withIncome,
} from './testing/example.ts';
import { dayInZone } from './time-zone.ts';

/** A refusal by the lowest band on 2026-03-01, with a moratorium of thirty days. */
const refusal = (id = 'decision-1', recordedAt = noon): Decision =>
  admitted(given({ recordedAt, id }).whenApplied({ ...withIncome(0, 0), submitted_on: '2026-06-01' }));

const barsOf = (...decisions: Decision[]) => decisions.flatMap((decision) => barOf(decision) ?? []);
const answerOn = (bars: ReturnType<typeof barsOf>, day: string) => barAnswer(bars, dayOf(day));
const none = { barred: false };

describe('a refusal with a moratorium of thirty days', () => {
  test.each([
    ['2026-02-28', none],
    ['2026-03-01', { barred: true, lifts_on: '2026-03-31', decision: 'decision-1' }],
    ['2026-03-30', { barred: true, lifts_on: '2026-03-31', decision: 'decision-1' }],
    ['2026-03-31', none],
  ])('on %s the Client reads %p', (day, answer) => {
    expect(answerOn(barsOf(refusal()), day)).toEqual(answer);
  });

  test('does not bar when it was a trial', () => {
    const trial = admitted(
      given({ policy: adoptedPolicy(policyContent, { binding: false }) }).whenApplied(withIncome(0, 0)),
    );
    expect([trial.outcome, barOf(trial)]).toEqual(['refuse', undefined]);
  });

  test('by a knockout bars for the moratorium of the knockout', () => {
    const stated = { attributes: { ...withIncome(90_000, 240).attributes, write_offs: known(1) } };
    expect(answerOn(barsOf(admitted(given().whenApplied(stated))), '2026-03-01')).toMatchObject({
      lifts_on: '2026-05-30',
    });
  });
});

test('an outcome other than a refusal does not bar, even if its rule states a moratorium', () => {
  const bands = [{ id: 'all', outcome: 'not_offered', moratorium_days: 30 }];
  const decision = admitted(given({ policy: adoptedPolicy({ ...policyContent, bands }) }).whenApplied());
  expect([decision.outcome, barOf(decision)]).toEqual(['not_offered', undefined]);
});

test('a refusal without a moratorium does not bar', () => {
  const bands = [{ id: 'all', outcome: 'refuse' }];
  expect(barOf(admitted(given({ policy: adoptedPolicy({ ...policyContent, bands }) }).whenApplied()))).toBeUndefined();
});

describe('several refusals', () => {
  const first = refusal('first', momentOf('2026-03-01', hours(18)));
  const second = refusal('second', momentOf('2026-03-20', hours(18)));

  test('bar the Client until the last bar lifts', () => {
    const bars = barsOf(second, first);
    // On 31 March, when the first bar lifts, the second one bars already.
    expect(answerOn(bars, '2026-03-19')).toEqual({ barred: true, lifts_on: '2026-04-19', decision: 'second' });
    expect(answerOn(bars, '2026-03-20')).toEqual({ barred: true, lifts_on: '2026-04-19', decision: 'second' });
    expect(answerOn(bars, '2026-04-18')).toMatchObject({ barred: true });
    expect(answerOn(bars, '2026-04-19')).toEqual(none);
  });

  test('bar the Client up to the first free day, not to the end of a later bar', () => {
    const later = refusal('later', momentOf('2026-05-01', hours(18)));
    expect(answerOn(barsOf(first, later), '2026-03-19')).toMatchObject({ lifts_on: '2026-03-31', decision: 'first' });
  });

  test('whose bars lift on the same day are answered with the first recorded', () => {
    expect(answerOn(barsOf(first, refusal('later-that-day')), '2026-03-10')).toMatchObject({ decision: 'first' });
  });
});

test('a bar that lifts after the last representable day is answered with that day', () => {
  const endlessBars = [{ decision: 'd', boundFrom: dayOf('2026-03-01'), liftsOn: addDays(LAST_DAY, 400) }];
  expect(barAnswer(endlessBars, LAST_DAY)).toEqual({ barred: true, lifts_on: '9999-12-31', decision: 'd' });
  expect(refuseIfBarred(endlessBars, LAST_DAY)?.details).toMatchObject({ bound: '9999-12-31' });
});

describe('a refusal by resolution', () => {
  const referred = admitted(given().whenApplied({ ...withIncome(8000, 0), submitted_on: '2026-02-25' }));
  const act = { reference: 'r', actor: 'chief', basis: 'file read' };
  const refuse = (days?: number) =>
    admitted(
      resolveDecision({ ...act, outcome: 'refuse', ...(days && { moratorium_days: days }) }, { decision: referred }),
    );

  test('bars from the day stored with the Decision, not from the day of the resolution', () => {
    const bar = barOf(referred, refuse(10));
    expect(bar && [bar.decision, formatDay(bar.boundFrom), formatDay(bar.liftsOn)]).toEqual([
      'decision-1',
      '2026-02-25',
      '2026-03-07',
    ]);
  });

  test('does not bar without a moratorium, nor does a referred Decision that is not resolved', () => {
    expect(barOf(referred, refuse())).toBeUndefined();
    expect(barOf(referred)).toBeUndefined();
  });

  test('does not bar when the Decision was a trial', () => {
    expect(barOf({ ...referred, binding: false }, refuse(10))).toBeUndefined();
  });
});

describe('an enforced bar', () => {
  test('refuses an application on a barred day and names the lift day and the refusal', () => {
    expect(refuseIfBarred(barsOf(refusal()), dayOf('2026-03-30'))).toMatchObject({
      code: 'client_barred',
      status: 409,
      details: { bound: '2026-03-31', recorded_id: 'decision-1' },
    });
  });

  test('admits an application on the day the bar lifts', () => {
    expect(refuseIfBarred(barsOf(refusal()), dayOf('2026-03-31'))).toBeUndefined();
  });
});

test('a moratorium of N days bars on exactly N days, in every time zone', () => {
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
        const by = adoptedPolicy({ ...policyContent, bands, time_zone: zone });
        const decision = admitted(
          given({ policy: by, recordedAt }).whenApplied({ submitted_on: formatDay(submittedOn) }),
        );
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
