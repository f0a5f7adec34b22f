/** Product configurations, their versions and previews, and what a key may do. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { minimalValues } from '#libs/product/testing/example-products.ts';
import { eventually, Tenant, testEnvironment } from '#test/support/tenant.ts';

let tenant: Tenant;
beforeAll(async () => {
  tenant = await Tenant.open(testEnvironment());
});
afterAll(() => tenant.close());

const bnpl = { archetype: 'bnpl', values: minimalValues.bnpl };

describe('product configurations', () => {
  test('are numbered in one sequence, show their effective values, and are refused naming the field', async () => {
    const created = await tenant.post('/product-configurations', bnpl);
    expect(created.status).toBe(201);
    expect(created.body).toMatchObject({
      id: 'bnp-000001',
      tenant_id: tenant.id,
      archetype: 'bnpl',
      version: 1,
      values: bnpl.values,
    });
    expect(created.body.effective.hold_days).toEqual({ value: 30, source: 'default' });
    const refused = await tenant.post('/product-configurations', {
      archetype: 'payday',
      values: { ...minimalValues.payday, terms: [1] },
    });
    expect(refused).toMatchObject({
      status: 422,
      body: { code: 'field_locked', details: { field: '/values/terms', observed: expect.anything() } },
    });
    const next = await tenant.post('/product-configurations', { archetype: 'payday', values: minimalValues.payday });
    expect(next.body.id).toBe('pay-000002');
  });

  test('a preview shows what creation would answer and reserves no number', async () => {
    const preview = await tenant.post('/product-configurations/preview', bnpl);
    expect(preview.status).toBe(200);
    expect(preview.body).not.toHaveProperty('version');
    const created = await tenant.post('/product-configurations', bnpl);
    expect(created.body.id).toBe(preview.body.id);
    expect(created.body.effective).toEqual(preview.body.effective);
  });

  test('a preview refuses a stated id like a creation, and neither takes a number', async () => {
    const preview = await tenant.post('/product-configurations/preview', bnpl);
    const stated = { ...bnpl, id: preview.body.id };
    for (const path of ['/product-configurations', '/product-configurations/preview']) {
      const refused = await tenant.post(path, stated);
      expect(refused).toMatchObject({ status: 422, body: { code: 'unknown_field', details: { field: '/id' } } });
    }
    expect((await tenant.post('/product-configurations', bnpl)).body.id).toBe(preview.body.id);
  });

  test('a new version states all values and takes the next number; an unknown product is not found', async () => {
    const { body } = await tenant.post('/product-configurations', bnpl);
    const versioned = await tenant.post(`/product-configurations/${body.id}/versions`, { values: minimalValues.bnpl });
    expect(versioned).toMatchObject({ status: 201, body: { id: body.id, version: 2 } });
    const archetype = await tenant.post(`/product-configurations/${body.id}/versions`, bnpl);
    expect(archetype).toMatchObject({ status: 422, body: { code: 'unknown_field', details: { field: '/archetype' } } });
    const absent = await tenant.post('/product-configurations/bnp-999999/versions', { values: minimalValues.bnpl });
    expect(absent).toMatchObject({ status: 404, body: { code: 'no_configuration' } });
  });

  test('created concurrently are numbered without gaps or duplicates', async () => {
    const answers = await Promise.all(Array.from({ length: 30 }, () => tenant.post('/product-configurations', bnpl)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
    const numbers = answers.map(({ body }) => Number(body.id.slice(4))).sort((a, b) => a - b);
    expect(numbers.map((number, at) => number - at)).toEqual(numbers.map(() => numbers[0]));
  });
});

describe('keys', () => {
  test('a read key may read but not write', async () => {
    const reader = await tenant.mint('read');
    expect((await tenant.get('/bounds', { signer: reader })).status).toBe(200);
    const refused = await tenant.post('/product-configurations', bnpl, { signer: reader });
    expect(refused).toMatchObject({ status: 403, body: { code: 'not_permitted_scope' } });
  });

  test('a revoked key is refused within a second of its revocation', async () => {
    const signer = await tenant.mint('write');
    await tenant.administration.revokeKey('test', tenant.id, signer.fp);
    await eventually(async () => (await tenant.get('/bounds', { signer })).status === 401, 1_000);
  });
});
