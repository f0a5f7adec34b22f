import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parseTimestamp } from '#libs/api/parameter-formats.ts';

test.each([
  ['2026-11-05T10:20:30Z', '2026-11-05T10:20:30.000000Z'],
  ['2026-11-05T10:20:30.1234567Z', '2026-11-05T10:20:30.123456Z'],
  ['2026-11-05T00:20:30.5+01:00', '2026-11-04T23:20:30.500000Z'],
  ['2026-11-05t10:20:30-00:30', '2026-11-05T10:50:30.000000Z'],
  ['2026-11-05', undefined],
  ['2026-11-05T10:20Z', undefined],
  ['2026-11-05 10:20:30Z', undefined],
  ['2026-11-05T10:20:30', undefined],
  ['2026-11-31T10:20:30Z', undefined],
  ['2026-11-05T24:00:00Z', undefined],
  ['9999-12-31T23:59:59-23:59', undefined],
])('the timestamp %s is parsed as %s', (text, timestamp) => {
  expect(parseTimestamp(text)).toBe(timestamp);
});

const from = Date.parse('1900-01-02T00:00:00Z');
const to = Date.parse('9999-12-30T00:00:00Z');

test('a timestamp with any offset is converted to UTC', () => {
  const offset = fc.record({ ahead: fc.boolean(), minutes: fc.integer({ min: 0, max: 23 * 60 + 59 }) });
  fc.assert(
    fc.property(fc.integer({ min: from / 1000, max: to / 1000 }), offset, (seconds, { ahead, minutes }) => {
      const local = new Date((seconds + (ahead ? 60 : -60) * minutes) * 1000).toISOString().slice(0, 19);
      fc.pre(local >= '1900-01-01' && local.length === 19 && local < '9999-12-31T23:59:59');
      const two = (value: number) => String(Math.floor(value)).padStart(2, '0');
      const text = `${local}${ahead ? '+' : '-'}${two(minutes / 60)}:${two(minutes % 60)}`;
      expect(parseTimestamp(text)).toBe(`${new Date(seconds * 1000).toISOString().slice(0, 19)}.000000Z`);
    }),
  );
});

test('a leap second becomes the last microsecond of its minute', () => {
  expect(parseTimestamp('2016-12-31T23:59:60Z')).toBe('2016-12-31T23:59:59.999999Z');
  expect(parseTimestamp('2016-12-31T23:59:60.25Z')).toBe('2016-12-31T23:59:59.999999Z');
  expect(parseTimestamp('2017-01-01T05:29:60+05:30')).toBe('2016-12-31T23:59:59.999999Z');
  expect(parseTimestamp('9999-12-31T23:59:60Z')).toBe('9999-12-31T23:59:59.999999Z');
});

test.each(['2016-12-31T23:58:60Z', '2016-12-31T22:59:60Z', '2016-12-31T23:59:60+01:00', '2016-12-31T23:59:61Z'])(
  '%s is not a timestamp: a leap second is always at the end of a day in UTC',
  (text) => {
    expect(parseTimestamp(text)).toBeUndefined();
  },
);

test('a timestamp after the last day of the calendar is not a timestamp', () => {
  expect(parseTimestamp('9999-12-31T23:59:59Z')).toBe('9999-12-31T23:59:59.000000Z');
  expect(parseTimestamp('9999-12-31T23:59:59-00:01')).toBeUndefined();
});
