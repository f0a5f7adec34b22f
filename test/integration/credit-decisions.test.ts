import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { content } from '#libs/credit/testing/example.ts';
import { Desk, expectRefused, mustBe, newReference, pesos } from './desk.ts';
import { account } from './given-loans.ts';
import { house, Tenant } from './tenant.ts';
import { type Applicant, Underwriter } from './underwriter.ts';

let desk: Desk;
let credit: Underwriter;
let clientId: string;

beforeAll(async () => {
  desk = await Desk.open(house());
  credit = new Underwriter(desk, await desk.pin());
  await credit.adopt();
  clientId = await desk.client();
});

afterAll(() => desk.close());

describe('a Decision', () => {
  test.each<[Applicant, string, string | undefined]>([
    ['good', 'approve', 'good'],
    ['fair', 'approve', 'fair'],
    ['unsure', 'refer', 'unsure'],
    ['poor', 'refuse', 'low'],
    ['defaulted', 'refuse', undefined],
    ['minor', 'not_offered', undefined],
  ])('of a %s applicant is %s', async (applicant, outcome, band) => {
    const decision = await credit.decided(clientId, applicant);
    expect(decision).toMatchObject({ outcome, binding: true, policy: 'retail', client_id: clientId });
    expect(decision.band).toBe(band);
    expect(decision.policy_digest).toMatch(/^[0-9a-f]{64}$/);
  });

  test('says what fired, what was observed and what each characteristic gave', async () => {
    const { trace, score } = await credit.decided(clientId, 'defaulted');
    expect(trace.knockouts.filter(({ fired }: { fired: boolean }) => fired)).toEqual([
      expect.objectContaining({ id: 'default', bound: 1, observed: { state: 'known', number: 1 }, outcome: 'refuse' }),
    ]);
    expect(trace.scorecard.map(({ points }: { points: number }) => points)).toEqual([-100, -20]);
    expect(score).toBe(280);
  });

  test('is read back as it was answered, listed newest first, and by another Tenancy not at all', async () => {
    const own = await desk.client();
    const made = [];
    for (const applicant of ['good', 'fair', 'unsure'] as const) made.push(await credit.decided(own, applicant));
    for (const decision of made) {
      const read = await desk.tenant.get(`/credit-decisions/${String(decision.id).toUpperCase()}`);
      expect(mustBe(read, 200).body).toEqual(decision);
    }
    const first = mustBe(await desk.tenant.get(`/credit-decisions?client=${own}&limit=2`), 200).body;
    const rest = mustBe(
      await desk.tenant.get(`/credit-decisions?client=${own}&limit=2&cursor=${first.cursor}`),
      200,
    ).body;
    expect([...first.decisions, ...rest.decisions]).toEqual([...made].reverse());
    expect(rest.cursor).toBeUndefined();
    const everyone = mustBe(await desk.tenant.get('/credit-decisions?limit=1'), 200).body;
    expect(everyone.decisions).toEqual([made[2]]);
    expectRefused(
      await desk.tenant.get(`/credit-decisions?client=${clientId}&cursor=${first.cursor}`),
      400,
      'invalid_query',
    );
    expectRefused(await desk.tenant.get(`/credit-decisions/${made[0].id}?a=1`), 400, 'invalid_query');
    const other = await Tenant.open(house());
    expectRefused(await other.get(`/credit-decisions/${made[0].id}`), 404, 'not_found');
    await other.close();
  });

  test('sent again is the same Decision; another application under its reference is refused', async () => {
    const body = credit.application(clientId, 'good');
    const first = mustBe(await desk.tenant.post('/credit-decisions', body), 201).body;
    expect(mustBe(await desk.tenant.post('/credit-decisions', body), 200).body).toEqual(first);
    const other = { ...body, principal: pesos(7) };
    expectRefused(await desk.tenant.post('/credit-decisions', other), 409, 'reference_reused', {
      recorded_id: first.id,
    });
    // One namespace holds decisions, resolutions, facilities and policies.
    const { reference } = body as { reference: string };
    const version = account({ content, reference });
    expectRefused(await desk.tenant.post('/credit-policies/other/versions', version), 409, 'reference_reused');
  });

  test('asked for a limit says the ceiling and whether the principal is above it', async () => {
    const asked = { limit: true, principal: pesos(2_000_001) };
    expect(await credit.decided(clientId, 'fair', asked)).toMatchObject({
      ceiling: pesos(2_000_000),
      over_ceiling: true,
    });
    expect(await credit.decided(clientId, 'fair')).not.toHaveProperty('ceiling');
  });

  test('on trial by a draft binds nobody, and is by that version though another was adopted', async () => {
    const stricter = { ...content, base_points: 0 };
    const version = await credit.draft('retail', stricter);
    const trial = await credit.decided(clientId, 'good', { policy: 'retail', policy_version: version });
    expect(trial).toMatchObject({ outcome: 'refuse', binding: false, policy_version: version });
    const bar = await desk.tenant.get(`/credit-bar/${clientId}?on=2026-03-01`);
    expect(bar.body.decision).not.toBe(trial.id);
    expectRefused(await credit.open(clientId, trial.id), 409, 'decision_not_approving');
  });

  test('holds for every version of the configuration from the next decision on', async () => {
    const own = new Underwriter(desk, await desk.product('instalment'));
    expectRefused(await own.apply(clientId, 'good'), 422, 'no_policy');
    await own.adopt({ policy: 'young' });
    const newer = new Underwriter(desk, await desk.version(own.pin.id, 'instalment'));
    expect(await newer.decided(clientId, 'good')).toMatchObject({ policy: 'young', configuration_version: 2 });
    const changed = await own.adopt({ policy: 'young', content: { ...content, base_points: 0 } });
    expect(await newer.decided(clientId, 'good')).toMatchObject({ outcome: 'refuse', policy_version: changed });
  });

  test.each([
    ['a Client nobody registered', { client_id: 'nobody' }, 422, 'unknown_client'],
    ['a version that is not there', { configuration_version: 99 }, 404, 'no_configuration'],
    ['a policy nobody drafted', { policy: 'none', policy_version: 1 }, 422, 'no_policy'],
    ['a policy without its version', { policy: 'retail' }, 422, 'missing_field'],
    ['a version without its policy', { policy_version: 1 }, 422, 'missing_field'],
    [
      'an attribute the policy does not name',
      { attributes: { shoe: { state: 'known', number: 42 } } },
      422,
      'invalid_application',
    ],
    ['a number beside unknown', { attributes: { age: { state: 'unknown', number: 42 } } }, 422, 'invalid_application'],
    ['another currency', { principal: { minor_units: 1, currency: 'USD' } }, 422, 'currency_mismatch'],
    ['a day that is none', { submitted_on: '2026-02-30' }, 422, 'invalid_field'],
    ['a member nobody reads', { colour: 'red' }, 422, 'unknown_field'],
    ['more sources than anyone asks', { sources: Array.from({ length: 51 }, () => 'bureau') }, 422, 'invalid_field'],
  ] as const)('is refused to %s', async (_what, over, status, code) => {
    expectRefused(await credit.apply(clientId, 'good', over), status, code);
  });
});

