/** Credit policies: validation, drafts, publication and adoption for a product. */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { policyContent } from '#libs/credit/testing/example.ts';
import type { Json, JsonObject } from '#libs/schema/json.ts';
import { expectRefusal, Lender, requireStatus, uniqueReference } from '#test/support/lender.ts';
import { attributed } from '#test/support/request-bodies.ts';
import { testEnvironment } from '#test/support/tenant.ts';

let lender: Lender;
beforeAll(async () => {
  lender = await Lender.open(testEnvironment());
});
afterAll(() => lender.close());

const oneThird = { numerator: 1, denominator: 3, quotation: 'nominal_annual' };
const withoutDecimal = { ...policyContent, bands: [{ id: 'all', outcome: 'approve', rate: oneThird }] };
const withoutBands = { ...policyContent, bands: [] };

/** The digest as a lender would compute it: sorted members, no whitespace. */
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

const policyName = () => uniqueReference('policy');
const draft = (policy: string, over: object = {}) =>
  lender.tenant.post(`/credit-policies/${policy}/versions`, attributed({ content: policyContent, ...over }));
const publish = (policy: string, version: number, over: object = {}) =>
  lender.tenant.post(`/credit-policies/${policy}/versions/${version}/publication`, attributed(over));
const adopt = (configurationId: string, over: object) =>
  lender.tenant.put(`/product-configurations/${configurationId}/policy`, attributed({ enforce_bar: false, ...over }));

async function published(): Promise<string> {
  const policy = policyName();
  requireStatus(await draft(policy), 201);
  requireStatus(await publish(policy, 1), 201);
  return policy;
}

describe('validation', () => {
  const validate = (stated: object) => lender.tenant.post('/credit-policies/any/validate', stated);

  test('answers a reproducible digest and findings, and records nothing', async () => {
    const response = await validate({ content: policyContent });
    const findings = [{ code: 'bins_leave_gap', field: '/content/scorecard/1/bins' }];
    expect(response).toMatchObject({ status: 200 });
    expect(response.body).toEqual({ digest: digestOf(policyContent), findings });
    const reordered = Object.fromEntries(Object.entries(policyContent).reverse());
    expect((await validate({ content: reordered })).body.digest).toBe(response.body.digest);
    expectRefusal(await lender.tenant.get('/credit-policies/any'), 404, 'not_found');
  });

  test('refuses what a draft or a publication would refuse', async () => {
    expectRefusal(await validate({ content: withoutBands }), 422, 'invalid_policy', { field: '/content/bands' });
    const field = { field: '/content/bands/0/rate', observed: '1/3' };
    expectRefusal(await validate({ content: withoutDecimal }), 422, 'rate_without_decimal', field);
    expectRefusal(await validate({}), 422, 'missing_field', { field: '/content' });
    expectRefusal(await validate({ content: [] }), 422, 'invalid_field', { field: '/content' });
    const unnamed = await lender.tenant.post('/credit-policies/a.b/validate', { content: policyContent });
    expectRefusal(unnamed, 422, 'invalid_identifier', { field: 'policy' });
  });
});

