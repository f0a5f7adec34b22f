import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Application } from './application.ts';
import { type Decision, decisionAnswer } from './decide.ts';
import {
  admitted,
  applied,
  content,
  deciding,
  earning,
  hours,
  known,
  momentOf,
  offer,
  pesos,
  refused,
  sound,
} from './testing/example.ts';

const decided = (stated: Partial<Application> = {}, by = deciding()): Decision => admitted(applied({ stated, by }));

const withAttributes = (attributes: Application['attributes']) => ({ attributes: { ...sound, ...attributes } });

const approving = (rate: object) => ({ ...content, bands: [{ id: 'all', outcome: 'approve', rate }] });

describe('the score finds its band', () => {
  test.each([
    // income, months employed, score, band, outcome
    [0, 0, 350, 'low', 'refuse'],
    ['7999.99999999', 12, 430, 'unsure', 'refer'],
    [8000, 0, 440, 'unsure', 'refer'],
    ['20000.49', 11, 440, 'unsure', 'refer'],
    [8000, 12, 520, 'fair', 'approve'],
    ['20000.50', 0, 520, 'fair', 'approve'],
    [90_000, 240, 600, 'good', 'approve'],
  ])('an income of %s and %i months make %i points, in band %s: %s', (income, months, score, band, outcome) => {
    expect(decided(earning(income, months))).toMatchObject({ score, band, outcome });
  });

  test('a score at the beginning of a band is in it, and one at its end in the next', () => {
    const byBase = (points: number) => decided({}, deciding({ ...content, scorecard: [], base_points: points })).band;
    expect([379, 380, 449, 450, 549, 550].map(byBase)).toEqual(['low', 'unsure', 'unsure', 'fair', 'fair', 'good']);
  });
});

describe('a knockout', () => {
  test.each<[string, Application['attributes'], string | undefined]>([
    ['a minor is not offered anything', { age: known(17) }, 'not_offered'],
    ['who is eighteen today is of age', { age: known(18) }, undefined],
    ['who was written off is refused', { write_offs: known(1) }, 'refuse'],
    ['who owes half of the income exactly passes', { debt_to_income: known('0.50') }, undefined],
    ['who owes more than half is looked at by a person', { debt_to_income: known('0.50000001') }, 'refer'],
    ['whose age is unknown is not offered anything', { age: { state: 'unknown' } }, 'not_offered'],
    ['whose write-offs are unknown passes', { write_offs: { state: 'unknown' } }, undefined],
    ['who is a minor and was written off is told the first', { age: known(17), write_offs: known(1) }, 'not_offered'],
  ])('%s', (_, attributes, outcome) => {
    const decision = decided(withAttributes({ income: known(90_000), months_employed: known(240), ...attributes }));
    expect([decision.outcome, decision.band]).toEqual(
      outcome === undefined ? ['approve', 'good'] : [outcome, undefined],
    );
  });

  test.each([
    ['at_least', [false, true, true]],
    ['at_most', [true, true, false]],
    ['above', [false, false, true]],
    ['below', [true, false, false]],
    ['equals', [false, true, false]],
  ])('that asks %s fires on a number below, at and above its bound: %p', (comparison, fires) => {
    const rule = { ...content.knockouts[0], comparison, bound: '18.5' };
    const by = deciding({ ...content, knockouts: [rule] });
    const numbers = ['18.49999999', '18.50', 19];
    const fired = numbers.map((age) => decided(withAttributes({ age: known(age) }), by).trace.knockouts[0]?.fired);
    expect(fired).toEqual(fires);
  });

  test('that fired says what it asked and what it saw; those after it are told as well', () => {
    const { trace } = decided(withAttributes({ age: known(17, '2026-02-27'), write_offs: known(2) }));
    expect(trace.knockouts).toEqual([
      {
        id: 'age',
        text: 'The applicant is of age',
        attribute: 'age',
        comparison: 'below',
        bound: 18,
        observed: { state: 'known', number: 17, as_of: '2026-02-27' },
        fired: true,
        outcome: 'not_offered',
      },
      expect.objectContaining({ id: 'default', fired: true, outcome: 'refuse' }),
      expect.objectContaining({ id: 'burden', bound: '0.5', fired: false, outcome: 'refer' }),
    ]);
  });
});

describe('the scorecard', () => {
  test('is traced in any case, with the place of the bin and its points', () => {
    const { trace, score, band } = decided({ attributes: { ...sound, age: known(17), income: known(9000) } });
    expect(trace.scorecard).toEqual([
      { id: 'income', attribute: 'income', observed: { state: 'known', number: 9000 }, bin: 1, points: 40 },
      { id: 'employment', attribute: 'months_employed', observed: { state: 'unknown' }, points: -20 },
    ]);
    expect([score, band]).toEqual([420, undefined]);
  });

  test('gives nothing for a number that no bin holds', () => {
    const { trace } = decided(earning(9000, -1));
    expect(trace.scorecard[1]).toEqual({
      id: 'employment',
      attribute: 'months_employed',
      observed: { state: 'known', number: -1 },
      points: 0,
    });
  });

  test('adds up: the score is the base and the points of the trace', () => {
    const number = fc.oneof(fc.integer(), fc.constantFrom('8000', '20000.5', '0.00000001'));
    fc.assert(
      fc.property(number, fc.integer(), (income, months) => {
        const { score, trace } = decided(earning(income, months));
        expect(score).toBe(trace.scorecard.reduce((sum, { points }) => sum + points, content.base_points));
      }),
    );
  });
});

