import { connect } from 'node:net';
import { InMemoryKeyRing, type KeyHolder, type Scope } from '#libs/auth/key-ring.ts';
import { authorizationHeader, generateKey, parseSigner, type Signer } from '#libs/auth/signer.ts';
import { type AppOptions, createApp } from '#libs/http/app.ts';
import { answerBrokenRequest } from '#libs/http/send-response.ts';
import { listen } from '#libs/runtime/http-listener.ts';

/** The HTTP application on a free port, with the keys of two Tenancies. */
export interface TestServer {
  readonly port: number;
  readonly keyRing: InMemoryKeyRing;
  close(): Promise<void>;
}

export interface TestKeyOptions {
  readonly tenantId?: string;
  readonly scope?: Scope;
  readonly holder?: KeyHolder;
}

export function addKey(
  keyRing: InMemoryKeyRing,
  { tenantId = 'acme', scope = 'write', holder = 'service' }: TestKeyOptions = {},
): Signer {
  const generated = generateKey('test');
  keyRing.putKey({ publicKey: generated.publicKey, tenantId, scope, holder });
  const signer = parseSigner(generated.secret);
  if (signer === undefined) throw new Error('the generated secret is malformed');
  return signer;
}

export function keyRingOfTwoTenancies(): InMemoryKeyRing {
  const keyRing = new InMemoryKeyRing();
  const home = { jurisdiction: 'MX', timeZone: 'America/Mexico_City' };
  keyRing.putTenancy({ id: 'acme', live: false, ...home });
  keyRing.putTenancy({ id: 'vivid', live: true, ...home });
  return keyRing;
}

export async function startTestServer(
  options: Omit<AppOptions, 'keyRing'>,
  keyRing = keyRingOfTwoTenancies(),
): Promise<TestServer> {
  const app = createApp({ keyRing, ...options });
  const { port, close } = await listen(app, { host: '127.0.0.1', port: 0, onBrokenRequest: answerBrokenRequest });
  return { port, keyRing, close };
}

export interface TestRequest {
  readonly method?: string;
  readonly target?: string;
  /** Header lines after Host, sent in this order and spelling. */
  readonly headers?: readonly string[];
  readonly body?: string | Buffer;
  /** Signs the request. */
  readonly signer?: Signer | undefined;
  readonly idempotencyKey?: string;
  readonly nowMs?: number;
}

export interface TestResponse {
  readonly status: number;
  /** By lower-case name. */
  readonly headers: { readonly [name: string]: string };
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever was answered
  readonly json: any;
}

/** The exact bytes of a request. */
export function requestBytes(request: TestRequest): Buffer {
  const { method = 'GET', target = '/v1/tenants/acme/bounds', headers = [], body, signer, idempotencyKey } = request;
  const lines = [`${method} ${target} HTTP/1.1`, 'Host: localhost', ...headers];
  if (idempotencyKey !== undefined) lines.push(`Idempotency-Key: ${idempotencyKey}`);
  if (signer !== undefined) {
    const nowMs = request.nowMs ?? Date.now();
    const bytes = body === undefined ? undefined : Buffer.from(body);
    lines.push(`Authorization: ${authorizationHeader(signer, { method, target, body: bytes, idempotencyKey, nowMs })}`);
  }
  const isMeasured = headers.some((line) => /^(content-length|transfer-encoding)/i.test(line));
  if (body !== undefined && !isMeasured) lines.push(`Content-Length: ${Buffer.byteLength(body)}`);
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), Buffer.from(body ?? '')]);
}

/** Sends bytes on a new connection in one write, and reads everything until the server closes it. */
export function exchange(port: number, bytes: Buffer, encoding: BufferEncoding = 'utf8'): Promise<string> {
  return new Promise((resolve, reject) => {
    let received = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    socket.setEncoding(encoding).on('data', (chunk: string) => {
      received += chunk;
    });
    socket.on('error', reject).on('end', () => resolve(received));
  });
}

/** Sends bytes on a new connection and reads one answer. */
export function sendBytes(port: number, bytes: Buffer, isHead = false): Promise<TestResponse> {
  return new Promise((resolve, reject) => {
    let received = Buffer.alloc(0);
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    const settle = (): void => {
      const response = parse(received, isHead);
      if (response === undefined) return;
      socket.destroy();
      resolve(response);
    };
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk]);
      settle();
    });
    socket.on('error', reject);
    socket.on('close', () => reject(new Error(`closed after ${received.toString('latin1')}`)));
  });
}

export function send(port: number, request: TestRequest): Promise<TestResponse> {
  return sendBytes(port, requestBytes(request), request.method === 'HEAD');
}

function parse(received: Buffer, isHead: boolean): TestResponse | undefined {
  const end = received.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const [first = '', ...lines] = received.subarray(0, end).toString('latin1').split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 2)]),
  );
  const status = Number(first.split(' ')[1]);
  const text = received.subarray(end + 4).toString();
  const expected = isHead || status === 304 ? 0 : Number(headers['content-length'] ?? 0);
  if (Buffer.byteLength(text) < expected) return undefined;
  const isJson = headers['content-type'] === 'application/json' && text !== '';
  return { status, headers, text, json: isJson ? JSON.parse(text) : undefined };
}
