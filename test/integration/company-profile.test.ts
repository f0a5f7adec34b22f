/** What a lender tells its borrowers about itself. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { expectRefused } from './desk.ts';
import { house, Tenant } from './tenant.ts';

let tenant: Tenant;
beforeAll(async () => {
  tenant = await Tenant.open(house());
});
afterAll(() => tenant.close());

const path = '/company-profile';

test('a profile is absent until it is put, and each put replaces it whole', async () => {
  expectRefused(await tenant.get(path), 404, 'not_found');
  const whole = {
    legal_name: 'Préstamos Ágiles, S.A. de C.V.',
    trade_name: 'Ágil',
    tax_id: 'PAG010101AAA',
    address: { street: 'Reforma 1', city: 'México' },
    contact: 'ayuda@agil.example',
  };
  for (const profile of [whole, whole, { legal_name: 'Ágil' }]) {
    const put = await tenant.put(path, profile);
    expect(put).toMatchObject({ status: 200 });
    expect(put.body).toEqual(profile);
    expect((await tenant.get(path)).body).toEqual(profile);
    expect(put.headers).not.toHaveProperty('deprecation');
  }
});

test('what is no profile is refused by its field, and the one put before stays', async () => {
  await tenant.put(path, { legal_name: 'Ágil' });
  expectRefused(await tenant.put(path, {}), 422, 'missing_field', { field: '/legal_name' });
  expectRefused(await tenant.put(path, { legal_name: '' }), 422, 'invalid_field', { field: '/legal_name' });
  expectRefused(await tenant.put(path, { legal_name: 'A', slogan: 'x' }), 422, 'unknown_field', { field: '/slogan' });
  expectRefused(await tenant.put(path, '{'), 400, 'invalid_body');
  const reader = { signer: await tenant.mint('read') };
  expectRefused(await tenant.put(path, { legal_name: 'A' }, reader), 403, 'not_permitted_scope');
  expect((await tenant.get(path, reader)).body).toEqual({ legal_name: 'Ágil' });
});

test('a number that nobody can hold is refused where it stands, in what is free as well, under a key or without', async () => {
  const fraction = '12.00000000000000000001';
  const at = (field: string) => ({ field, observed: fraction });
  const address = await tenant.put(path, `{"legal_name":"A","address":{"floor":${fraction}}}`);
  expectRefused(address, 422, 'invalid_field', at('/address/floor'));
  expectRefused(await tenant.put(path, `{"legal_name":"A","vat_rate_bps":${fraction}}`), 422, 'invalid_field');
  const rent = await tenant.put(path, '{"legal_name":"A","address":{"rent":{"minor_units":1e400}}}');
  expectRefused(rent, 422, 'invalid_field', { field: '/address/rent/minor_units', observed: '1e400' });
  const least = { principal_min: { minor_units: 0, currency: 'MXN' } };
  const amount = JSON.stringify({ archetype: 'instalment', values: least }).replace('0', '1e400');
  for (const segment of ['/preview', '']) {
    const told = await tenant.post(`/product-configurations${segment}`, amount);
    expectRefused(told, 422, 'amount_out_of_range', { field: '/values/principal_min/minor_units' });
  }
  const product = `{"archetype":"instalment","values":{"terms":[6,${fraction}]}}`;
  const keyed = { idempotencyKey: 'a-number-too-long' };
  for (const told of [
    await tenant.post('/product-configurations/preview', product),
    await tenant.post('/product-configurations', product),
    await tenant.post('/product-configurations', product, keyed),
    await tenant.post('/product-configurations', product, keyed),
  ]) {
    expectRefused(told, 422, 'invalid_field', at('/values/terms/1'));
  }
  const policy = `{"content":{"base_points":${fraction}}}`;
  expectRefused(
    await tenant.post('/credit-policies/p/validate', policy),
    422,
    'invalid_field',
    at('/content/base_points'),
  );
});

test('the rate that moved to the tax rules is taken, read by nothing, and every such answer says until when', async () => {
  for (const vat_rate_bps of [1600, 'sixteen', null]) {
    const put = await tenant.put(path, { legal_name: 'Ágil', vat_rate_bps });
    expect(put).toMatchObject({ status: 200, body: { legal_name: 'Ágil' } });
    expect(put.body).not.toHaveProperty('vat_rate_bps');
    expect(put.headers).toMatchObject({
      deprecation: '@1799971200',
      sunset: 'Fri, 15 Jan 2027 00:00:00 GMT',
      link: '</changelog#vat_rate_bps>; rel="deprecation"',
    });
  }
  const refused = await tenant.put(path, { vat_rate_bps: 1600 });
  expectRefused(refused, 422, 'missing_field', { field: '/legal_name' });
  expect(refused.headers).toMatchObject({ deprecation: '@1799971200' });
  expect((await tenant.get(path)).body).toEqual({ legal_name: 'Ágil' });
});
