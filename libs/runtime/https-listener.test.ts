/** The HTTP server with a certificate: HTTPS, and a certificate that is replaced while it serves. */
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { CertificateAuthority } from '#deploy/cluster/certificates.ts';
import { eventually } from '#test/support/tenant.ts';
import { followTls } from './follow-setting.ts';
import { type HttpListener, listen } from './http-listener.ts';
import { httpTls } from './settings.ts';

let dir: string;
let authority: CertificateAuthority;
let ca: string;
let server: HttpListener;
let [cert, key] = ['', ''];
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'lending-https-'));
  authority = await CertificateAuthority.open(dir);
  ca = readFileSync(authority.file, 'utf8');
  [cert, key] = [join(dir, 'tls.crt'), join(dir, 'tls.key')];
  await replaceCertificate('first');
  server = await listen((_, response) => response.end('answered'), {
    host: '127.0.0.1',
    port: 0,
    tls: (onChange) => followTls({ HTTP_CERT: cert, HTTP_KEY: key }, httpTls, undefined, onChange),
    onBrokenRequest: (_, socket) => socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n'),
  });
});
afterAll(async () => {
  await server.close();
  rmSync(dir, { recursive: true });
});

async function replaceCertificate(name: string): Promise<void> {
  const files = await authority.issue(name);
  copyFileSync(files.certificate, cert);
  copyFileSync(files.key, key);
}

/** The name in the certificate with which a request was answered. */
function answeringName(agent: Agent): Promise<string> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port: server.port, agent, ca }, (response) => {
      response.resume();
      resolve(String((response.socket as TLSSocket).getPeerCertificate().subject.CN));
    });
    sent.once('error', reject).end();
  });
}

test('requests are answered by HTTPS, and new connections use a replaced certificate', async () => {
  const kept = new Agent({ keepAlive: true, maxSockets: 1 });
  expect(await answeringName(kept)).toBe('first');
  await replaceCertificate('second');
  await eventually(async () => (await answeringName(new Agent())) === 'second');
  expect(await answeringName(kept)).toBe('first');
  kept.destroy();
});

test('a caller without TLS is disconnected, and others are served', async () => {
  const plain = connect(server.port, '127.0.0.1').on('error', () => undefined);
  plain.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  expect((await buffer(plain)).toString()).not.toContain('HTTP/1.1 200');
  expect(await answeringName(new Agent())).toBe('second');
});

test('a request before malformed bytes on the same connection is answered first', async () => {
  const socket = connectTls({ host: '127.0.0.1', port: server.port, ca });
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\nGARBAGE\r\n\r\n');
  expect((await text(socket)).match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 400']);
});
