/** Bytes that are not a valid HTTP request are answered with the common refusal envelope. */
import { connect } from 'node:net';
import { expect, test } from '@jest/globals';
import { type ReceivedResponse, validateResponse } from '#test/openapi/document-validator.ts';
import { requestBytes } from '#test/support/signed-request.ts';
import { Tenant, testEnvironment } from '#test/support/tenant.ts';

/** The parsed response, validated against the OpenAPI document. */
async function sendRaw(bytes: string): Promise<ReceivedResponse> {
  const [, method = '', target = ''] = /^(\S+) (\S+) /.exec(bytes) ?? [];
  const [head = '', text = ''] = (await exchange(bytes)).split('\r\n\r\n');
  const [line = '', ...lines] = head.split('\r\n');
  const headers = Object.fromEntries(
    lines.map((each) => [each.slice(0, each.indexOf(':')).toLowerCase(), each.slice(each.indexOf(':') + 2)]),
  );
  const answer = { status: Number(line.split(' ')[1]), headers, text };
  validateResponse({ method, target }, answer);
  return answer;
}

function exchange(bytes: string): Promise<string> {
  const { hostname, port } = new URL(testEnvironment().services.baseUrl);
  return new Promise((resolve, reject) => {
    let text = '';
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    socket.setEncoding('utf8');
    socket.on('data', (chunk: string) => {
      text += chunk;
    });
    socket.on('end', () => resolve(text));
    socket.on('error', reject);
  });
}

test.each([
  ['a method that HTTP does not define', 'FOO / HTTP/1.1\r\nHost: x\r\n\r\n'],
  ['a Content-Length that is not a number', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: abc\r\n\r\n'],
  ['a CONNECT request', 'CONNECT lender.example:443 HTTP/1.1\r\nHost: lender.example:443\r\n\r\n'],
])('%s is answered with 400 and a request id', async (_, bytes) => {
  const { status, headers, text } = await sendRaw(bytes);
  expect(status).toBe(400);
  expect(JSON.parse(text)).toMatchObject({ request_id: headers['request-id'] });
});

test('a request without a Host header and with an Expect header is answered by the request pipeline', async () => {
  const { status, headers } = await sendRaw(
    'GET /v1/tenants/x/bounds HTTP/1.1\r\nExpect: foo\r\nConnection: close\r\n\r\n',
  );
  expect(status).toBe(401);
  expect(headers['server-timing']).toMatch(/^total;dur=/);
});

test('a recorded write is answered 201 although an invalid byte follows it in the same segment', async () => {
  const tenant = await Tenant.open(testEnvironment());
  const target = `/v1/tenants/${tenant.id}/clients/ana`;
  const signed = requestBytes(tenant.signer, 'PUT', target, { actor: 'ana', basis: 'walked in' });
  const answers = await exchange(`${signed.toString('latin1')}\0`);
  expect([...answers.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)).toEqual(['201', '400']);
  await tenant.close();
});
