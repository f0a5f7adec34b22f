import { describe, expect, test } from '@jest/globals';
import { formatDay, formatMoney, parseAmount } from './amounts.ts';
import { en } from './texts/en.ts';
import { es } from './texts/es.ts';

describe('an amount in the language of the page', () => {
  test.each([
    [123_456_789, 'MXN', '$1,234,567.89'],
    [5, 'MXN', '$0.05'],
    [-1_050, 'MXN', '-$10.50'],
    [9_007_199_254_740_991, 'MXN', '$90,071,992,547,409.91'],
    [1_500, 'JPY', '¥1,500'],
    [100_000, 'USD', 'USD\u00a01,000.00'],
  ])('%d minor units of %s read %s', (minor_units, currency, expected) => {
    expect(formatMoney(en, { minor_units, currency })).toBe(expected);
  });

  test('has the separators of Mexico on a Spanish page', () => {
    expect(formatMoney(es, { minor_units: 123_456_789, currency: 'MXN' })).toBe('$1,234,567.89');
  });
});

test('a civil day stays the same day, wherever the server is', () => {
  expect(formatDay(en, '2026-03-01')).toBe('Mar 1, 2026');
  expect(formatDay(es, '2026-03-01')).toBe('1 mar 2026');
});

test('an amount is read as it is written, with thousands apart or not', () => {
  for (const texts of [en, es]) {
    expect(parseAmount(texts, '20,000', 'MXN')).toBe(20_000_00);
    expect(parseAmount(texts, ' 20000.5 ', 'MXN')).toBe(20_000_50);
    expect(parseAmount(texts, '-1,234,567.89', 'MXN')).toBe(-1_234_567_89);
    expect(parseAmount(texts, '1,500', 'JPY')).toBe(1_500);
    for (const text of ['12,34', '1,2345', ',500', '1.234,50', '20.000,00', '1.005', '1.2.3', 'ten', '']) {
      expect(parseAmount(texts, text, 'MXN')).toBeUndefined();
    }
    expect(parseAmount(texts, '20', '')).toBeUndefined();
  }
});
