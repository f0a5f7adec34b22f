import { describe, expect, test } from '@jest/globals';
import { refusalBody } from '#libs/schema/refusal-json.ts';
import { refuse } from '#libs/schema/refusals.ts';
import { type ReceivedResponse, validateResponse } from './document-validator.ts';

const id = '019aa5e0-0000-7000-8000-000000000000';
const request = { method: 'GET', target: '/v1/tenants/acme/clients/ada/book-version' };
const refusalHeaders = {
  'request-id': id,
  'contract-version': '2026-10-15',
  'server-timing': 'total;dur=1.0',
  'cache-control': 'no-store',
  'content-type': 'application/json',
};
const headers = { ...refusalHeaders, 'cache-control': 'private, no-cache', vary: 'Contract-Version' };
const valid: ReceivedResponse = { status: 200, headers, text: '{"client_id":"ada","facts":0}' };

function resultOf(change: Partial<ReceivedResponse>, target = request.target, method = 'GET'): string {
  try {
    validateResponse({ method, target }, { ...valid, ...change });
    return 'valid';
  } catch (fault) {
    return (fault as Error).message.split('\n')[0] as string;
  }
}

const notFound = (code: Parameters<typeof refuse>[0], details = {}) => ({
  status: 404,
  headers: refusalHeaders,
  text: JSON.stringify({ ...refusalBody(refuse(code), id), ...details }),
});

test('a response that the document allows is valid', () => {
  expect(resultOf({})).toBe('valid');
  expect(resultOf({ text: '' }, request.target, 'HEAD')).toBe('valid');
});

describe('an invalid response is an error with route, place and problem', () => {
  test.each([
    [
      'a member the document does not name',
      { text: '{"client_id":"ada","facts":0,"more":1}' },
      '"additionalProperty":"more"',
    ],
    ['a member that is missing', { text: '{"client_id":"ada"}' }, "required property 'facts'"],
    ['a member of another form', { text: '{"client_id":"ada","facts":-1}' }, '/facts must be >= 0'],
    [
      'a value that is not a timestamp',
      { text: '{"client_id":"ada","facts":1,"version":"noon"}' },
      '/version must match format',
    ],
    ['a status that is not declared', { status: 202 }, 'declares only 200, 400'],
    [
      'a header that is not declared',
      { headers: { ...headers, 'x-powered-by': 'us' } },
      'x-powered-by: is not declared',
    ],
    [
      'Server-Timing parts that do not add up to the total',
      {
        headers: {
          ...headers,
          'server-timing': 'total;dur=1.0, queue;dur=0.0, conn;dur=0.9, db;dur=1.7, derive;dur=0.0',
        },
      },
      'Server-Timing: its parts',
    ],
    [
      'a header that is missing',
      { headers: { ...headers, 'request-id': undefined } },
      'Request-Id: is declared and missing',
    ],
    [
      'another media type',
      { headers: { ...headers, 'content-type': 'text/html' } },
      'text/html; expected application/json',
    ],
    ['a code of another route', notFound('no_receipt'), '/code must be equal to one of'],
    ['a code under another status', notFound('unauthenticated'), '/code must be equal to one of'],
    ['another retry', notFound('not_found', { retry: 'never' }), 'never; expected after_record'],
    [
      'a detail that the code does not have',
      notFound('not_found', { details: { recorded_id: 'x' } }),
      'no such detail for not_found',
    ],
  ])('%s', (_, change, problem) => {
    expect(resultOf(change as Partial<ReceivedResponse>)).toMatch(/\(readBookVersion\) answered/);
    expect(resultOf(change as Partial<ReceivedResponse>)).toContain(problem);
  });

  test('a response of an unknown path', () => {
    expect(resultOf({}, '/v1/tenants/acme/nothing')).toContain('the document has no such route');
    expect(resultOf(notFound('no_route'), '/v1/tenants/acme/nothing')).toBe('valid');
    const otherRequestId = { ...notFound('no_route'), headers: { ...refusalHeaders, 'request-id': 'another' } };
    expect(resultOf(otherRequestId, '/v1/tenants/acme/nothing')).toContain('Request-Id');
  });
});

test('a literal segment matches before a named one', () => {
  const target = '/v1/tenants/acme/loans/preview';
  expect(resultOf(notFound('no_quote'), target, 'POST')).toContain('(previewLoan)');
});
