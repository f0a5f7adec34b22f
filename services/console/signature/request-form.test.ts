import { describe, expect, test } from '@jest/globals';
import { emptyForm, readRequestForm } from './request-form.ts';
import { holdsSecret } from './secret-text.ts';
import { differenceFrom, visibleParts } from './visible-text.ts';

const trace = `* Connected to api.example (10.0.0.1) port 443
> POST /v1/tenants/acme/receipts?x=1 HTTP/1.1
> Host: api.example
> Authorization: Service-Ed25519 fp=a,ts=1,sig=b
> idempotency-key: k-1
> Content-Length: 2
>
* upload completely sent off: 2 bytes
< HTTP/1.1 401 Unauthorized
< Request-Id: 01a20a1a-2796-7706-82f6-573a163b0892
<
{"code":"unauthenticated"}`;

const read = (form: Partial<typeof emptyForm>) => readRequestForm({ ...emptyForm, ...form });

describe('a pasted request', () => {
  test('may be the output of curl -v, with the Request-Id of the answer', () => {
    expect(read({ message: trace, body: '{}' })).toEqual({
      method: 'POST',
      target: '/v1/tenants/acme/receipts?x=1',
      authorization: ['Service-Ed25519 fp=a,ts=1,sig=b'],
      idempotencyKey: 'k-1',
      host: 'api.example',
      body: Buffer.from('{}'),
      requestId: '01a20a1a-2796-7706-82f6-573a163b0892',
      contentLength: '2',
      signedText: undefined,
    });
  });

  test('may be a raw message with its body', () => {
    const message = 'PUT /v1/x HTTP/1.1\nAuthorization:  a \nAuthorization: b\n\n{"a":\n1}\n';
    expect(read({ message })).toMatchObject({ authorization: ['a', 'b'], body: Buffer.from('{"a":\n1}\n') });
  });

  test('may be the header alone, with method and URL in their fields', () => {
    const form = { message: 'Service-Ed25519 fp=a', method: 'get', target: 'https://api.example/v1/x?y=1#z' };
    expect(read(form)).toMatchObject({
      authorization: ['Service-Ed25519 fp=a'],
      method: 'get',
      target: '/v1/x?y=1',
      host: 'api.example',
    });
  });

  test.each([
    ['hex', '7b 7d', '{}'],
    ['base64', 'e30=', '{}'],
    ['base64', 'e30', '{}'],
    ['text', ' {} ', ' {} '],
  ])('has a body in %s', (body_as, body, expected) => {
    expect(read({ message: 'GET /v1/x', body, body_as })).toMatchObject({ body: Buffer.from(expected) });
  });

  test.each([
    [{ message: 'Authorization: a' }, 'messageWrong'],
    [{ message: '' }, 'messageWrong'],
    [{ message: 'GET /v1/x', body: '7b7', body_as: 'hex' }, 'bodyWrong'],
    [{ message: 'GET /v1/x', body: '!', body_as: 'base64' }, 'bodyWrong'],
    [{ message: 'GET /v1/x', request_id: 'mine' }, 'requestIdWrong'],
  ])('%j is refused: %s', (form, problem) => {
    expect(read(form)).toEqual({ problem });
  });
});

test.each([
  ['key: lsk_live_nWGxne', true],
  ['LSK_TEST_a', true],
  ['lsk_live_… is how secrets begin', false],
  ['Authorization: Service-Ed25519 fp=a', false],
])('%s: holds a secret %s', (text, expected) => {
  expect(holdsSecret(text)).toBe(expected);
});

test('invisible characters become visible', () => {
  const parts = visibleParts('a b\u200b\r');
  expect(parts.map(({ text }) => text)).toEqual(['a', '␠', 'b', 'U+200B', '␍']);
  expect(parts.map(({ codePoint }) => codePoint)).toEqual([undefined, 'U+0020', undefined, 'U+200B', 'U+000D']);
});

test.each([
  ['abc', 'abc', ['abc', '', '']],
  ['abc', 'axc', ['a', 'b', 'c']],
  ['/v1/v1/x', '/v1/x', ['/v1/', 'v1/', 'x']],
  ['a', '', ['', 'a', '']],
])('%s differs from %s', (text, other, expected) => {
  const { before, differing, after } = differenceFrom(text, other);
  expect([before, differing, after]).toEqual(expected);
});
