import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { ApplicationBody } from './application.ts';
import { type Decision, decisionAnswer } from './decide.ts';
import {
  admitted,
  adoptedPolicy,
  given,
  goodAttributes,
  hours,
  known,
  momentOf,
  offer,
  pesos,
  policyContent,
  refused,
  withIncome,
} from './testing/example.ts';

const decided = (stated: Partial<ApplicationBody> = {}, by = adoptedPolicy()): Decision =>
  admitted(given({ policy: by }).whenApplied(stated));

const withAttributes = (attributes: ApplicationBody['attributes']) => ({
  attributes: { ...goodAttributes, ...attributes },
});

const approving = (rate: object) => ({ ...policyContent, bands: [{ id: 'all', outcome: 'approve', rate }] });

describe('the band of a score', () => {
  test.each([
    // income, months employed, score, band, outcome
    [0, 0, 350, 'low', 'refuse'],
    ['7999.99999999', 12, 430, 'unsure', 'refer'],
    [8000, 0, 440, 'unsure', 'refer'],
    ['20000.49', 11, 440, 'unsure', 'refer'],
    [8000, 12, 520, 'fair', 'approve'],
    ['20000.50', 0, 520, 'fair', 'approve'],
    [90_000, 240, 600, 'good', 'approve'],
  ])(
    'an income of %s and %i months of employment score %i, band %s, outcome %s',
    (income, months, score, band, outcome) => {
      expect(decided(withIncome(income, months))).toMatchObject({ score, band, outcome });
    },
  );

  test('includes the start of the band and excludes its end', () => {
    const byBase = (points: number) =>
      decided({}, adoptedPolicy({ ...policyContent, scorecard: [], base_points: points })).band;
    expect([379, 380, 449, 450, 549, 550].map(byBase)).toEqual(['low', 'unsure', 'unsure', 'fair', 'fair', 'good']);
  });
});

