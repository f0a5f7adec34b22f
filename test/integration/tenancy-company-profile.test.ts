/** The company profile: what a lender tells its borrowers about itself. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { expectRefusal } from '#test/support/lender.ts';
import { Tenant, testEnvironment } from '#test/support/tenant.ts';

let tenant: Tenant;
beforeAll(async () => {
  tenant = await Tenant.open(testEnvironment());
});
afterAll(() => tenant.close());

const path = '/company-profile';

test('a profile is not found until it is put, and each put replaces all of it', async () => {
  expectRefusal(await tenant.get(path), 404, 'not_found');
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

test('an invalid profile is refused naming the field, and the previous one stays', async () => {
  await tenant.put(path, { legal_name: 'Ágil' });
  expectRefusal(await tenant.put(path, {}), 422, 'missing_field', { field: '/legal_name' });
  expectRefusal(await tenant.put(path, { legal_name: '' }), 422, 'invalid_field', { field: '/legal_name' });
  expectRefusal(await tenant.put(path, { legal_name: 'A', slogan: 'x' }), 422, 'unknown_field', { field: '/slogan' });
  expectRefusal(await tenant.put(path, '{'), 400, 'invalid_body');
  const reader = { signer: await tenant.mint('read') };
  expectRefusal(await tenant.put(path, { legal_name: 'A' }, reader), 403, 'not_permitted_scope');
  expect((await tenant.get(path, reader)).body).toEqual({ legal_name: 'Ágil' });
});

test('a number that cannot be represented exactly is refused naming its field, also inside free-form members and under an Idempotency-Key', async () => {
  const fraction = '12.00000000000000000001';
  const at = (field: string) => ({ field, observed: fraction });
  const address = await tenant.put(path, `{"legal_name":"A","address":{"floor":${fraction}}}`);
  expectRefusal(address, 422, 'invalid_field', at('/address/floor'));
  expectRefusal(await tenant.put(path, `{"legal_name":"A","vat_rate_bps":${fraction}}`), 422, 'invalid_field');
  const rent = await tenant.put(path, '{"legal_name":"A","address":{"rent":{"minor_units":1e400}}}');
  expectRefusal(rent, 422, 'invalid_field', { field: '/address/rent/minor_units', observed: '1e400' });
  const least = { principal_min: { minor_units: 0, currency: 'MXN' } };
  const amount = JSON.stringify({ archetype: 'instalment', values: least }).replace('0', '1e400');
  for (const segment of ['/preview', '']) {
    const response = await tenant.post(`/product-configurations${segment}`, amount);
    expectRefusal(response, 422, 'amount_out_of_range', { field: '/values/principal_min/minor_units' });
  }
  const product = `{"archetype":"instalment","values":{"terms":[6,${fraction}]}}`;
  const keyed = { idempotencyKey: 'a-number-too-long' };
  for (const response of [
    await tenant.post('/product-configurations/preview', product),
    await tenant.post('/product-configurations', product),
    await tenant.post('/product-configurations', product, keyed),
    await tenant.post('/product-configurations', product, keyed),
  ]) {
    expectRefusal(response, 422, 'invalid_field', at('/values/terms/1'));
  }
  const policy = `{"content":{"base_points":${fraction}}}`;
  expectRefusal(
    await tenant.post('/credit-policies/p/validate', policy),
    422,
    'invalid_field',
    at('/content/base_points'),
  );
});

test('the deprecated vat_rate_bps is accepted and ignored, and the answer states when it ends', async () => {
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
  expectRefusal(refused, 422, 'missing_field', { field: '/legal_name' });
  expect(refused.headers).toMatchObject({ deprecation: '@1799971200' });
  expect((await tenant.get(path)).body).toEqual({ legal_name: 'Ágil' });
});
