/** Bytes that are no request, sent to the service as it runs: they are answered in the one form like everything else. */
import { connect } from 'node:net';
import { expect, test } from '@jest/globals';
import { type Answered, holdToDocument } from '#test/openapi/held.ts';
import { house } from './tenant.ts';

/** Held to the document like every other answer. */
async function answered(bytes: string): Promise<Answered> {
  const [, method = '', target = ''] = /^(\S+) (\S+) /.exec(bytes) ?? [];
  const [head = '', text = ''] = (await said(bytes)).split('\r\n\r\n');
  const [line = '', ...lines] = head.split('\r\n');
  const headers = Object.fromEntries(
    lines.map((each) => [each.slice(0, each.indexOf(':')).toLowerCase(), each.slice(each.indexOf(':') + 2)]),
  );
  const answer = { status: Number(line.split(' ')[1]), headers, text };
  holdToDocument({ method, target }, answer);
  return answer;
}

function said(bytes: string): Promise<string> {
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
  const { status, headers, text } = await answered(bytes);
  expect(status).toBe(400);
  expect(JSON.parse(text)).toMatchObject({ request_id: headers['request-id'] });
});

test('a request without a Host that expects something is answered by the door', async () => {
  const { status, headers } = await answered(
    'GET /v1/tenants/x/bounds HTTP/1.1\r\nExpect: foo\r\nConnection: close\r\n\r\n',
  );
  expect(status).toBe(401);
  expect(headers['server-timing']).toMatch(/^total;dur=/);
});
