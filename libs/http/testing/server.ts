import { connect } from 'node:net';
import { type KeyHolder, KeyTable, type Scope } from '#libs/auth/key-ring.ts';
import { authorize, mintKey, type Signer, signerFromText } from '#libs/auth/sign.ts';
import { answerBrokenRequest } from '#libs/http/broken-request.ts';
import { entranceTo } from '#libs/http/middleware.ts';
import { type PipelineOptions, RequestPipeline } from '#libs/http/request-pipeline.ts';
import { listen } from '#libs/runtime/http.ts';

/** A door on a free port behind its real entrance, with two Tenancies and their keys. */
export interface Served {
  readonly port: number;
  readonly ring: KeyTable;
  close(): Promise<void>;
}

export interface Keyed {
  readonly tenantId?: string;
  readonly scope?: Scope;
  readonly holder?: KeyHolder;
}

export function addKey(ring: KeyTable, { tenantId = 'acme', scope = 'write', holder = 'service' }: Keyed = {}): Signer {
  const minted = mintKey('test');
  ring.putKey({ publicKey: minted.publicKey, tenantId, scope, holder });
  const signer = signerFromText(minted.secret);
  if (signer === undefined) throw new Error('a minted secret is not read');
  return signer;
}

export function twoTenancies(): KeyTable {
  const ring = new KeyTable();
  const home = { jurisdiction: 'MX', timeZone: 'America/Mexico_City' };
  ring.putTenancy({ id: 'acme', live: false, ...home });
  ring.putTenancy({ id: 'vivid', live: true, ...home });
  return ring;
}

export async function serve(options: Omit<PipelineOptions, 'keyRing'>, ring = twoTenancies()): Promise<Served> {
  const door = new RequestPipeline({ keyRing: ring, ...options });
  const { turnAway } = door;
  const { port, close } = await listen(entranceTo(door), 0, {
    host: '127.0.0.1',
    answerBroken: answerBrokenRequest,
    turnAway,
  });
  return { port, ring, close };
}

export interface Sent {
  readonly method?: string;
  readonly target?: string;
  /** Header lines beside Host, in the order and spelling they are to be sent. */
  readonly headers?: readonly string[];
  readonly body?: string | Buffer;
  /** Where stated, the request is signed with it. */
  readonly signer?: Signer | undefined;
  readonly idempotencyKey?: string;
  readonly nowMs?: number;
}

export interface Got {
  readonly status: number;
  /** By lower-case name. */
  readonly headers: { readonly [name: string]: string };
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever was answered
  readonly json: any;
}

/** The bytes of a request, so that a test says exactly what goes over the line. */
export function written(sent: Sent): Buffer {
  const { method = 'GET', target = '/v1/tenants/acme/bounds', headers = [], body, signer, idempotencyKey } = sent;
  const lines = [`${method} ${target} HTTP/1.1`, 'Host: localhost', ...headers];
  if (idempotencyKey !== undefined) lines.push(`Idempotency-Key: ${idempotencyKey}`);
  if (signer !== undefined) {
    const nowMs = sent.nowMs ?? Date.now();
    const bytes = body === undefined ? undefined : Buffer.from(body);
    lines.push(`Authorization: ${authorize(signer, { method, target, body: bytes, idempotencyKey, nowMs })}`);
  }
  const isMeasured = headers.some((line) => /^(content-length|transfer-encoding)/i.test(line));
  if (body !== undefined && !isMeasured) lines.push(`Content-Length: ${Buffer.byteLength(body)}`);
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), Buffer.from(body ?? '')]);
}

/** Sends bytes over a line of its own and reads one answer. */
export function exchange(port: number, bytes: Buffer, isHead = false): Promise<Got> {
  return new Promise((resolve, reject) => {
    let received = Buffer.alloc(0);
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    const settle = (): void => {
      const got = parse(received, isHead);
      if (got === undefined) return;
      socket.destroy();
      resolve(got);
    };
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk]);
      settle();
    });
    socket.on('error', reject);
    socket.on('close', () => reject(new Error(`closed after ${received.toString('latin1')}`)));
  });
}

export function send(port: number, sent: Sent): Promise<Got> {
  return exchange(port, written(sent), sent.method === 'HEAD');
}

function parse(received: Buffer, isHead: boolean): Got | undefined {
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
