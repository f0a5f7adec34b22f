import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type House, loan, openHouse } from '#libs/http/testing/pipeline.ts';

let house: House;
beforeAll(async () => {
  house = await openHouse();
});
afterAll(() => house.served.close());

test('a Tenancy that does not exist and one of others are refused alike', async () => {
  for (const tenantId of ['vivid', 'nobody', '%20', 'ACME']) {
    const got = await house.ask({ target: `/v1/tenants/${tenantId}/loans`, signer: house.writer });
    expect(`${got.status} ${got.json.code}`).toBe('403 not_permitted_tenant');
  }
});

test.each([
  '/',
  '/v1',
  '/v1/tenants',
  '/v1/tenants/',
  '/v1/tenants//loans',
  '//v1/tenants/acme/loans',
  '/v1/v1/tenants/acme/loans',
  '/v1/tenants/acme',
  '/v1/tenants/acme/',
  '/v1/tenants/acme/loans/',
  '/v1/tenants/acme/./loans',
  '/v1/tenants/acme/../acme/loans',
  '/v1/tenants/acme/Loans',
  '/v1/tenants/acme/receipts/%ff',
  '/v1/tenants/acme/receipts/%',
  '/v1/tenants/%zz/loans',
  '/v1/tenants/acme/loans%3Flimit=5',
  'http://localhost/v1/tenants/acme/loans',
])('no route is called %s', async (target) => {
  const got = await house.ask({ target, signer: house.writer });
  expect(`${got.status} ${got.json.code}`).toBe('404 no_route');
});

test.each([
  ['DELETE', '/loans', 'GET, HEAD'],
  ['OPTIONS', '/receipts', 'POST'],
  ['PUT', '/receipts/batch', 'GET, HEAD, POST'],
  ['GET', '/product-configurations/preview', 'POST'],
  ['PATCH', '/product-lookup-keys/summer', 'GET, HEAD, PUT'],
])('%s %s is refused with the methods there are: %s', async (method, path, allow) => {
  const got = await house.ask({ method, target: `/v1/tenants/acme${path}`, signer: house.writer });
  expect(`${got.status} ${got.json.code} ${got.headers['allow']}`).toBe(`405 method_not_allowed ${allow}`);
});

test('HEAD is answered as GET without the body', async () => {
  const got = await house.ask({ method: 'HEAD', target: loan, signer: house.writer });
  expect(got.status).toBe(200);
  expect(got.text).toBe('');
  expect(Number(got.headers['content-length'])).toBeGreaterThan(0);
});

test.each<[string, string, number, string | object]>([
  ['GET', '/receipts/batch', 200, { tenant_id: 'acme', receipt_reference: 'batch' }],
  ['GET', '/receipts/a%2Fb%20%C3%B1+', 200, { tenant_id: 'acme', receipt_reference: 'a/b ñ+' }],
  ['GET', '/receipts/%2E%2E', 404, 'no_receipt'],
  ['GET', '/receipts/%20a', 404, 'no_receipt'],
  ['GET', '/loans/preview', 405, 'method_not_allowed'],
  ['GET', '/loans/loan-1', 404, 'not_found'],
  ['GET', '/loans/0192F0C1-2345-7ABC-8DEF-0123456789AB', 200, { id: '0192f0c1-2345-7abc-8def-0123456789ab' }],
  ['GET', '/clients/c%201', 404, 'not_found'],
  ['GET', '/product-lookup-keys/ins-000001', 404, 'not_found'],
])('a name in a path: %s %s is %i %j', async (method, path, status, told) => {
  const got = await house.ask({ method, target: `/v1/tenants/acme${path}`, signer: house.writer });
  expect(got.status).toBe(status);
  expect(typeof told === 'string' ? got.json.code : got.json).toEqual(told);
});

test.each([
  ['/clients/c%201', '{"actor":"ana","basis":"new"}', 'invalid_identifier client_id'],
  [
    '/product-lookup-keys/INS-000001',
    '{"configuration_id":"ins-000001","configuration_version":1}',
    'invalid_identifier lookup_key',
  ],
  ['/product-lookup-keys/INS-000001', '{}', 'missing_field /configuration_id'],
])('a name that a mutation would give, against its grammar: %s', async (path, body, refused) => {
  const got = await house.post({ method: 'PUT', target: `/v1/tenants/acme${path}`, body });
  expect(`${got.json.code} ${got.json.details.field}`).toBe(refused);
});

test('an agent cannot point a lookup key on a live Tenancy, and may read it there', async () => {
  const target = '/v1/tenants/vivid/product-lookup-keys/summer';
  const pointed = await house.post({ method: 'PUT', target, signer: house.agent, body: 'not even JSON', headers: [] });
  expect(`${pointed.status} ${pointed.json.code}`).toBe('403 not_permitted_agent');
  expect((await house.ask({ target, signer: house.agent })).status).toBe(200);
  expect((await house.ask({ method: 'PATCH', target, signer: house.agent })).status).toBe(405);
});
