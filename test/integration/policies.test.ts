/** Credit policies from a first draft to deciding for a product. */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { content } from '#libs/credit/testing/example.ts';
import type { Json, JsonObject } from '#libs/schema/json.ts';
import { Desk, expectRefused, mustBe, newReference } from './desk.ts';
import { account } from './given-loans.ts';
import { house } from './tenant.ts';

let desk: Desk;
beforeAll(async () => {
  desk = await Desk.open(house());
});
afterAll(() => desk.close());

const thirds = { numerator: 1, denominator: 3, quotation: 'nominal_annual' };
const withoutDecimal = { ...content, bands: [{ id: 'all', outcome: 'approve', rate: thirds }] };
const nothing = { ...content, bands: [] };

/** What a lender's own tool would compute: members sorted, no space between. */
function digestOf(value: Json): string {
  const sorted = (each: Json): Json => {
    if (typeof each !== 'object' || each === null) return each;
    if (Array.isArray(each)) return each.map(sorted);
    const entries = Object.entries(each as JsonObject).sort(([one], [other]) => (one < other ? -1 : 1));
    return Object.fromEntries(entries.map(([name, inner]) => [name, sorted(inner as Json)]));
  };
  return createHash('sha256')
    .update(JSON.stringify(sorted(value)))
    .digest('hex');
}

const policyName = () => newReference('policy');
const draft = (policy: string, over: object = {}) =>
  desk.tenant.post(`/credit-policies/${policy}/versions`, account({ content, ...over }));
const publish = (policy: string, version: number, over: object = {}) =>
  desk.tenant.post(`/credit-policies/${policy}/versions/${version}/publication`, account(over));
const adopt = (configurationId: string, over: object) =>
  desk.tenant.put(`/product-configurations/${configurationId}/policy`, account({ enforce_bar: false, ...over }));

async function published(): Promise<string> {
  const policy = policyName();
  mustBe(await draft(policy), 201);
  mustBe(await publish(policy, 1), 201);
  return policy;
}

describe('validation', () => {
  const validate = (stated: object) => desk.tenant.post('/credit-policies/any/validate', stated);

  test('answers the digest anyone can compute and what looks odd, and records nothing', async () => {
    const told = await validate({ content });
    const findings = [{ code: 'bins_leave_gap', field: '/content/scorecard/1/bins' }];
    expect(told).toMatchObject({ status: 200 });
    expect(told.body).toEqual({ digest: digestOf(content), findings });
    const turned = Object.fromEntries(Object.entries(content).reverse());
    expect((await validate({ content: turned })).body.digest).toBe(told.body.digest);
    expectRefused(await desk.tenant.get('/credit-policies/any'), 404, 'not_found');
  });

  test('refuses what drafting or publication would', async () => {
    expectRefused(await validate({ content: nothing }), 422, 'invalid_policy', { field: '/content/bands' });
    const field = { field: '/content/bands/0/rate', observed: '1/3' };
    expectRefused(await validate({ content: withoutDecimal }), 422, 'rate_without_decimal', field);
    expectRefused(await validate({}), 422, 'missing_field', { field: '/content' });
    expectRefused(await validate({ content: [] }), 422, 'invalid_field', { field: '/content' });
    const unnamed = await desk.tenant.post('/credit-policies/a.b/validate', { content });
    expectRefused(unnamed, 422, 'invalid_identifier', { field: 'policy' });
  });
});