describe('a knockout', () => {
  test.each<[string, ApplicationBody['attributes'], string | undefined]>([
    ['a minor is offered nothing', { age: known(17) }, 'not_offered'],
    ['an applicant of eighteen years is an adult', { age: known(18) }, undefined],
    ['an applicant with a write-off is refused', { write_offs: known(1) }, 'refuse'],
    ['a debt of exactly half the income passes', { debt_to_income: known('0.50') }, undefined],
    ['a debt above half the income is referred to a person', { debt_to_income: known('0.50000001') }, 'refer'],
    ['an applicant of unknown age is offered nothing', { age: { state: 'unknown' } }, 'not_offered'],
    ['an applicant with unknown write-offs passes', { write_offs: { state: 'unknown' } }, undefined],
    ['the first of two knockouts that fire sets the outcome', { age: known(17), write_offs: known(1) }, 'not_offered'],
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
  ])('with comparison %s fires below, at and above its bound: %p', (comparison, fires) => {
    const rule = { ...policyContent.knockouts[0], comparison, bound: '18.5' };
    const by = adoptedPolicy({ ...policyContent, knockouts: [rule] });
    const numbers = ['18.49999999', '18.50', 19];
    const fired = numbers.map((age) => decided(withAttributes({ age: known(age) }), by).trace.knockouts[0]?.fired);
    expect(fired).toEqual(fires);
  });

  test('that fired is traced with its bound and the observed value, and so are those after it', () => {
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
  test('is traced even after a knockout, with the index of the bin and its points', () => {
    const { trace, score, band } = decided({ attributes: { ...goodAttributes, age: known(17), income: known(9000) } });
    expect(trace.scorecard).toEqual([
      { id: 'income', attribute: 'income', observed: { state: 'known', number: 9000 }, bin: 1, points: 40 },
      { id: 'employment', attribute: 'months_employed', observed: { state: 'unknown' }, points: -20 },
    ]);
    expect([score, band]).toEqual([420, undefined]);
  });

  test('gives no points for a number in no bin', () => {
    const { trace } = decided(withIncome(9000, -1));
    expect(trace.scorecard[1]).toEqual({
      id: 'employment',
      attribute: 'months_employed',
      observed: { state: 'known', number: -1 },
      points: 0,
    });
  });

  test('sums the base points and the points of the trace', () => {
    const number = fc.oneof(fc.integer(), fc.constantFrom('8000', '20000.5', '0.00000001'));
    fc.assert(
      fc.property(number, fc.integer(), (income, months) => {
        const { score, trace } = decided(withIncome(income, months));
        expect(score).toBe(trace.scorecard.reduce((sum, { points }) => sum + points, policyContent.base_points));
      }),
    );
  });
});

describe('an approval', () => {
  test("offers the band's terms, rate and largest principal", () => {
    expect(decided(withIncome(8000, 12))).toMatchObject({
      terms: [6, 12],
      rate: { numerator: 48, denominator: 100, quotation: 'nominal_annual', percent: '48' },
      principal_max: pesos(20_000),
    });
  });

  test('offers the terms and principal of the configuration if the band states none', () => {
    expect(decided(withIncome(90_000, 240))).toMatchObject({ terms: offer.terms, principal_max: offer.principal_max });
  });

  test('is the only outcome with an offer', () => {
    const { terms, rate, principal_max: principalMax, ceiling } = decided(withIncome(8000, 0));
    expect([terms, rate, principalMax, ceiling]).toEqual([undefined, undefined, undefined, undefined]);
  });

  test('on trial under a draft may lack a percentage', () => {
    const draft = adoptedPolicy(approving({ numerator: 1, denominator: 3, quotation: 'nominal_annual' }), {
      binding: false,
    });
    expect(decided({}, draft).rate).toEqual({ numerator: 1, denominator: 3, quotation: 'nominal_annual' });
  });
});

describe('a limit decision', () => {
  test.each([
    [20_000, withIncome(8000, 12), pesos(20_000), false],
    [20_001, withIncome(8000, 12), pesos(20_000), true],
    [50_001, withIncome(90_000, 240), pesos(50_000), true],
    [10_000, withIncome(0, 0), pesos(50_000), false],
  ])('reports whether a requested %i pesos are above its ceiling', (requested, stated, ceiling, over) => {
    const decision = decided({ ...stated, principal: pesos(requested), limit: true });
    expect([decision.ceiling, decision.over_ceiling]).toEqual([ceiling, over]);
  });
});

describe('a Decision', () => {
  test('is answered as it was recorded, without the stored offer', () => {
    const decision = decided({ ...withIncome(0, 0), context: { branch: 'Centro' } });
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
    ['the day of submission if that is earlier', '2026-02-20', hours(18), undefined, '2026-02-20'],
    ['the day of recording if that is earlier', '2026-03-05', hours(18), undefined, '2026-03-01'],
    ["the day of recording in the Tenancy's time zone", '2026-03-05', hours(5), undefined, '2026-02-28'],
    ["the day of recording in the policy's time zone", '2026-03-05', hours(11), 'Pacific/Kiritimati', '2026-03-02'],
  ])('bars from %s', (_, submittedOn, seconds, zone, boundFrom) => {
    const by = adoptedPolicy(zone === undefined ? policyContent : { ...policyContent, time_zone: zone });
    const recordedAt = momentOf('2026-03-01', seconds);
    const decision = admitted(given({ policy: by, recordedAt }).whenApplied({ submitted_on: submittedOn }));
    expect(decision.bound_from).toBe(boundFrom);
    expect(decision.time_zone).toBe(zone ?? 'America/Mexico_City');
  });
});

describe('an application', () => {
  test.each<[string, Partial<ApplicationBody>, string]>([
    ['names an attribute that the policy does not', { attributes: { zodiac: known(4) } }, '/attributes/zodiac'],
    [
      'names a member of the JavaScript object prototype',
      { attributes: { constructor: known(4) } },
      '/attributes/constructor',
    ],
    ['has a known attribute without a number', { attributes: { age: { state: 'known' } } }, '/attributes/age/number'],
    [
      'has an unknown attribute with a number',
      { attributes: { age: { state: 'unknown', number: 3 } } },
      '/attributes/age/number',
    ],
  ])('that %s is refused', (_, stated, field) => {
    expect(refused(given().whenApplied(stated))).toMatchObject({ code: 'invalid_application', details: { field } });
  });

  test('in a currency other than the product’s is refused', () => {
    const dollars = { minor_units: 100, currency: 'USD' };
    expect(refused(given().whenApplied({ principal: dollars }))).toMatchObject({
      code: 'currency_mismatch',
      details: { field: '/principal/currency', bound: 'MXN', observed: 'USD' },
    });
  });

  test('is refused if the policy states its caps in a currency other than the product’s', () => {
    const capped = { ...policyContent.bands[3], principal_max: { minor_units: 100, currency: 'USD' } };
    const by = adoptedPolicy({ ...policyContent, bands: [{ id: 'rest', outcome: 'refuse', to: 550 }, capped] });
    expect(refused(given({ policy: by }).whenApplied())).toMatchObject({
      code: 'currency_mismatch',
      details: { bound: 'USD' },
    });
  });
});
