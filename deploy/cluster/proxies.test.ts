/** The proxies of the cluster pass data to servers, and stop it for a server that is isolated. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer as createTlsServer, connect as tlsConnect } from 'node:tls';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { freePort } from '../dev/ports.ts';
import { CertificateAuthority } from './certificates.ts';
import { until } from './cluster.ts';
import type { ProxyConfiguration } from './proxy-routes.ts';

let dir: string;
let server: Server;
let proxies: ChildProcess;
let controlPort: number;
let port: number;

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'lending-proxies-'));
  server = createServer((socket) => socket.pipe(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  controlPort = await freePort();
  port = await freePort(new Set([controlPort]));
  writeFileSync(join(dir, 'ca.pem'), '');
  const target = (server.address() as AddressInfo).port;
  const configuration: ProxyConfiguration = {
    controlPort,
    caFile: join(dir, 'ca.pem'),
    routes: [{ from: 'callers', to: 'echo', host: '127.0.0.1', port, target }],
    postgres: [],
  };
  writeFileSync(join(dir, 'proxies.json'), JSON.stringify(configuration));
  proxies = spawn(process.execPath, [join(import.meta.dirname, 'proxies.ts'), join(dir, 'proxies.json')]);
  await until('the proxies', 20_000, async () => (await isolate([])) === 200);
  await until('the proxy of the server', 20_000, canConnect);
});
afterAll(async () => {
  proxies.kill('SIGKILL');
  server.close();
  rmSync(dir, { recursive: true, force: true });
});

async function isolate(names: readonly string[]): Promise<number> {
  const options = { method: 'PUT', body: JSON.stringify(names) };
  return (await fetch(`http://127.0.0.1:${controlPort}`, options)).status;
}

async function canConnect(): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  // Rejects with the error of a refused connection.
  const isConnected = await once(socket, 'connect').then(
    () => true,
    () => false,
  );
  socket.destroy();
  return isConnected;
}

async function answerTo(socket: Socket, text: string): Promise<string> {
  socket.write(text);
  const [answer] = (await once(socket, 'data')) as [Buffer];
  return answer.toString();
}

test('an isolated server keeps its connections, and answers what was sent once it is reachable again', async () => {
  const socket = connect(port, '127.0.0.1');
  expect(await answerTo(socket, 'before')).toBe('before');
  await isolate(['echo']);
  let received = '';
  const answer = answerTo(socket, 'during').then((text) => {
    received = text;
  });
  const other = connect(port, '127.0.0.1');
  const otherAnswer = answerTo(other, 'new connection');
  // The other server of the process still answers, so the loop of the proxies has run meanwhile.
  expect(await isolate(['echo'])).toBe(200);
  expect(received).toBe('');
  await isolate([]);
  await answer;
  expect(received).toBe('during');
  expect(await otherAnswer).toBe('new connection');
  socket.destroy();
  other.destroy();
});

test('a caller of a server that has ended is refused until the server listens again', async () => {
  const { port: target } = server.address() as AddressInfo;
  server.close();
  await until('a refused connection', 10_000, async () => !(await canConnect()));
  server.listen(target, '127.0.0.1');
  await until('a connection', 10_000, canConnect);
});

test('a certificate issued for a server is accepted by a caller that trusts the authority', async () => {
  const authority = await CertificateAuthority.open(join(dir, 'certificates'));
  const [first] = await Promise.all([authority.issue('one'), authority.issue('two')]);
  const files = { cert: readFileSync(first.certificate), key: readFileSync(first.key) };
  const tlsServer = createTlsServer(files, (socket) => socket.end('hello'));
  await new Promise<void>((resolve) => tlsServer.listen(0, '127.0.0.1', resolve));
  const { port: tlsPort } = tlsServer.address() as AddressInfo;
  const socket = tlsConnect({ host: '127.0.0.1', port: tlsPort, ca: readFileSync(authority.file) });
  const [greeting] = (await once(socket, 'data')) as [Buffer];
  expect(greeting.toString()).toBe('hello');
  expect(socket.getPeerCertificate().subject.CN).toBe('one');
  socket.destroy();
  tlsServer.close();
});
