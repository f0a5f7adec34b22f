import { describe, expect, test } from '@jest/globals';
import { type Resolution, type ResolutionBody, resolutionAnswer, resolve } from './resolution.ts';
import { admitted, applied, earning, offer, pesos, refused } from './testing/example.ts';

const referred = admitted(applied({ stated: earning(8000, 0) }));
const refusedByBand = admitted(applied({ stated: earning(0, 0) }));
const rate = { numerator: 60, denominator: 100, quotation: 'nominal_annual' };

const body = (change: Partial<ResolutionBody>): ResolutionBody => ({
  outcome: 'approve',
  reference: 'resolution-1',
  actor: 'chief',
  basis: 'the file was read again',
  ...change,
});

const resolved = (change: Partial<ResolutionBody>, standing?: Resolution) =>
  resolve(body(change), { decision: referred, standing });

describe('a person who approves what was referred', () => {
  test('states the rate, and may state the most; the terms are the configuration’s', () => {
    expect(resolved({ rate, principal_max: pesos(5000) })).toEqual({
      decision_id: 'decision-1',
      outcome: 'approve',
      terms: offer.terms,
      rate: { ...rate, percent: '60' },
      principal_max: pesos(5000),
      reference: 'resolution-1',
      actor: 'chief',
      basis: 'the file was read again',
    });
  });

  test('may state the rate in per cent: it is kept as the fraction it is', () => {
    expect(resolved({ rate: '37.50' })).toMatchObject({ rate: { numerator: 3, denominator: 8, percent: '37.5' } });
  });

  test('approves what the configuration offers where nothing else is said', () => {
    expect(resolved({ rate })).toMatchObject({ principal_max: offer.principal_max });
  });

  test.each<[string, Partial<ResolutionBody>, string, string]>([
    ['no rate', {}, 'missing_field', '/rate'],
    ['a rate of nothing', { rate: { ...rate, numerator: 0 } }, 'invalid_field', '/rate/numerator'],
    ['a rate of nought per cent', { rate: '0' }, 'invalid_field', '/rate'],
    ['a rate without decimals', { rate: { ...rate, denominator: 7 } }, 'rate_without_decimal', '/rate'],
    ['a moratorium', { rate, moratorium_days: 5 }, 'invalid_field', '/moratorium_days'],
    ['a most of nothing', { rate, principal_max: pesos(0) }, 'invalid_field', '/principal_max/minor_units'],
    [
      'a most in another currency',
      { rate, principal_max: { minor_units: 5, currency: 'USD' } },
      'currency_mismatch',
      '/principal_max/currency',
    ],
  ])('cannot do so with %s', (_, change, code, field) => {
    expect(refused(resolved(change))).toMatchObject({ code, details: { field } });
  });
});

describe('a person who refuses what was referred', () => {
  test('may bar for some days, and offers nothing', () => {
    const resolution = admitted(resolved({ outcome: 'refuse', moratorium_days: 45, context: { file: 9 } }));
    expect(resolution).toMatchObject({ outcome: 'refuse', moratorium_days: 45, context: { file: 9 } });
    expect(resolution).not.toHaveProperty('rate');
    expect(resolutionAnswer(resolution, 'then')).toEqual({ ...resolution, recorded_at: 'then' });
  });

  test.each<[string, Partial<ResolutionBody>, string]>([
    ['a rate', { rate }, '/rate'],
    ['a most', { principal_max: pesos(1) }, '/principal_max'],
    ['half a day of moratorium', { moratorium_days: 0.5 }, '/moratorium_days'],
  ])('cannot state %s', (_, change, field) => {
    expect(refused(resolved({ outcome: 'refuse', ...change }))).toMatchObject({
      code: 'invalid_field',
      details: { field },
    });
  });
});

describe('what is resolved', () => {
  test('is a Decision that is recorded', () => {
    expect(refused(resolve(body({ rate }), {})).code).toBe('not_found');
  });

  test('was referred', () => {
    expect(refused(resolve(body({ rate }), { decision: refusedByBand }))).toMatchObject({
      code: 'not_referred',
      details: { recorded_id: 'decision-1', observed: 'refuse' },
    });
  });

  test('is resolved once', () => {
    const standing = admitted(resolved({ outcome: 'refuse' }));
    expect(refused(resolved({ rate }, standing))).toMatchObject({
      code: 'already_resolved',
      details: { recorded_id: 'decision-1', recorded_value: 'refuse' },
    });
  });
});
