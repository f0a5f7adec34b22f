import { describe, expect, test } from '@jest/globals';
import { submissionDigest } from '#libs/submission/digest.ts';
import { reconstructRequest, type StoredRequest } from './reconstruct-request.ts';

function storedRequest(
  method: string,
  target: string,
  body: unknown,
  over: Partial<StoredRequest> = {},
): StoredRequest {
  const bytes = Buffer.from(body === undefined ? '' : JSON.stringify(body));
  return { method, target, tenantId: 'acme', body: bytes, isSigned: true, ...over };
}

describe('a signed request', () => {
  test('yields operation, path parameters, body and the digest that retries are compared by', () => {
    const body = { reference: 'a-1', on: '2026-05-01' };
    const path = '/v1/tenants/acme/loans/01890000-0000-7000-8000-00000000000a/write-off';
    expect(reconstructRequest(storedRequest('POST', `${path.replace('0a/', '0A/')}?x=1`, body), 0)).toEqual({
      operation: 'writeOffLoan',
      params: { tenant_id: 'acme', loan_id: '01890000-0000-7000-8000-00000000000a' },
      body,
      digest: submissionDigest({ method: 'POST', path, body }),
    });
  });

  test('yields for an item of a batch the same as the receipt sent alone', () => {
    const receipts = [{ reference: 'r-1' }, { reference: 'r-2' }];
    const reconstructed = reconstructRequest(storedRequest('POST', '/v1/tenants/acme/receipts/batch', { receipts }), 1);
    const alone = reconstructRequest(storedRequest('POST', '/v1/tenants/acme/receipts', receipts[1]), 0);
    expect(reconstructed).toEqual({ ...alone, params: {} });
    expect(
      reconstructRequest(storedRequest('POST', '/v1/tenants/acme/receipts/batch', { receipts }), 2),
    ).toBeUndefined();
  });

  test.each([
    ['an unknown path', storedRequest('POST', '/v1/tenants/acme/gifts', {})],
    ['a wrong method', storedRequest('DELETE', '/v1/tenants/acme/receipts', {})],
    ['another Tenancy', storedRequest('POST', '/v1/tenants/other/receipts', {})],
    ['a body that is not an object', storedRequest('POST', '/v1/tenants/acme/receipts', [1])],
    ['a body that is not JSON', { ...storedRequest('POST', '/v1/tenants/acme/receipts', {}), body: Buffer.from('{') }],
  ])('yields nothing for %s', (_what, request) => {
    expect(reconstructRequest(request, 0)).toBeUndefined();
  });
});

describe('an unsigned request', () => {
  const target = '/administration/tenants/acme/mintKey';

  test('yields the operation named by its target', () => {
    const reconstructed = reconstructRequest(storedRequest('POST', target, { fp: 'f' }, { isSigned: false }), 0);
    expect(reconstructed).toMatchObject({ operation: 'mintKey', params: {}, body: { fp: 'f' } });
  });

  test('yields nothing for an API route, and a signed one nothing for administration', () => {
    expect(reconstructRequest(storedRequest('POST', target, { fp: 'f' }), 0)).toBeUndefined();
    expect(
      reconstructRequest(storedRequest('POST', '/v1/tenants/acme/receipts', {}, { isSigned: false }), 0),
    ).toBeUndefined();
  });
});
