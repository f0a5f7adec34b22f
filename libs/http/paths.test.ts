import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { loan, startTestService, type TestService } from '#libs/http/testing/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.server.close());

test('an unknown Tenancy and another one get the same refusal', async () => {
  for (const tenantId of ['vivid', 'unknown', '%20', 'ACME']) {
    const response = await service.send({ target: `/v1/tenants/${tenantId}/loans`, signer: service.writer });
    expect(`${response.status} ${response.json.code}`).toBe('403 not_permitted_tenant');
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
])('%s is not a route', async (target) => {
  const response = await service.send({ target, signer: service.writer });
  expect(`${response.status} ${response.json.code}`).toBe('404 no_route');
});

test.each([
  ['DELETE', '/loans', 'GET, HEAD'],
  ['OPTIONS', '/receipts', 'POST'],
  ['PUT', '/receipts/batch', 'GET, HEAD, POST'],
  ['GET', '/product-configurations/preview', 'POST'],
  ['PATCH', '/product-lookup-keys/summer', 'GET, HEAD, PUT'],
])('%s %s gets 405 with Allow: %s', async (method, path, allow) => {
  const response = await service.send({ method, target: `/v1/tenants/acme${path}`, signer: service.writer });
  expect(`${response.status} ${response.json.code} ${response.headers['allow']}`).toBe(
    `405 method_not_allowed ${allow}`,
  );
});

test('HEAD is answered as GET without the body', async () => {
  const response = await service.send({ method: 'HEAD', target: loan, signer: service.writer });
  expect(response.status).toBe(200);
  expect(response.text).toBe('');
  expect(Number(response.headers['content-length'])).toBeGreaterThan(0);
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
])('names in a path: %s %s gets %i %j', async (method, path, status, expected) => {
  const response = await service.send({ method, target: `/v1/tenants/acme${path}`, signer: service.writer });
  expect(response.status).toBe(status);
  expect(typeof expected === 'string' ? response.json.code : response.json).toEqual(expected);
});

test.each([
  ['/clients/c%201', '{"actor":"ana","basis":"new"}', 'invalid_identifier client_id'],
  [
    '/product-lookup-keys/INS-000001',
    '{"configuration_id":"ins-000001","configuration_version":1}',
    'invalid_identifier lookup_key',
  ],
  ['/product-lookup-keys/INS-000001', '{}', 'missing_field /configuration_id'],
])('a new name in the path of a write must follow its grammar: %s', async (path, body, refused) => {
  const response = await service.postReceipt({ method: 'PUT', target: `/v1/tenants/acme${path}`, body });
  expect(`${response.json.code} ${response.json.details.field}`).toBe(refused);
});

test('an agent cannot point a lookup key on a live Tenancy but may read it', async () => {
  const target = '/v1/tenants/vivid/product-lookup-keys/summer';
  const pointed = await service.postReceipt({
    method: 'PUT',
    target,
    signer: service.agent,
    body: 'not even JSON',
    headers: [],
  });
  expect(`${pointed.status} ${pointed.json.code}`).toBe('403 not_permitted_agent');
  expect((await service.send({ target, signer: service.agent })).status).toBe(200);
  expect((await service.send({ method: 'PATCH', target, signer: service.agent })).status).toBe(405);
});
