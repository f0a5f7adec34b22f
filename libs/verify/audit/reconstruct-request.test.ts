import { describe, expect, test } from '@jest/globals';
import { submissionDigest } from '#libs/submission/digest.ts';
import { askedBy, type KeptRequest } from './reconstruct-request.ts';

function kept(method: string, target: string, body: unknown, over: Partial<KeptRequest> = {}): KeptRequest {
  const bytes = Buffer.from(body === undefined ? '' : JSON.stringify(body));
  return { method, target, tenantId: 'acme', body: bytes, isSigned: true, ...over };
}

describe('what a signed request asks for is read from its target and its bytes', () => {
  test('the operation, what its path names, and the digest a retry is compared by', () => {
    const body = { reference: 'a-1', on: '2026-05-01' };
    const path = '/v1/tenants/acme/loans/01890000-0000-7000-8000-00000000000a/write-off';
    expect(askedBy(kept('POST', `${path.replace('0a/', '0A/')}?x=1`, body), 0)).toEqual({
      operation: 'writeOffLoan',
      params: { tenant_id: 'acme', loan_id: '01890000-0000-7000-8000-00000000000a' },
      body,
      digest: submissionDigest({ method: 'POST', path, body }),
    });
  });

  test('a receipt of a batch is the receipt that is sent alone', () => {
    const receipts = [{ reference: 'r-1' }, { reference: 'r-2' }];
    const asked = askedBy(kept('POST', '/v1/tenants/acme/receipts/batch', { receipts }), 1);
    const alone = askedBy(kept('POST', '/v1/tenants/acme/receipts', receipts[1]), 0);
    expect(asked).toEqual({ ...alone, params: {} });
    expect(askedBy(kept('POST', '/v1/tenants/acme/receipts/batch', { receipts }), 2)).toBeUndefined();
  });

  test.each([
    ['a path that is no route', kept('POST', '/v1/tenants/acme/gifts', {})],
    ['a method the route does not take', kept('DELETE', '/v1/tenants/acme/receipts', {})],
    ['another Tenancy', kept('POST', '/v1/tenants/other/receipts', {})],
    ['a body that is no object', kept('POST', '/v1/tenants/acme/receipts', [1])],
    ['a body that is no JSON', { ...kept('POST', '/v1/tenants/acme/receipts', {}), body: Buffer.from('{') }],
  ])('nothing is asked by %s', (_what, request) => {
    expect(askedBy(request, 0)).toBeUndefined();
  });
});

describe('what a person did', () => {
  const target = '/administration/tenants/acme/mintKey';

  test('is named by its target', () => {
    const asked = askedBy(kept('POST', target, { fp: 'f' }, { isSigned: false }), 0);
    expect(asked).toMatchObject({ operation: 'mintKey', params: {}, body: { fp: 'f' } });
  });

  test('is nothing a caller can ask for, nor the other way round', () => {
    expect(askedBy(kept('POST', target, { fp: 'f' }), 0)).toBeUndefined();
    expect(askedBy(kept('POST', '/v1/tenants/acme/receipts', {}, { isSigned: false }), 0)).toBeUndefined();
  });
});
