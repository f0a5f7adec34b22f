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