describe('an approval', () => {
  test("offers the band's terms, rate and most", () => {
    expect(decided(earning(8000, 12))).toMatchObject({
      terms: [6, 12],
      rate: { numerator: 48, denominator: 100, quotation: 'nominal_annual', percent: '48' },
      principal_max: pesos(20_000),
    });
  });

  test('offers what the configuration offers where the band says nothing', () => {
    expect(decided(earning(90_000, 240))).toMatchObject({ terms: offer.terms, principal_max: offer.principal_max });
  });

  test('is the only outcome that offers anything', () => {
    const { terms, rate, principal_max: most, ceiling } = decided(earning(8000, 0));
    expect([terms, rate, most, ceiling]).toEqual([undefined, undefined, undefined, undefined]);
  });

  test('by a draft on trial may still lack a percentage', () => {
    const draft = deciding(approving({ numerator: 1, denominator: 3, quotation: 'nominal_annual' }), {
      binding: false,
    });
    expect(decided({}, draft).rate).toEqual({ numerator: 1, denominator: 3, quotation: 'nominal_annual' });
  });
});

describe('a limit decision', () => {
  test.each([
    [20_000, earning(8000, 12), pesos(20_000), false],
    [20_001, earning(8000, 12), pesos(20_000), true],
    [50_001, earning(90_000, 240), pesos(50_000), true],
    [10_000, earning(0, 0), pesos(50_000), false],
  ])('says of %i pesos asked whether they are above its ceiling', (asked, stated, ceiling, over) => {
    const decision = decided({ ...stated, principal: pesos(asked), limit: true });
    expect([decision.ceiling, decision.over_ceiling]).toEqual([ceiling, over]);
  });
});

describe('a Decision', () => {
  test('is answered as it was recorded, but for what only the service needs', () => {
    const decision = decided({ ...earning(0, 0), context: { branch: 'Centro' } });
    const { offer: _, ...answered } = decision;
    expect(decisionAnswer(decision, '2026-03-01T18:00:00.000000Z')).toEqual({
      ...answered,
      decided_at: '2026-03-01T18:00:00.000000Z',
    });
    expect(answered).toMatchObject({
      id: 'decision-1',
      reference: 'application-1',
      client_id: 'client-1',
      policy: 'retail',
      policy_version: 2,
      policy_digest: 'd1',
      configuration_id: 'ins-000001',
      configuration_version: 3,
      principal: pesos(10_000),
      submitted_on: '2026-03-01',
      sources: ['bureau', 'payslip'],
      binding: true,
      self_confirmed_version: false,
      moratorium_days: 30,
      context: { branch: 'Centro' },
    });
  });

  test.each([
    ['on the day it was submitted where that is earlier', '2026-02-20', hours(18), undefined, '2026-02-20'],
    ['on the day it is recorded where that is earlier', '2026-03-05', hours(18), undefined, '2026-03-01'],
    ["on the day it is in the Tenancy's zone", '2026-03-05', hours(5), undefined, '2026-02-28'],
    ["on the day it is in the policy's zone", '2026-03-05', hours(11), 'Pacific/Kiritimati', '2026-03-02'],
  ])('begins to bar %s', (_, submittedOn, seconds, zone, boundFrom) => {
    const by = deciding(zone === undefined ? content : { ...content, time_zone: zone });
    const recordedAt = momentOf('2026-03-01', seconds);
    const decision = admitted(applied({ stated: { submitted_on: submittedOn }, by, recordedAt }));
    expect(decision.bound_from).toBe(boundFrom);
    expect(decision.time_zone).toBe(zone ?? 'America/Mexico_City');
  });
});

describe('an application', () => {
  test.each<[string, Partial<Application>, string]>([
    ['names an attribute the policy does not', { attributes: { zodiac: known(4) } }, '/attributes/zodiac'],
    ['names one that every object has', { attributes: { constructor: known(4) } }, '/attributes/constructor'],
    ['states a bare number', { attributes: { age: 34 } }, '/attributes/age'],
    ['knows without a number', { attributes: { age: { state: 'known' } } }, '/attributes/age/number'],
    ['knows half a number', { attributes: { age: known(33.5) } }, '/attributes/age/number'],
    [
      'does not know, and states it',
      { attributes: { age: { state: 'unknown', number: 3 } } },
      '/attributes/age/number',
    ],
    ['guesses', { attributes: { age: { state: 'guessed', number: 3 } } }, '/attributes/age/state'],
    ['observed on no day', { attributes: { age: known(34, '2026-02-30') } }, '/attributes/age/as_of'],
    ['says more than is read', { attributes: { age: { ...known(34), by: 'me' } } }, '/attributes/age/by'],
    ['has fifty-one sources', { sources: Array(51).fill('bureau') }, '/sources'],
    ['has a source that is no text', { sources: ['bureau', 7] }, '/sources/1'],
  ])('that %s is refused', (_, stated, field) => {
    expect(refused(applied({ stated }))).toMatchObject({ code: 'invalid_application', details: { field } });
  });

  test('may have no source, and fifty', () => {
    expect(decided({ sources: [] }).sources).toEqual([]);
    expect(decided({ sources: Array(50).fill('bureau') }).sources).toHaveLength(50);
  });

  test('in another currency than the product is refused', () => {
    const dollars = { minor_units: 100, currency: 'USD' };
    expect(refused(applied({ stated: { principal: dollars } }))).toMatchObject({
      code: 'currency_mismatch',
      details: { field: '/principal/currency', bound: 'MXN', observed: 'USD' },
    });
  });

  test('is refused where the policy caps in another currency than the product is in', () => {
    const capped = { ...content.bands[3], principal_max: { minor_units: 100, currency: 'USD' } };
    const by = deciding({ ...content, bands: [{ id: 'rest', outcome: 'refuse', to: 550 }, capped] });
    expect(refused(applied({ by }))).toMatchObject({ code: 'currency_mismatch', details: { bound: 'USD' } });
  });
});
