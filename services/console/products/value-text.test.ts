import { describe, expect, test } from '@jest/globals';
import { en } from '../texts/en.ts';
import { es } from '../texts/es.ts';
import { valueText } from './value-text.ts';

describe('a value of a product that is one period or one day is in the singular', () => {
  test.each([
    [en, 1, 1, 'after 1 missed period, with 1 day of notice'],
    [en, 2, 10, 'after 2 missed periods, with 10 days of notice'],
    [es, 1, 1, 'tras 1 periodo sin pago, con 1 día de aviso'],
    [es, 3, 0, 'tras 3 periodos sin pago, con 0 días de aviso'],
  ])('the acceleration', (texts, missed_periods, notice_days, words) => {
    expect(valueText(texts, 'acceleration', { forbidden: false, missed_periods, notice_days })).toBe(words);
  });

  test.each([
    [en, 1, 1, 'every day, first after 1 day'],
    [en, 30, 45, 'every 30 days, first after 45 days'],
    [es, 1, 1, 'cada día, el primero tras 1 día'],
  ])('the schedule', (texts, interval_days, first_after_days, words) => {
    const schedule = { kind: 'anchored_every_n_days', interval_days, first_after_days };
    expect(valueText(texts, 'schedule', schedule)).toBe(words);
  });
});