describe('a resolution', () => {
  test('approves at the rate a person states, within what the configuration offers', async () => {
    const { id } = await credit.decided(clientId, 'unsure');
    expectRefused(await desk.tenant.get(`/credit-decisions/${id}/resolution`), 404, 'not_found');
    const body = account({ outcome: 'approve', rate: '41.5', principal_max: pesos(500_000) });
    const path = `/credit-decisions/${id}/resolution`;
    const resolved = mustBe(await desk.tenant.post(path, body), 201).body;
    expect(resolved).toMatchObject({
      decision_id: id,
      outcome: 'approve',
      rate: { percent: '41.5' },
      principal_max: pesos(500_000),
      terms: [1, 3, 6, 12],
    });
    expect(mustBe(await desk.tenant.post(path, body), 200).body).toEqual(resolved);
    expect(mustBe(await desk.tenant.get(path), 200).body).toEqual(resolved);
    expectRefused(await credit.resolve(id, { outcome: 'refuse' }), 409, 'already_resolved');
  });

  test('is of a refer alone, and states what its outcome reads', async () => {
    const { id: approved } = await credit.decided(clientId, 'good');
    expectRefused(await credit.resolve(approved, { outcome: 'refuse' }), 409, 'not_referred');
    const nowhere = '01890000-0000-7000-8000-000000000000';
    expectRefused(await credit.resolve(nowhere, { outcome: 'refuse' }), 404, 'not_found');
    const { id } = await credit.decided(clientId, 'unsure');
    expectRefused(await credit.resolve(id, { outcome: 'approve' }), 422, 'missing_field', { field: '/rate' });
    const idle = { outcome: 'refuse', rate: '12' };
    expectRefused(await credit.resolve(id, idle), 422, 'invalid_field', { field: '/rate' });
    const periodic = { outcome: 'approve', rate: { numerator: 1, denominator: 3, quotation: 'nominal_annual' } };
    expectRefused(await credit.resolve(id, periodic), 422, 'rate_without_decimal');
  });

  test('of two people at the same moment is one', async () => {
    const { id } = await credit.decided(clientId, 'unsure');
    const told = await Promise.all([
      credit.resolve(id, { outcome: 'refuse' }),
      credit.resolve(id, { outcome: 'approve', rate: '20' }),
    ]);
    expect(told.map(({ status }) => status).sort()).toEqual([201, 409]);
  });
});

