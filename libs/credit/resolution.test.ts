import { describe, expect, test } from '@jest/globals';
import { type Resolution, type ResolutionBody, resolutionAnswer, resolveDecision } from './resolution.ts';
import { admitted, given, offer, pesos, refused, withIncome } from './testing/example.ts';

const referred = admitted(given().whenApplied(withIncome(8000, 0)));
const refusedByBand = admitted(given().whenApplied(withIncome(0, 0)));
const rate = { numerator: 60, denominator: 100, quotation: 'nominal_annual' as const };

const body = (change: Partial<ResolutionBody>): ResolutionBody => ({
  outcome: 'approve',
  reference: 'resolution-1',
  actor: 'chief',
  basis: 'the file was read again',
  ...change,
});

const resolved = (change: Partial<ResolutionBody>, existing?: Resolution) =>
  resolveDecision(body(change), { decision: referred, existing });

describe('an approving resolution', () => {
  test('states the rate and may cap the principal; the terms are the configuration’s', () => {
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

  test('may state the rate in per cent, which is stored as a fraction', () => {
    expect(resolved({ rate: '37.50' })).toMatchObject({ rate: { numerator: 3, denominator: 8, percent: '37.5' } });
  });

  test('approves the principal that the configuration offers if it states none', () => {
    expect(resolved({ rate })).toMatchObject({ principal_max: offer.principal_max });
  });

  test.each<[string, Partial<ResolutionBody>, string, string]>([
    ['no rate', {}, 'missing_field', '/rate'],
    ['a rate of zero per cent', { rate: '0' }, 'invalid_field', '/rate'],
    [
      'a rate too large for a Loan to state',
      { rate: { ...rate, numerator: 10_000, denominator: 1 } },
      'invalid_field',
      '/rate',
    ],
    ['a rate that has no exact decimal', { rate: { ...rate, denominator: 7 } }, 'rate_without_decimal', '/rate'],
    ['a moratorium', { rate, moratorium_days: 5 }, 'invalid_field', '/moratorium_days'],
    [
      'a principal in another currency',
      { rate, principal_max: { minor_units: 5, currency: 'USD' } },
      'currency_mismatch',
      '/principal_max/currency',
    ],
  ])('is refused with %s', (_, change, code, field) => {
    expect(refused(resolved(change))).toMatchObject({ code, details: { field } });
  });
});

describe('a refusing resolution', () => {
  test('may state a moratorium and offers nothing', () => {
    const resolution = admitted(resolved({ outcome: 'refuse', moratorium_days: 45, context: { file: 9 } }));
    expect(resolution).toMatchObject({ outcome: 'refuse', moratorium_days: 45, context: { file: 9 } });
    expect(resolution).not.toHaveProperty('rate');
    expect(resolutionAnswer(resolution, 'then')).toEqual({ ...resolution, recorded_at: 'then' });
  });

  test.each<[string, Partial<ResolutionBody>, string]>([
    ['a rate', { rate }, '/rate'],
    ['a principal', { principal_max: pesos(1) }, '/principal_max'],
  ])('is refused with %s', (_, change, field) => {
    expect(refused(resolved({ outcome: 'refuse', ...change }))).toMatchObject({
      code: 'invalid_field',
      details: { field },
    });
  });
});

describe('a Decision to be resolved', () => {
  test('must be recorded', () => {
    expect(refused(resolveDecision(body({ rate }), {})).code).toBe('not_found');
  });

  test('must have been referred', () => {
    expect(refused(resolveDecision(body({ rate }), { decision: refusedByBand }))).toMatchObject({
      code: 'not_referred',
      details: { recorded_id: 'decision-1', observed: 'refuse' },
    });
  });

  test('is resolved only once', () => {
    const existing = admitted(resolved({ outcome: 'refuse' }));
    expect(refused(resolved({ rate }, existing))).toMatchObject({
      code: 'already_resolved',
      details: { recorded_id: 'decision-1', recorded_value: 'refuse' },
    });
  });
});
