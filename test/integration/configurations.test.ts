import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { leastValues } from '#libs/product/given.ts';
import { eventually, house, Tenant } from './tenant.ts';

let tenant: Tenant;
beforeAll(async () => {
  tenant = await Tenant.open(house());
});
afterAll(() => tenant.close());

const bnpl = { archetype: 'bnpl', values: leastValues.bnpl };

describe('product configurations', () => {
  test('are created under one count, shown with what is in force, and refused with a field', async () => {
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
      values: { ...leastValues.payday, terms: [1] },
    });
    expect(refused).toMatchObject({
      status: 422,
      body: { code: 'field_locked', details: { field: '/values/terms', observed: expect.anything() } },
    });
    const next = await tenant.post('/product-configurations', { archetype: 'payday', values: leastValues.payday });
    expect(next.body.id).toBe('pay-000002');
  });

  test('a preview says what creation would and reserves nothing', async () => {
    const preview = await tenant.post('/product-configurations/preview', bnpl);
    expect(preview.status).toBe(200);
    expect(preview.body).not.toHaveProperty('version');
    const created = await tenant.post('/product-configurations', bnpl);
    expect(created.body.id).toBe(preview.body.id);
    expect(created.body.effective).toEqual(preview.body.effective);
  });

  test('a version is stated whole and counted up; one of a product nobody created is absent', async () => {
    const { body } = await tenant.post('/product-configurations', bnpl);
    const versioned = await tenant.post(`/product-configurations/${body.id}/versions`, { values: leastValues.bnpl });
    expect(versioned).toMatchObject({ status: 201, body: { id: body.id, version: 2 } });
    const archetype = await tenant.post(`/product-configurations/${body.id}/versions`, bnpl);
    expect(archetype).toMatchObject({ status: 422, body: { code: 'unknown_field', details: { field: '/archetype' } } });
    const absent = await tenant.post('/product-configurations/bnp-999999/versions', { values: leastValues.bnpl });
    expect(absent).toMatchObject({ status: 404, body: { code: 'no_configuration' } });
  });

  test('created at the same moment, each has a number of its own and none is left out', async () => {
    const answers = await Promise.all(Array.from({ length: 30 }, () => tenant.post('/product-configurations', bnpl)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
    const numbers = answers.map(({ body }) => Number(body.id.slice(4))).sort((a, b) => a - b);
    expect(numbers.map((number, at) => number - at)).toEqual(numbers.map(() => numbers[0]));
  });
});

describe('keys', () => {
  test('a read key reads and writes nothing', async () => {
    const reader = await tenant.mint('read');
    expect((await tenant.get('/bounds', { signer: reader })).status).toBe(200);
    const refused = await tenant.post('/product-configurations', bnpl, { signer: reader });
    expect(refused).toMatchObject({ status: 403, body: { code: 'not_permitted_scope' } });
  });

  test('a revoked key is no key within a second of its revocation', async () => {
    const signer = await tenant.mint('write');
    await tenant.administration.revokeKey('journey', tenant.id, signer.fp);
    await eventually(async () => (await tenant.get('/bounds', { signer })).status === 401, 1_000);
  });
});
