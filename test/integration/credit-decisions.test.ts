/** Credit applications: Decisions, resolutions of referred ones, and the bar after a refusal. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { policyContent } from '#libs/credit/testing/example.ts';
import { type Applicant, CreditWorkflow } from '#test/support/credit-workflow.ts';
import { expectRefusal, Lender, pesos, requireStatus, uniqueReference } from '#test/support/lender.ts';
import { attributed } from '#test/support/request-bodies.ts';
import { Tenant, testEnvironment } from '#test/support/tenant.ts';

let lender: Lender;
let credit: CreditWorkflow;
let clientId: string;

beforeAll(async () => {
  lender = await Lender.open(testEnvironment());
  credit = new CreditWorkflow(lender, await lender.defaultProduct());
  await credit.adopt();
  clientId = await lender.client();
});

afterAll(() => lender.close());

describe('a Decision', () => {
  test.each<[Applicant, string, string | undefined]>([
    ['good', 'approve', 'good'],
    ['fair', 'approve', 'fair'],
    ['unsure', 'refer', 'unsure'],
    ['poor', 'refuse', 'low'],
    ['defaulted', 'refuse', undefined],
    ['minor', 'not_offered', undefined],
  ])('of an applicant rated %s is %s', async (applicant, outcome, band) => {
    const decision = await credit.decide(clientId, applicant);
    expect(decision).toMatchObject({ outcome, binding: true, policy: 'retail', client_id: clientId });
    expect(decision.band).toBe(band);
    expect(decision.policy_digest).toMatch(/^[0-9a-f]{64}$/);
  });

  test('has a trace of the rules that fired, the observed values and the points of each characteristic', async () => {
    const { trace, score } = await credit.decide(clientId, 'defaulted');
    expect(trace.knockouts.filter(({ fired }: { fired: boolean }) => fired)).toEqual([
      expect.objectContaining({ id: 'default', bound: 1, observed: { state: 'known', number: 1 }, outcome: 'refuse' }),
    ]);
    expect(trace.scorecard.map(({ points }: { points: number }) => points)).toEqual([-100, -20]);
    expect(score).toBe(280);
  });

  test('reads as it was answered, is listed newest first, and is not found by another Tenancy', async () => {
    const newClient = await lender.client();
    const decisions = [];
    for (const applicant of ['good', 'fair', 'unsure'] as const)
      decisions.push(await credit.decide(newClient, applicant));
    for (const decision of decisions) {
      const read = await lender.tenant.get(`/credit-decisions/${String(decision.id).toUpperCase()}`);
      expect(requireStatus(read, 200).body).toEqual(decision);
    }
    const first = requireStatus(await lender.tenant.get(`/credit-decisions?client=${newClient}&limit=2`), 200).body;
    const rest = requireStatus(
      await lender.tenant.get(`/credit-decisions?client=${newClient}&limit=2&cursor=${first.cursor}`),
      200,
    ).body;
    expect([...first.decisions, ...rest.decisions]).toEqual([...decisions].reverse());
    expect(rest.cursor).toBeUndefined();
    const unfiltered = requireStatus(await lender.tenant.get('/credit-decisions?limit=1'), 200).body;
    expect(unfiltered.decisions).toEqual([decisions[2]]);
    expectRefusal(
      await lender.tenant.get(`/credit-decisions?client=${clientId}&cursor=${first.cursor}`),
      400,
      'invalid_query',
    );
    expectRefusal(await lender.tenant.get(`/credit-decisions/${decisions[0].id}?a=1`), 400, 'invalid_query');
    const other = await Tenant.open(testEnvironment());
    expectRefusal(await other.get(`/credit-decisions/${decisions[0].id}`), 404, 'not_found');
    await other.close();
  });

  test('repeated is the same Decision; another application under its reference is refused', async () => {
    const body = credit.applicationBody(clientId, 'good');
    const first = requireStatus(await lender.tenant.post('/credit-decisions', body), 201).body;
    expect(requireStatus(await lender.tenant.post('/credit-decisions', body), 200).body).toEqual(first);
    const other = { ...body, principal: pesos(7) };
    expectRefusal(await lender.tenant.post('/credit-decisions', other), 409, 'reference_reused', {
      recorded_id: first.id,
    });
    // Decisions, resolutions, facilities and policies share one namespace of references.
    const { reference } = body as { reference: string };
    const version = attributed({ content: policyContent, reference });
    expectRefusal(await lender.tenant.post('/credit-policies/other/versions', version), 409, 'reference_reused');
  });

  test('on an application for a limit states the ceiling and whether the principal is above it', async () => {
    const limitRequest = { limit: true, principal: pesos(2_000_001) };
    expect(await credit.decide(clientId, 'fair', limitRequest)).toMatchObject({
      ceiling: pesos(2_000_000),
      over_ceiling: true,
    });
    expect(await credit.decide(clientId, 'fair')).not.toHaveProperty('ceiling');
  });

  test('by a draft version is a trial: it is not binding, although another version is adopted', async () => {
    const stricter = { ...policyContent, base_points: 0 };
    const version = await credit.draft('retail', stricter);
    const trial = await credit.decide(clientId, 'good', { policy: 'retail', policy_version: version });
    expect(trial).toMatchObject({ outcome: 'refuse', binding: false, policy_version: version });
    const bar = await lender.tenant.get(`/credit-bar/${clientId}?on=2026-03-01`);
    expect(bar.body.decision).not.toBe(trial.id);
    expectRefusal(await credit.requestFacility(clientId, trial.id), 409, 'decision_not_approving');
  });

  test('uses the adopted policy for every version of the product, from the next application on', async () => {
    const newClient = new CreditWorkflow(lender, await lender.createProduct('instalment'));
    expectRefusal(await newClient.apply(clientId, 'good'), 422, 'no_policy');
    await newClient.adopt({ policy: 'young' });
    const newer = new CreditWorkflow(lender, await lender.createVersion(newClient.product.id, 'instalment'));
    expect(await newer.decide(clientId, 'good')).toMatchObject({ policy: 'young', configuration_version: 2 });
    const changed = await newClient.adopt({ policy: 'young', content: { ...policyContent, base_points: 0 } });
    expect(await newer.decide(clientId, 'good')).toMatchObject({ outcome: 'refuse', policy_version: changed });
  });

  test.each([
    ['an unknown Client', { client_id: 'unknown' }, 422, 'unknown_client'],
    ['an unknown product version', { configuration_version: 99 }, 404, 'no_configuration'],
    ['an unknown policy', { policy: 'none', policy_version: 1 }, 422, 'no_policy'],
    ['a policy without its version', { policy: 'retail' }, 422, 'missing_field'],
    ['a version without its policy', { policy_version: 1 }, 422, 'missing_field'],
    [
      'an attribute the policy does not name',
      { attributes: { shoe: { state: 'known', number: 42 } } },
      422,
      'invalid_application',
    ],
    [
      'a number next to the state unknown',
      { attributes: { age: { state: 'unknown', number: 42 } } },
      422,
      'invalid_application',
    ],
    ['another currency', { principal: { minor_units: 1, currency: 'USD' } }, 422, 'currency_mismatch'],
    ['an impossible day', { submitted_on: '2026-02-30' }, 422, 'invalid_field'],
    ['an unknown member', { colour: 'red' }, 422, 'unknown_field'],
    ['more than 50 sources', { sources: Array.from({ length: 51 }, () => 'bureau') }, 422, 'invalid_field'],
  ] as const)('is refused for %s', async (_what, over, status, code) => {
    expectRefusal(await credit.apply(clientId, 'good', over), status, code);
  });
});

describe('a resolution', () => {
  test('approves at the stated rate, within the offer of the product', async () => {
    const { id } = await credit.decide(clientId, 'unsure');
    expectRefusal(await lender.tenant.get(`/credit-decisions/${id}/resolution`), 404, 'not_found');
    const body = attributed({ outcome: 'approve', rate: '41.5', principal_max: pesos(500_000) });
    const path = `/credit-decisions/${id}/resolution`;
    const resolved = requireStatus(await lender.tenant.post(path, body), 201).body;
    expect(resolved).toMatchObject({
      decision_id: id,
      outcome: 'approve',
      rate: { percent: '41.5' },
      principal_max: pesos(500_000),
      terms: [1, 3, 6, 12],
    });
    expect(requireStatus(await lender.tenant.post(path, body), 200).body).toEqual(resolved);
    expect(requireStatus(await lender.tenant.get(path), 200).body).toEqual(resolved);
    expectRefusal(await credit.resolve(id, { outcome: 'refuse' }), 409, 'already_resolved');
  });

  test('is possible only for a referred Decision, with the members its outcome needs', async () => {
    const { id: approved } = await credit.decide(clientId, 'good');
    expectRefusal(await credit.resolve(approved, { outcome: 'refuse' }), 409, 'not_referred');
    const unknownId = '01890000-0000-7000-8000-000000000000';
    expectRefusal(await credit.resolve(unknownId, { outcome: 'refuse' }), 404, 'not_found');
    const { id } = await credit.decide(clientId, 'unsure');
    expectRefusal(await credit.resolve(id, { outcome: 'approve' }), 422, 'missing_field', { field: '/rate' });
    const idle = { outcome: 'refuse', rate: '12' };
    expectRefusal(await credit.resolve(id, idle), 422, 'invalid_field', { field: '/rate' });
    const periodic = { outcome: 'approve', rate: { numerator: 1, denominator: 3, quotation: 'nominal_annual' } };
    expectRefusal(await credit.resolve(id, periodic), 422, 'rate_without_decimal');
  });

  test('sent by two people concurrently is recorded once', async () => {
    const { id } = await credit.decide(clientId, 'unsure');
    const responses = await Promise.all([
      credit.resolve(id, { outcome: 'refuse' }),
      credit.resolve(id, { outcome: 'approve', rate: '20' }),
    ]);
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 409]);
  });
});

describe('the bar', () => {
  test('includes its first and last day, and ends on the day it lifts', async () => {
    const newClient = await lender.client();
    const { id } = await credit.decide(newClient, 'poor', { submitted_on: '2026-03-01' });
    const on = async (day: string) =>
      requireStatus(await lender.tenant.get(`/credit-bar/${newClient}?on=${day}`), 200).body;
    expect(await on('2026-02-28')).toEqual({ barred: false });
    const barred = { barred: true, lifts_on: '2026-03-31', decision: id };
    expect(await on('2026-03-01')).toEqual(barred);
    expect(await on('2026-03-30')).toEqual(barred);
    expect(await on('2026-03-31')).toEqual({ barred: false });
    const { id: later } = await credit.decide(newClient, 'defaulted', { submitted_on: '2026-03-10' });
    expect(await on('2026-03-20')).toEqual({ barred: true, lifts_on: '2026-06-08', decision: later });
  });

  test('of a moratorium stated in a resolution counts from the Decision', async () => {
    const newClient = await lender.client();
    const { id } = await credit.decide(newClient, 'unsure', { submitted_on: '2026-03-10' });
    requireStatus(await credit.resolve(id, { outcome: 'refuse', moratorium_days: 5 }), 201);
    const bar = requireStatus(await lender.tenant.get(`/credit-bar/${newClient}?on=2026-03-14`), 200).body;
    expect(bar).toEqual({ barred: true, lifts_on: '2026-03-15', decision: id });
  });

  test('can be read as it was known at an earlier moment', async () => {
    const newClient = await lender.client();
    const before = new Date().toISOString();
    const { id } = await credit.decide(newClient, 'poor', { submitted_on: '2026-03-01' });
    const known = (moment: string) => `/credit-bar/${newClient}?on=2026-03-02&known_at=${encodeURIComponent(moment)}`;
    expect(requireStatus(await lender.tenant.get(known(before)), 200).body).toEqual({ barred: false });
    const now = requireStatus(await lender.tenant.get(known('2199-01-01T00:00:00Z')), 200).body;
    expect(now).toMatchObject({ barred: true, decision: id });
  });

  test('of an application dated in the future begins on the day of recording', async () => {
    const newClient = await lender.client();
    const { bound_from: from } = await credit.decide(newClient, 'poor', { submitted_on: '2199-01-01' });
    const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Mexico_City' });
    expect([today.format(Date.now()), today.format(Date.now() - 60_000)]).toContain(from);
  });

  test('is enforced for products whose adoption says so, and names the day it lifts and the refusing Decision', async () => {
    const strict = new CreditWorkflow(lender, await lender.createProduct('instalment'));
    await strict.adopt({ policy: 'strict', enforceBar: true });
    const newClient = await lender.client();
    const { id } = await credit.decide(newClient, 'poor', { submitted_on: '2026-03-01' });
    const details = { bound: '2026-03-31', recorded_id: id };
    expectRefusal(await strict.apply(newClient, 'good', { submitted_on: '2026-03-30' }), 409, 'client_barred', details);
    expect(await credit.decide(newClient, 'good', { submitted_on: '2026-03-30' })).toMatchObject({
      outcome: 'approve',
    });
    expect(await strict.decide(newClient, 'good', { submitted_on: '2026-03-31' })).toMatchObject({
      outcome: 'approve',
    });
  });

  test('of an unknown Client is empty; the query needs exactly one valid day', async () => {
    const unknownClientBar = `/credit-bar/${uniqueReference('unknown')}`;
    expect(requireStatus(await lender.tenant.get(`${unknownClientBar}?on=2026-03-01`), 200).body).toEqual({
      barred: false,
    });
    expectRefusal(await lender.tenant.get(unknownClientBar), 422, 'invalid_application', { field: 'on' });
    expectRefusal(await lender.tenant.get(`${unknownClientBar}?on=tomorrow`), 422, 'invalid_application', {
      field: 'on',
    });
    expectRefusal(await lender.tenant.get(`${unknownClientBar}?on=2026-03-01&on=2026-03-01`), 400, 'invalid_query');
    expectRefusal(await lender.tenant.get(`${unknownClientBar}?on=`), 400, 'invalid_query');
    expectRefusal(await lender.tenant.get(`${unknownClientBar}?on=2026-03-01&to=2026-03-02`), 400, 'invalid_query');
  });
});
