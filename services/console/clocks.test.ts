import { expect, test } from '@jest/globals';
import { asPickerValue, asTimestamp, isKnownAt } from './clocks.ts';

test.each([
  ['2026-05-20T07:30', '2026-05-20T07:30:00Z'],
  ['2026-05-20T07:30:15', '2026-05-20T07:30:15Z'],
  ['2026-05-20T07:30:15.250', '2026-05-20T07:30:15.250Z'],
  ['2026-05-20T07:30:15.250123Z', '2026-05-20T07:30:15.250123Z'],
  ['yesterday', 'yesterday'],
])('the moment %s of a picker is read as %s', (text, expected) => {
  expect(asTimestamp(text)).toBe(expected);
});

test('a moment with microseconds is shown in the next millisecond, so that its own fact stays known', () => {
  expect(asPickerValue('2026-05-20T07:30:15.250123Z')).toBe('2026-05-20T07:30:15.251');
  expect(asPickerValue('2026-05-20T07:30:59.999001Z')).toBe('2026-05-20T07:31:00.000');
  expect(asPickerValue('2026-05-20T07:30:15.250000Z')).toBe('2026-05-20T07:30:15.250');
  expect(asPickerValue(undefined)).toBe('');
});

test('what was recorded is known from its own moment on, in whatever form the moment is stated', () => {
  const recorded = '2026-05-20T07:30:15.250000Z';
  for (const earlier of ['2026-05-20T07:30:15Z', '2026-05-20T07:30:15.249999Z', '2026-05-20T08:30:15.2+01:00'])
    expect([earlier, isKnownAt(recorded, earlier)]).toEqual([earlier, false]);
  for (const later of ['2026-05-20T07:30:15.25Z', '2026-05-20T07:30:16Z', '2026-05-20T01:30:15.25-06:00', undefined])
    expect([later, isKnownAt(recorded, later)]).toEqual([later, true]);
});