describe('a version', () => {
  test('is drafted, published by another, and reads at every step as it was answered', async () => {
    const policy = policyName();
    const drafting = account({ content, actor: 'ana' });
    const path = `/credit-policies/${policy}/versions`;
    const drafted = await desk.tenant.post(path, drafting);
    const row = { policy, version: 1, digest: digestOf(content), drafted_by: 'ana', created_at: expect.any(String) };
    expect(drafted.status).toBe(201);
    expect(drafted.body).toEqual({ ...row, published: false });
    expect((await desk.tenant.get(`${path}/1`)).body).toEqual({ ...drafted.body, content });
    expect(await desk.tenant.post(path, drafting)).toMatchObject({ status: 200, body: drafted.body });

    const publication = account({ actor: 'bruno' });
    const publishedNow = await desk.tenant.post(`${path}/1/publication`, publication);
    expect(publishedNow.status).toBe(201);
    expect(publishedNow.body).toEqual({
      ...drafted.body,
      published: true,
      published_by: 'bruno',
      published_at: expect.any(String),
      self_confirmed: false,
    });
    for (const again of [
      await desk.tenant.post(`${path}/1/publication`, publication),
      await desk.tenant.post(path, drafting),
    ]) {
      expect(again.status).toBe(200);
      expect(again.body).toEqual(publishedNow.body);
    }
    expect((await desk.tenant.get(`${path}/1`)).body).toEqual({ ...publishedNow.body, content });
  });

  test('published by whoever drafted it says so', async () => {
    const policy = policyName();
    await draft(policy, { actor: 'ana' });
    expect((await publish(policy, 1, { actor: 'ana' })).body).toMatchObject({ self_confirmed: true });
  });

  test('is published once, and only where it is there and its rates can be written', async () => {
    const policy = policyName();
    expectRefused(await publish(policy, 1), 404, 'not_found');
    await draft(policy, { content: withoutDecimal });
    expectRefused(await publish(policy, 1), 422, 'rate_without_decimal', { field: '/content/bands/0/rate' });
    await draft(policy);
    expectRefused(await publish(policy, 3), 404, 'not_found');
    mustBe(await publish(policy, 2), 201);
    expectRefused(await publish(policy, 2), 409, 'already_published', { recorded_id: policy, recorded_value: 2 });
  });

  test('that would decide in two ways or in none is not drafted, and takes no number and no reference', async () => {
    const policy = policyName();
    const reference = newReference('draft');
    expectRefused(await draft(policy, { content: nothing, reference }), 422, 'invalid_policy');
    expectRefused(await draft(policy, { actor: 'a b' }), 422, 'invalid_identifier', { field: '/actor' });
    expectRefused(await desk.tenant.get(`/credit-policies/${policy}`), 404, 'not_found');
    expect((await draft(policy, { reference })).body).toMatchObject({ version: 1 });
  });

  test('never changes: what is drafted after it is another version, and a reference is held to its body', async () => {
    const policy = policyName();
    const reference = newReference('draft');
    await draft(policy, { reference });
    const { body: first } = await desk.tenant.get(`/credit-policies/${policy}/versions/1`);
    const other = { ...content, base_points: 401 };
    const reused = await draft(policy, { reference, content: other });
    expectRefused(reused, 409, 'reference_reused', { recorded_id: `${policy}/1` });
    expectRefused(await publish(policy, 1, { reference }), 409, 'reference_reused');
    expect((await draft(policy, { content: other })).body).toMatchObject({ version: 2, digest: digestOf(other) });
    expect((await desk.tenant.get(`/credit-policies/${policy}/versions/1`)).body).toEqual(first);
  });

  test('drafted by many at the same moment is as many versions', async () => {
    const policy = policyName();
    const told = await Promise.all(Array.from({ length: 12 }, () => draft(policy)));
    const numbers = told.map(({ body }) => body.version).sort((one, other) => one - other);
    expect(numbers).toEqual(Array.from({ length: 12 }, (_, at) => at + 1));
  });

  test('sent many times at the same moment under one reference is drafted once', async () => {
    const policy = policyName();
    const drafting = account({ content });
    const path = `/credit-policies/${policy}/versions`;
    const told = await Promise.all(Array.from({ length: 6 }, () => desk.tenant.post(path, drafting)));
    expect(told.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 201]);
    expect(new Set(told.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect((await desk.tenant.get(`/credit-policies/${policy}`)).body.latest_version).toBe(1);
  });

  test('keeps its reference from every other matter of credit, an application in a Client’s book too', async () => {
    const reference = newReference('credit');
    const policy = policyName();
    await draft(policy, { reference });
    const application = account({
      reference,
      client_id: await desk.client(),
      configuration_id: 'bnp-000001',
      configuration_version: 1,
      principal: { minor_units: 1_000_00, currency: 'MXN' },
      submitted_on: '2026-03-01',
      attributes: {},
      sources: [],
    });
    const reused = await desk.tenant.post('/credit-decisions', application);
    expectRefused(reused, 409, 'reference_reused', { recorded_id: `${policy}/1` });
  });

  test('is absent under a number or a name that nobody drafted', async () => {
    const policy = await published();
    for (const path of [
      `${policy}/versions/2`,
      `${policy}/versions/0`,
      `${policy}/versions/x`,
      'a.b',
      'never/versions/1',
    ]) {
      expectRefused(await desk.tenant.get(`/credit-policies/${path}`), 404, 'not_found');
    }
    expectRefused(await desk.tenant.get(`/credit-policies/${policy}/versions/1?on=2026-01-01`), 400, 'invalid_query');
  });
});

describe('adoption', () => {
  test('of a published version holds for the product from then on, and is told by the policy', async () => {
    const policy = await published();
    const { id } = await desk.product('bnpl');
    const adopting = account({ policy, version: 1, enforce_bar: true });
    const adopted = await desk.tenant.put(`/product-configurations/${id}/policy`, adopting);
    const adoption = { configuration_id: id, policy, version: 1, enforce_bar: true, adopted_at: expect.any(String) };
    expect(adopted.status).toBe(201);
    expect(adopted.body).toEqual(adoption);
    const again = await desk.tenant.put(`/product-configurations/${id}/policy`, adopting);
    expect(again).toMatchObject({ status: 200, body: adopted.body });
    expect((await desk.tenant.get(`/credit-policies/${policy}`)).body.adoptions).toEqual([adopted.body]);

    const next = await published();
    const since = await adopt(id, { policy: next, version: 1 });
    expect(since.status).toBe(201);
    expect((await desk.tenant.get(`/credit-policies/${policy}`)).body.adoptions).toEqual([]);
    // The retry tells what is in force, not what was.
    const late = await desk.tenant.put(`/product-configurations/${id}/policy`, adopting);
    expect(late).toMatchObject({ status: 200, body: since.body });
  });

  test('needs a product and a published version, and a whole body', async () => {
    const policy = await published();
    const { id } = await desk.product('bnpl');
    await draft(policy);
    expectRefused(await adopt('bnp-999999', { policy, version: 1 }), 404, 'no_configuration');
    expectRefused(await adopt('winter', { policy, version: 1 }), 404, 'no_configuration');
    expectRefused(await adopt(id, { policy, version: 2 }), 422, 'no_policy', { field: '/version' });
    expectRefused(await adopt(id, { policy: 'never', version: 1 }), 422, 'no_policy', { field: '/version' });
    expectRefused(await adopt(id, { policy, version: 0 }), 422, 'invalid_field', { field: '/version' });
    expectRefused(await adopt(id, { version: 1 }), 422, 'missing_field', { field: '/policy' });
    const unsaid = account({ policy, version: 1 });
    const told = await desk.tenant.put(`/product-configurations/${id}/policy`, unsaid);
    expectRefused(told, 422, 'missing_field', { field: '/enforce_bar' });
  });
});

test('policies are listed newest first and versions oldest first, page by page, under cursors of their own', async () => {
  const own = await Desk.open(house());
  const post = async (policy: string) =>
    mustBe(await own.tenant.post(`/credit-policies/${policy}/versions`, account({ content })), 201).body;
  const drafted = [];
  for (const policy of ['a', 'b', 'c', 'a', 'a']) drafted.push(await post(policy));
  const publication = await own.tenant.post('/credit-policies/a/versions/2/publication', account());
  const first = (await own.tenant.get('/credit-policies?limit=2')).body;
  const c = { policy: 'c', latest_version: 1 };
  const b = { policy: 'b', latest_version: 1 };
  const a = { policy: 'a', latest_version: 3, latest_published: 2 };
  expect(first).toEqual({ policies: [c, b], cursor: expect.any(String) });
  await post('d');
  expect((await own.tenant.get(`/credit-policies?limit=2&cursor=${first.cursor}`)).body).toEqual({ policies: [a] });

  const page = (await own.tenant.get('/credit-policies/a?limit=2')).body;
  expect(page).toEqual({
    ...a,
    adoptions: [],
    versions: [drafted[0], publication.body],
    cursor: expect.any(String),
  });
  const rest = (await own.tenant.get(`/credit-policies/a?cursor=${page.cursor}`)).body;
  expect(rest.versions).toEqual([drafted[4]]);
  expect(rest).not.toHaveProperty('cursor');
  for (const foreign of [`b?cursor=${page.cursor}`, `a?cursor=${first.cursor}`]) {
    expectRefused(await own.tenant.get(`/credit-policies/${foreign}`), 400, 'invalid_query');
  }
  expectRefused(await desk.tenant.get(`/credit-policies?cursor=${first.cursor}`), 400, 'invalid_query');
  await own.close();
});
