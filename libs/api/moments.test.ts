/** Moments and days are written without asking the machine's calendar; that they agree with it is shown here. */
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parseTimestamp } from './timestamp.ts';
import { windowHeaders } from './versions.ts';

const dayMs = 86_400_000;
const from = Date.parse('1900-01-02T00:00:00Z');
const to = Date.parse('9999-12-30T00:00:00Z');

test('a moment stated with any offset is written in UTC', () => {
  const offset = fc.record({ ahead: fc.boolean(), minutes: fc.integer({ min: 0, max: 23 * 60 + 59 }) });
  fc.assert(
    fc.property(fc.integer({ min: from / 1000, max: to / 1000 }), offset, (seconds, { ahead, minutes }) => {
      const there = new Date((seconds + (ahead ? 60 : -60) * minutes) * 1000).toISOString().slice(0, 19);
      fc.pre(there >= '1900-01-01' && there.length === 19 && there < '9999-12-31T23:59:59');
      const two = (value: number) => String(Math.floor(value)).padStart(2, '0');
      const stated = `${there}${ahead ? '+' : '-'}${two(minutes / 60)}:${two(minutes % 60)}`;
      expect(parseTimestamp(stated)).toBe(`${new Date(seconds * 1000).toISOString().slice(0, 19)}.000000Z`);
    }),
  );
});

test('a leap second is the end of the minute it stands in, for clocks that know none tell it so', () => {
  expect(parseTimestamp('2016-12-31T23:59:60Z')).toBe('2016-12-31T23:59:59.999999Z');
  expect(parseTimestamp('2016-12-31T23:59:60.25Z')).toBe('2016-12-31T23:59:59.999999Z');
  expect(parseTimestamp('2017-01-01T05:29:60+05:30')).toBe('2016-12-31T23:59:59.999999Z');
  expect(parseTimestamp('9999-12-31T23:59:60Z')).toBe('9999-12-31T23:59:59.999999Z');
});

test.each(['2016-12-31T23:58:60Z', '2016-12-31T22:59:60Z', '2016-12-31T23:59:60+01:00', '2016-12-31T23:59:61Z'])(
  '%s is no moment: a leap second ends a day in UTC',
  (stated) => {
    expect(parseTimestamp(stated)).toBeUndefined();
  },
);

test('a moment that falls behind the last day that can be written is none', () => {
  expect(parseTimestamp('9999-12-31T23:59:59Z')).toBe('9999-12-31T23:59:59.000000Z');
  expect(parseTimestamp('9999-12-31T23:59:59-00:01')).toBeUndefined();
});

test('the day on which a member ends reads as HTTP writes it', () => {
  const days = fc.integer({ min: from / dayMs, max: to / dayMs });
  fc.assert(
    fc.property(days, (day) => {
      const at = new Date(day * dayMs);
      const window = { route: 'x', field: 'y', until: at.toISOString().slice(0, 10), entry: 'z' };
      expect(windowHeaders(window)).toMatchObject({ Sunset: at.toUTCString(), Deprecation: `@${at.getTime() / 1000}` });
    }),
  );
});