describe('a version', () => {
  test('is drafted, published by another person, and reads as it was answered', async () => {
    const policy = policyName();
    const drafting = attributed({ content: policyContent, actor: 'ana' });
    const path = `/credit-policies/${policy}/versions`;
    const drafted = await lender.tenant.post(path, drafting);
    const row = {
      policy,
      version: 1,
      digest: digestOf(policyContent),
      drafted_by: 'ana',
      created_at: expect.any(String),
    };
    expect(drafted.status).toBe(201);
    expect(drafted.body).toEqual({ ...row, published: false });
    expect((await lender.tenant.get(`${path}/1`)).body).toEqual({ ...drafted.body, content: policyContent });
    expect(await lender.tenant.post(path, drafting)).toMatchObject({ status: 200, body: drafted.body });

    const publication = attributed({ actor: 'bruno' });
    const publishedNow = await lender.tenant.post(`${path}/1/publication`, publication);
    expect(publishedNow.status).toBe(201);
    expect(publishedNow.body).toEqual({
      ...drafted.body,
      published: true,
      published_by: 'bruno',
      published_at: expect.any(String),
      self_confirmed: false,
    });
    for (const again of [
      await lender.tenant.post(`${path}/1/publication`, publication),
      await lender.tenant.post(path, drafting),
    ]) {
      expect(again.status).toBe(200);
      expect(again.body).toEqual(publishedNow.body);
    }
    expect((await lender.tenant.get(`${path}/1`)).body).toEqual({ ...publishedNow.body, content: policyContent });
  });

  test('published by the person who drafted it is marked as self-confirmed', async () => {
    const policy = policyName();
    requireStatus(await draft(policy, { actor: 'ana' }), 201);
    expect((await publish(policy, 1, { actor: 'ana' })).body).toMatchObject({ self_confirmed: true });
  });

  test('can be published once, when it exists and its rates have a decimal form', async () => {
    const policy = policyName();
    expectRefusal(await publish(policy, 1), 404, 'not_found');
    requireStatus(await draft(policy, { content: withoutDecimal }), 201);
    expectRefusal(await publish(policy, 1), 422, 'rate_without_decimal', { field: '/content/bands/0/rate' });
    requireStatus(await draft(policy), 201);
    expectRefusal(await publish(policy, 3), 404, 'not_found');
    requireStatus(await publish(policy, 2), 201);
    expectRefusal(await publish(policy, 2), 409, 'already_published', { recorded_id: policy, recorded_value: 2 });
  });

  test('with ambiguous or missing outcomes is refused and takes no number and no reference', async () => {
    const policy = policyName();
    const reference = uniqueReference('draft');
    expectRefusal(await draft(policy, { content: withoutBands, reference }), 422, 'invalid_policy');
    expectRefusal(await draft(policy, { actor: 'a b' }), 422, 'invalid_identifier', { field: '/actor' });
    expectRefusal(await lender.tenant.get(`/credit-policies/${policy}`), 404, 'not_found');
    expect((await draft(policy, { reference })).body).toMatchObject({ version: 1 });
  });

  test('never changes: a later draft is another version, and a reference cannot be reused for another body', async () => {
    const policy = policyName();
    const reference = uniqueReference('draft');
    requireStatus(await draft(policy, { reference }), 201);
    const { body: first } = await lender.tenant.get(`/credit-policies/${policy}/versions/1`);
    const other = { ...policyContent, base_points: 401 };
    const reused = await draft(policy, { reference, content: other });
    expectRefusal(reused, 409, 'reference_reused', { recorded_id: `${policy}/1` });
    expectRefusal(await publish(policy, 1, { reference }), 409, 'reference_reused');
    expect((await draft(policy, { content: other })).body).toMatchObject({ version: 2, digest: digestOf(other) });
    expect((await lender.tenant.get(`/credit-policies/${policy}/versions/1`)).body).toEqual(first);
  });

  test('drafted several times concurrently becomes several versions', async () => {
    const policy = policyName();
    const responses = await Promise.all(Array.from({ length: 12 }, () => draft(policy)));
    const numbers = responses.map(({ body }) => body.version).sort((one, other) => one - other);
    expect(numbers).toEqual(Array.from({ length: 12 }, (_, at) => at + 1));
  });

  test('drafted concurrently under one reference is drafted once', async () => {
    const policy = policyName();
    const drafting = attributed({ content: policyContent });
    const path = `/credit-policies/${policy}/versions`;
    const responses = await Promise.all(Array.from({ length: 6 }, () => lender.tenant.post(path, drafting)));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 201]);
    expect(new Set(responses.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect((await lender.tenant.get(`/credit-policies/${policy}`)).body.latest_version).toBe(1);
  });

  test('shares the namespace of its reference with applications', async () => {
    const reference = uniqueReference('credit');
    const policy = policyName();
    requireStatus(await draft(policy, { reference }), 201);
    const application = attributed({
      reference,
      client_id: await lender.client(),
      configuration_id: 'bnp-000001',
      configuration_version: 1,
      principal: { minor_units: 1_000_00, currency: 'MXN' },
      submitted_on: '2026-03-01',
      attributes: {},
      sources: [],
    });
    const reused = await lender.tenant.post('/credit-decisions', application);
    expectRefusal(reused, 409, 'reference_reused', { recorded_id: `${policy}/1` });
  });

  test('is not found under an unknown number or name', async () => {
    const policy = await published();
    for (const path of [
      `${policy}/versions/2`,
      `${policy}/versions/0`,
      `${policy}/versions/x`,
      'a.b',
      'never/versions/1',
    ]) {
      expectRefusal(await lender.tenant.get(`/credit-policies/${path}`), 404, 'not_found');
    }
    expectRefusal(await lender.tenant.get(`/credit-policies/${policy}/versions/1?on=2026-01-01`), 400, 'invalid_query');
  });
});

