import { expect, test } from '@jest/globals';
import { formatMoment, formatWait } from './dates.ts';
import { en } from './texts/en.ts';
import { es } from './texts/es.ts';

test.each([
  [1, '1 second', '1 segundo'],
  [15_200, '16 seconds', '16 segundos'],
  [60_000, '1 minute', '1 minuto'],
  [60_001, '2 minutes', '2 minutos'],
  [900_000, '15 minutes', '15 minutos'],
])('a wait of %d ms is never stated too short', (ms, english, spanish) => {
  expect([formatWait(en, ms), formatWait(es, ms)]).toEqual([english, spanish]);
});

test('a moment of the audit list has its seconds', () => {
  expect(formatMoment(en, 1_793_232_005_000_000)).toMatch(/^Oct 29, 2026, 12:00:05\sAM UTC$/);
});
