import { describe, expect, test } from '@jest/globals';
import type { Decision } from './decide.ts';
import { type Facility, type FacilityBody, type GrantContext, grantFacility } from './facility.ts';
import { resolveDecision } from './resolution.ts';
import { admitted, adoptedPolicy, given, offer, pesos, policyContent, refused, withIncome } from './testing/example.ts';

const fair: Decision = admitted(given().whenApplied(withIncome(8000, 12)));
const limit: Decision = admitted(given().whenApplied({ ...withIncome(8000, 12), limit: true }));
const referred: Decision = admitted(given().whenApplied(withIncome(8000, 0)));
const act = { reference: 'r', actor: 'chief', basis: 'file read' };
const rate = { numerator: 60, denominator: 100, quotation: 'nominal_annual' as const };

const body = (change: Partial<FacilityBody> = {}): FacilityBody => ({
  reference: 'facility-1',
  client_id: 'client-1',
  decision_id: 'decision-1',
  amount: pesos(20_000),
  opens_on: '2026-03-02',
  expires_on: '2026-12-31',
  actor: 'officer-7',
  basis: 'approved',
  ...change,
});

const granted = (change: Partial<FacilityBody> = {}, context: Partial<GrantContext> = {}) =>
  grantFacility(body(change), { id: 'facility-1', decision: fair, facilities: [], ...context });

const line = (change: Partial<Facility> = {}): Facility => ({
  ...admitted(granted({ line: true }, { decision: limit })),
  id: 'old',
  ...change,
});

const renewed = (facilities: readonly Facility[], change: Partial<FacilityBody> = {}) =>
  granted({ line: true, supersedes: 'old', ...change }, { decision: limit, facilities });

describe('a facility', () => {
  test('copies what its Decision approved', () => {
    expect(granted()).toEqual({
      id: 'facility-1',
      reference: 'facility-1',
      client_id: 'client-1',
      configuration_id: 'ins-000001',
      decided_version: 3,
      decision_id: 'decision-1',
      amount: pesos(20_000),
      rate: { numerator: 48, denominator: 100, quotation: 'nominal_annual', percent: '48' },
      terms: [6, 12],
      opens_on: '2026-03-02',
      expires_on: '2026-12-31',
      line: false,
      actor: 'officer-7',
      basis: 'approved',
    });
  });

  test('may be opened from a resolution that approves', () => {
    const resolution = admitted(resolveDecision({ ...act, outcome: 'approve', rate }, { decision: referred }));
    expect(granted({}, { decision: referred, resolution })).toMatchObject({
      rate: { percent: '60' },
      terms: offer.terms,
    });
  });

  test('may be open on a single day', () => {
    expect(granted({ expires_on: '2026-03-02' })).toMatchObject({ id: 'facility-1' });
  });

  test.each<[string, Partial<FacilityBody>, Partial<GrantContext>, string, string | undefined]>([
    ['names an unknown Decision', {}, { decision: undefined }, 'not_found', '/decision_id'],
    ['names another Client’s Decision', { client_id: 'client-2' }, {}, 'not_found', '/decision_id'],
    ['names a referred Decision without a resolution', {}, { decision: referred }, 'decision_not_approving', undefined],
    ['is a line but names a Decision without a limit', { line: true }, {}, 'invalid_application', '/line'],
    [
      'is in another currency',
      { amount: { minor_units: 1, currency: 'USD' } },
      {},
      'currency_mismatch',
      '/amount/currency',
    ],
    [
      'is one minor unit above the approved amount',
      { amount: { minor_units: 20_000_01, currency: 'MXN' } },
      {},
      'amount_above_decision',
      '/amount',
    ],
    ['is open one day longer than the market permits', {}, { maxOpenDays: 304 }, 'outside_window_bound', '/expires_on'],
  ])('that %s is refused', (_, change, context, code, field) => {
    const { code: refusedWith, details } = refused(granted(change, context));
    expect([refusedWith, details?.field]).toEqual([code, field]);
  });

  test('may be open as long as the market permits, counting the first and the last day', () => {
    // 2 March to 31 December is 305 days.
    expect(granted({}, { maxOpenDays: 305 })).toMatchObject({ id: 'facility-1' });
    expect(refused(granted({}, { maxOpenDays: 304 })).details).toMatchObject({ bound: 304, observed: 305 });
  });

  test('cannot be opened from a refusal, by the policy or by resolution', () => {
    const refusal = admitted(given().whenApplied(withIncome(0, 0)));
    const resolution = admitted(resolveDecision({ ...act, outcome: 'refuse' }, { decision: referred }));
    expect(refused(granted({}, { decision: refusal })).details).toMatchObject({ observed: 'refuse' });
    expect(refused(granted({}, { decision: referred, resolution })).details).toMatchObject({ observed: 'refuse' });
  });

  test('cannot be opened from a trial, which is not binding', () => {
    const trial = admitted(
      given({ policy: adoptedPolicy(policyContent, { binding: false }) }).whenApplied(withIncome(8000, 12)),
    );
    expect(refused(granted({}, { decision: trial }))).toMatchObject({
      code: 'decision_not_approving',
      details: { observed: 'a trial' },
    });
  });
});

describe('a line', () => {
  test('may be opened from a limit decision up to its ceiling', () => {
    expect(granted({ line: true }, { decision: limit })).toMatchObject({ line: true, amount: limit.ceiling });
  });

  test('supersedes a line of the same Client and configuration', () => {
    expect(renewed([line()])).toMatchObject({ line: true, supersedes: 'old' });
  });

  test.each<[string, readonly Facility[], Partial<FacilityBody>]>([
    ['an unknown line', [], {}],
    ['a facility that is not a line', [line({ line: false })], {}],
    ['a line of another configuration', [line({ configuration_id: 'ins-000002' })], {}],
    ['a line of another Client', [line({ client_id: 'client-2' })], {}],
    ['a line in another currency', [line({ amount: { minor_units: 1, currency: 'USD' } })], {}],
    ['a line that is superseded already', [line(), line({ id: 'newer', supersedes: 'old' })], {}],
    ['a line unless it is a line itself', [line()], { line: false }],
  ])('cannot supersede %s', (_, facilities, change) => {
    expect(refused(renewed(facilities, change))).toMatchObject({
      code: 'cannot_supersede',
      details: { field: '/supersedes', observed: 'old' },
    });
  });
});