describe('adoption', () => {
  test('of a published version applies to the product and is listed with the policy', async () => {
    const policy = await published();
    const { id } = await lender.createProduct('bnpl');
    const adopting = attributed({ policy, version: 1, enforce_bar: true });
    const adopted = await lender.tenant.put(`/product-configurations/${id}/policy`, adopting);
    const adoption = { configuration_id: id, policy, version: 1, enforce_bar: true, adopted_at: expect.any(String) };
    expect(adopted.status).toBe(201);
    expect(adopted.body).toEqual(adoption);
    const again = await lender.tenant.put(`/product-configurations/${id}/policy`, adopting);
    expect(again).toMatchObject({ status: 200, body: adopted.body });
    expect((await lender.tenant.get(`/credit-policies/${policy}`)).body.adoptions).toEqual([adopted.body]);

    const next = await published();
    const since = await adopt(id, { policy: next, version: 1 });
    expect(since.status).toBe(201);
    expect((await lender.tenant.get(`/credit-policies/${policy}`)).body.adoptions).toEqual([]);
    // The retry answers the adoption that is in force now.
    const late = await lender.tenant.put(`/product-configurations/${id}/policy`, adopting);
    expect(late).toMatchObject({ status: 200, body: since.body });
  });

  test('needs an existing product, a published version and all members', async () => {
    const policy = await published();
    const { id } = await lender.createProduct('bnpl');
    requireStatus(await draft(policy), 201);
    expectRefusal(await adopt('bnp-999999', { policy, version: 1 }), 404, 'no_configuration');
    expectRefusal(await adopt('winter', { policy, version: 1 }), 404, 'no_configuration');
    expectRefusal(await adopt(id, { policy, version: 2 }), 422, 'no_policy', { field: '/version' });
    expectRefusal(await adopt(id, { policy: 'never', version: 1 }), 422, 'no_policy', { field: '/version' });
    expectRefusal(await adopt(id, { policy, version: 0 }), 422, 'invalid_field', { field: '/version' });
    expectRefusal(await adopt(id, { version: 1 }), 422, 'missing_field', { field: '/policy' });
    const withoutBarSetting = attributed({ policy, version: 1 });
    const response = await lender.tenant.put(`/product-configurations/${id}/policy`, withoutBarSetting);
    expectRefusal(response, 422, 'missing_field', { field: '/enforce_bar' });
  });
});

test('policies are listed newest first and their versions oldest first, each with its own cursors', async () => {
  const otherLender = await Lender.open(testEnvironment());
  const post = async (policy: string) =>
    requireStatus(
      await otherLender.tenant.post(`/credit-policies/${policy}/versions`, attributed({ content: policyContent })),
      201,
    ).body;
  const drafted = [];
  for (const policy of ['a', 'b', 'c', 'a', 'a']) drafted.push(await post(policy));
  const publication = await otherLender.tenant.post('/credit-policies/a/versions/2/publication', attributed());
  const first = (await otherLender.tenant.get('/credit-policies?limit=2')).body;
  const c = { policy: 'c', latest_version: 1 };
  const b = { policy: 'b', latest_version: 1 };
  const a = { policy: 'a', latest_version: 3, latest_published: 2 };
  expect(first).toEqual({ policies: [c, b], cursor: expect.any(String) });
  await post('d');
  expect((await otherLender.tenant.get(`/credit-policies?limit=2&cursor=${first.cursor}`)).body).toEqual({
    policies: [a],
  });

  const page = (await otherLender.tenant.get('/credit-policies/a?limit=2')).body;
  expect(page).toEqual({
    ...a,
    adoptions: [],
    versions: [drafted[0], publication.body],
    cursor: expect.any(String),
  });
  const rest = (await otherLender.tenant.get(`/credit-policies/a?cursor=${page.cursor}`)).body;
  expect(rest.versions).toEqual([drafted[4]]);
  expect(rest).not.toHaveProperty('cursor');
  for (const foreign of [`b?cursor=${page.cursor}`, `a?cursor=${first.cursor}`]) {
    expectRefusal(await otherLender.tenant.get(`/credit-policies/${foreign}`), 400, 'invalid_query');
  }
  expectRefusal(await lender.tenant.get(`/credit-policies?cursor=${first.cursor}`), 400, 'invalid_query');
  await otherLender.close();
});
