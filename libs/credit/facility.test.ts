import { describe, expect, test } from '@jest/globals';
import type { Decision } from './decide.ts';
import { type Facility, type FacilityBody, type Granting, grant } from './facility.ts';
import { resolve } from './resolution.ts';
import { admitted, applied, content, deciding, earning, offer, pesos, refused } from './testing/example.ts';

const fair: Decision = admitted(applied({ stated: earning(8000, 12) }));
const limit: Decision = admitted(applied({ stated: { ...earning(8000, 12), limit: true } }));
const referred: Decision = admitted(applied({ stated: earning(8000, 0) }));
const act = { reference: 'r', actor: 'chief', basis: 'file read' };
const rate = { numerator: 60, denominator: 100, quotation: 'nominal_annual' };

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

const granted = (change: Partial<FacilityBody> = {}, granting: Partial<Granting> = {}) =>
  grant(body(change), { id: 'facility-1', decision: fair, facilities: [], ...granting });

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

  test('may stand on the approval of the person who resolved a refer', () => {
    const resolution = admitted(resolve({ ...act, outcome: 'approve', rate }, { decision: referred }));
    expect(granted({}, { decision: referred, resolution })).toMatchObject({
      rate: { percent: '60' },
      terms: offer.terms,
    });
  });

  test('may be open on one day only', () => {
    expect(granted({ expires_on: '2026-03-02' })).toMatchObject({ id: 'facility-1' });
  });

  test.each<[string, Partial<FacilityBody>, Partial<Granting>, string, string | undefined]>([
    ['opens after it expires', { opens_on: '2027-01-01' }, {}, 'invalid_field', '/expires_on'],
    ['names no Decision', {}, { decision: undefined }, 'not_found', '/decision_id'],
    ['names the Decision of another Client', { client_id: 'client-2' }, {}, 'not_found', '/decision_id'],
    ['stands on a refer that nobody resolved', {}, { decision: referred }, 'decision_not_approving', undefined],
    ['is a line of a Decision without limit', { line: true }, {}, 'invalid_application', '/line'],
    [
      'is in another currency',
      { amount: { minor_units: 1, currency: 'USD' } },
      {},
      'currency_mismatch',
      '/amount/currency',
    ],
    [
      'is above what was approved by one',
      { amount: { minor_units: 20_000_01, currency: 'MXN' } },
      {},
      'amount_above_decision',
      '/amount',
    ],
    ['is open a day longer than the market permits', {}, { windowDays: 304 }, 'outside_window_bound', '/expires_on'],
  ])('that %s is refused', (_, change, granting, code, field) => {
    const { code: refusedWith, details } = refused(granted(change, granting));
    expect([refusedWith, details?.field]).toEqual([code, field]);
  });

  test('may be open as long as the market permits, its first and its last day counted', () => {
    // From 2 March to 31 December are 305 days.
    expect(granted({}, { windowDays: 305 })).toMatchObject({ id: 'facility-1' });
    expect(refused(granted({}, { windowDays: 304 })).details).toMatchObject({ bound: 304, observed: 305 });
  });

  test('does not stand on a refusal, be it the policy’s or a person’s', () => {
    const refusal = admitted(applied({ stated: earning(0, 0) }));
    const resolution = admitted(resolve({ ...act, outcome: 'refuse' }, { decision: referred }));
    expect(refused(granted({}, { decision: refusal })).details).toMatchObject({ observed: 'refuse' });
    expect(refused(granted({}, { decision: referred, resolution })).details).toMatchObject({ observed: 'refuse' });
  });

  test('does not stand on a trial: it binds nobody', () => {
    const trial = admitted(applied({ stated: earning(8000, 12), by: deciding(content, { binding: false }) }));
    expect(refused(granted({}, { decision: trial }))).toMatchObject({
      code: 'decision_not_approving',
      details: { observed: 'a trial' },
    });
  });
});

describe('a line', () => {
  test('is granted from a limit decision up to its ceiling', () => {
    expect(granted({ line: true }, { decision: limit })).toMatchObject({ line: true, amount: limit.ceiling });
  });

  test('takes over from a live line of the Client and the configuration', () => {
    expect(renewed([line()])).toMatchObject({ line: true, supersedes: 'old' });
  });

  test.each<[string, readonly Facility[], Partial<FacilityBody>]>([
    ['nothing', [], {}],
    ['a facility that is no line', [line({ line: false })], {}],
    ['a line of another configuration', [line({ configuration_id: 'ins-000002' })], {}],
    ['a line of another Client', [line({ client_id: 'client-2' })], {}],
    ['a line in another currency', [line({ amount: { minor_units: 1, currency: 'USD' } })], {}],
    ['a line that another took over already', [line(), line({ id: 'newer', supersedes: 'old' })], {}],
    ['a line without being one', [line()], { line: false }],
  ])('cannot take over from %s', (_, facilities, change) => {
    expect(refused(renewed(facilities, change))).toMatchObject({
      code: 'cannot_supersede',
      details: { field: '/supersedes', observed: 'old' },
    });
  });
});
