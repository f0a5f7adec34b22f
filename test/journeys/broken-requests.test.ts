/** Bytes that are no request, sent to the service as it runs: they are answered in the one form like everything else. */
import { connect } from 'node:net';
import { expect, test } from '@jest/globals';
import { house } from './tenant.ts';

function answered(bytes: string): Promise<string> {
  const { hostname, port } = new URL(house().services.baseUrl);
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
  ['a method that HTTP does not know', 'FOO / HTTP/1.1\r\nHost: x\r\n\r\n'],
  ['a length that is no number', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: abc\r\n\r\n'],
  ['a tunnel', 'CONNECT lender.example:443 HTTP/1.1\r\nHost: lender.example:443\r\n\r\n'],
])('%s', async (_, bytes) => {
  const [head = '', body = ''] = (await answered(bytes)).split('\r\n\r\n');
  expect(head).toMatch(/^HTTP\/1\.1 400 /);
  const requestId = /^Request-Id: (\S+)$/m.exec(head)?.[1];
  expect(JSON.parse(body)).toMatchObject({ request_id: requestId, retry: expect.any(String) });
});

test('a request without a Host that expects something is answered by the door', async () => {
  const text = await answered('GET /v1/tenants/x/bounds HTTP/1.1\r\nExpect: foo\r\nConnection: close\r\n\r\n');
  expect(text).toMatch(/^HTTP\/1\.1 401 /);
  expect(text).toMatch(/^Server-Timing: total;dur=/m);
});
