import { describe, expect, test } from '@jest/globals';
import { envelope } from '#libs/api/error-envelope.ts';
import { refuse } from '#libs/schema/refusals.ts';
import { type Answered, holdToDocument } from './held.ts';

const id = '019aa5e0-0000-7000-8000-000000000000';
const asked = { method: 'GET', target: '/v1/tenants/acme/clients/ada/book-version' };
const ofRefusal = {
  'request-id': id,
  'contract-version': '2026-10-15',
  'server-timing': 'total;dur=1.0',
  'cache-control': 'no-store',
  'content-type': 'application/json',
};
const headers = { ...ofRefusal, 'cache-control': 'private, no-cache', vary: 'Contract-Version' };
const sound: Answered = { status: 200, headers, text: '{"client_id":"ada","facts":0}' };

function told(change: Partial<Answered>, target = asked.target, method = 'GET'): string {
  try {
    holdToDocument({ method, target }, { ...sound, ...change });
    return 'held';
  } catch (fault) {
    return (fault as Error).message.split('\n')[0] as string;
  }
}

const notFound = (code: Parameters<typeof refuse>[0], details = {}) => ({
  status: 404,
  headers: ofRefusal,
  text: JSON.stringify({ ...envelope(refuse(code), id), ...details }),
});

test('an answer as the document promises it is held', () => {
  expect(told({})).toBe('held');
  expect(told({ text: '' }, asked.target, 'HEAD')).toBe('held');
});

describe('a fault is told by route, place and reason', () => {
  test.each([
    [
      'a member the document does not name',
      { text: '{"client_id":"ada","facts":0,"more":1}' },
      '"additionalProperty":"more"',
    ],
    ['a member that is missing', { text: '{"client_id":"ada"}' }, "required property 'facts'"],
    ['a member of another form', { text: '{"client_id":"ada","facts":-1}' }, '/facts must be >= 0'],
    [
      'a timestamp that is none',
      { text: '{"client_id":"ada","facts":1,"version":"noon"}' },
      '/version must match format',
    ],
    ['a status that is not declared', { status: 202 }, 'only 200, 400'],
    [
      'a header that is not declared',
      { headers: { ...headers, 'x-powered-by': 'us' } },
      'x-powered-by: is not declared',
    ],
    [
      'parts of the time that overlap',
      {
        headers: {
          ...headers,
          'server-timing': 'total;dur=1.0, queue;dur=0.0, conn;dur=0.7, db;dur=0.7, derive;dur=0.0',
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
      'text/html instead of application/json',
    ],
    ['a code of another route', notFound('no_receipt'), '/code must be equal to one of'],
    ['a code under another status', notFound('unauthenticated'), '/code must be equal to one of'],
    ['another retry', notFound('not_found', { retry: 'never' }), 'never instead of after_record'],
    [
      'a detail the code does not carry',
      notFound('not_found', { details: { recorded_id: 'x' } }),
      'not_found carries no such detail',
    ],
  ])('%s', (_, change, reason) => {
    expect(told(change as Partial<Answered>)).toMatch(/\(readBookVersion\) answered/);
    expect(told(change as Partial<Answered>)).toContain(reason);
  });

  test('an answer where no route is documented', () => {
    expect(told({}, '/v1/tenants/acme/nothing')).toContain('no route is documented there');
    expect(told(notFound('no_route'), '/v1/tenants/acme/nothing')).toBe('held');
    const ofAnother = { ...notFound('no_route'), headers: { ...ofRefusal, 'request-id': 'another' } };
    expect(told(ofAnother, '/v1/tenants/acme/nothing')).toContain('Request-Id');
  });
});

test('a word of the contract goes before a name in its place', () => {
  const target = '/v1/tenants/acme/loans/preview';
  expect(told(notFound('no_quote'), target, 'POST')).toContain('(previewLoan)');
});
