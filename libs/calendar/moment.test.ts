import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { formatMoment, type Moment } from './moment.ts';

test('a moment is formatted in UTC with six decimals', () => {
  expect(formatMoment(0 as Moment)).toBe('1970-01-01T00:00:00.000000Z');
  expect(formatMoment(951_782_400_000_001 as Moment)).toBe('2000-02-29T00:00:00.000001Z');
});

test('a moment agrees with the Date of the language and keeps microseconds', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: -2_208_988_800_000, max: 8_000_000_000_000 }),
      fc.integer({ min: 0, max: 999 }),
      (ms, micros) => {
        const expected = new Date(ms).toISOString().replace('Z', `${String(micros).padStart(3, '0')}Z`);
        expect(formatMoment((ms * 1000 + micros) as Moment)).toBe(expected);
      },
    ),
  );
});