describe('the bar', () => {
  test('counts the first day and the last, and on the day it lifts nothing bars', async () => {
    const own = await desk.client();
    const { id } = await credit.decided(own, 'poor', { submitted_on: '2026-03-01' });
    const on = async (day: string) => mustBe(await desk.tenant.get(`/credit-bar/${own}?on=${day}`), 200).body;
    expect(await on('2026-02-28')).toEqual({ barred: false });
    const barred = { barred: true, lifts_on: '2026-03-31', decision: id };
    expect(await on('2026-03-01')).toEqual(barred);
    expect(await on('2026-03-30')).toEqual(barred);
    expect(await on('2026-03-31')).toEqual({ barred: false });
    const { id: later } = await credit.decided(own, 'defaulted', { submitted_on: '2026-03-10' });
    expect(await on('2026-03-20')).toEqual({ barred: true, lifts_on: '2026-06-08', decision: later });
  });

  test('of a moratorium a person states counts from the Decision', async () => {
    const own = await desk.client();
    const { id } = await credit.decided(own, 'unsure', { submitted_on: '2026-03-10' });
    mustBe(await credit.resolve(id, { outcome: 'refuse', moratorium_days: 5 }), 201);
    const bar = mustBe(await desk.tenant.get(`/credit-bar/${own}?on=2026-03-14`), 200).body;
    expect(bar).toEqual({ barred: true, lifts_on: '2026-03-15', decision: id });
  });

  test('is read as it was known at an earlier moment', async () => {
    const own = await desk.client();
    const before = new Date().toISOString();
    const { id } = await credit.decided(own, 'poor', { submitted_on: '2026-03-01' });
    const known = (moment: string) => `/credit-bar/${own}?on=2026-03-02&known_at=${encodeURIComponent(moment)}`;
    expect(mustBe(await desk.tenant.get(known(before)), 200).body).toEqual({ barred: false });
    const now = mustBe(await desk.tenant.get(known('2199-01-01T00:00:00Z')), 200).body;
    expect(now).toMatchObject({ barred: true, decision: id });
  });

  test('of an application submitted later than today begins on the day it was recorded', async () => {
    const own = await desk.client();
    const { bound_from: from } = await credit.decided(own, 'poor', { submitted_on: '2199-01-01' });
    const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Mexico_City' });
    expect([today.format(Date.now()), today.format(Date.now() - 60_000)]).toContain(from);
  });

  test('is enforced where the policy was adopted to, under any policy, and tells the day and the refusal', async () => {
    const strict = new Underwriter(desk, await desk.product('instalment'));
    await strict.adopt({ policy: 'strict', enforceBar: true });
    const own = await desk.client();
    const { id } = await credit.decided(own, 'poor', { submitted_on: '2026-03-01' });
    const details = { bound: '2026-03-31', recorded_id: id };
    expectRefused(await strict.apply(own, 'good', { submitted_on: '2026-03-30' }), 409, 'client_barred', details);
    expect(await credit.decided(own, 'good', { submitted_on: '2026-03-30' })).toMatchObject({ outcome: 'approve' });
    expect(await strict.decided(own, 'good', { submitted_on: '2026-03-31' })).toMatchObject({ outcome: 'approve' });
  });

  test('of a Client nobody registered is none; a day is asked for, once and readable', async () => {
    const nobody = `/credit-bar/${newReference('nobody')}`;
    expect(mustBe(await desk.tenant.get(`${nobody}?on=2026-03-01`), 200).body).toEqual({ barred: false });
    expectRefused(await desk.tenant.get(nobody), 422, 'invalid_application', { field: 'on' });
    expectRefused(await desk.tenant.get(`${nobody}?on=tomorrow`), 422, 'invalid_application', { field: 'on' });
    expectRefused(await desk.tenant.get(`${nobody}?on=2026-03-01&on=2026-03-01`), 400, 'invalid_query');
    expectRefused(await desk.tenant.get(`${nobody}?on=`), 400, 'invalid_query');
    expectRefused(await desk.tenant.get(`${nobody}?on=2026-03-01&to=2026-03-02`), 400, 'invalid_query');
  });
});
