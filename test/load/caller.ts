/**
 * A caller that costs little: requests are signed before the clock runs and sent as they are over lines kept open, so
 * that what is measured is the service and not its measure.
 */
import { createHash, createPrivateKey, type KeyObject, sign } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { canonicalString } from '#libs/signing/canonical.ts';
import { formatAuthorization } from '#libs/signing/header.ts';
import type { Signer } from '#libs/signing/sign.ts';

// DER of an Ed25519 private key, before its seed.
const pkcs8 = Buffer.from('302e020100300506032b657004220420', 'hex');
const keys = new Map<string, KeyObject>();

/** Signed by the machine's own code: the library that callers sign with everywhere is a hundred times slower. */
function keyOf({ fp, secretKey }: Signer): KeyObject {
  const known = keys.get(fp);
  if (known !== undefined) return known;
  const der = Buffer.concat([pkcs8, secretKey.subarray(0, 32)]);
  const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  keys.set(fp, key);
  return key;
}

export interface Unsigned {
  readonly method: string;
  readonly target: string;
  readonly body: Uint8Array;
  readonly idempotencyKey?: string | undefined;
}

export function authorization(signer: Signer, { method, target, body, idempotencyKey }: Unsigned): string {
  const ts = String(Math.floor(Date.now() / 1_000));
  const bodySha256 = createHash('sha256').update(body).digest('hex');
  const canonical = canonicalString({ method, target, ts, bodySha256, idempotencyKey });
  return formatAuthorization({ fp: signer.fp, ts, signature: sign(null, Buffer.from(canonical), keyOf(signer)) });
}

/** The bytes of a whole request, good for five minutes. */
export function requestBytes(signer: Signer, method: string, target: string, body: object): Buffer {
  const bytes = Buffer.from(JSON.stringify(body));
  const lines = [
    `${method} ${target} HTTP/1.1`,
    'Host: bench',
    `Authorization: ${authorization(signer, { method, target, body: bytes })}`,
    'Content-Type: application/json',
    `Content-Length: ${bytes.length}`,
  ];
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), bytes]);
}

export interface Answered {
  readonly status: number;
  readonly body: string;
}

/** One line to the service; one request at a time. */
export class Line {
  readonly #socket: Socket;
  #received: Buffer = Buffer.alloc(0);
  #waiting: { resolve: (answered: Answered) => void; reject: (cause: Error) => void } | undefined;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.setNoDelay(true);
    socket.on('data', (chunk) => this.#take(chunk));
    socket.on('error', (cause) => this.#fail(cause));
    socket.on('close', () => this.#fail(new Error('the line was closed')));
  }

  static open(port: number): Promise<Line> {
    return new Promise((resolve, reject) => {
      const socket = connect({ port, host: '127.0.0.1' }, () => resolve(new Line(socket)));
      socket.once('error', reject);
    });
  }

  send(request: Buffer): Promise<Answered> {
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
      this.#socket.write(request);
    });
  }

  close(): void {
    this.#socket.destroy();
  }

  #fail(cause: Error): void {
    this.#waiting?.reject(cause);
    this.#waiting = undefined;
  }

  #take(chunk: Buffer): void {
    this.#received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk]);
    const head = this.#received.indexOf('\r\n\r\n');
    if (head === -1) return;
    const fields = this.#received.toString('latin1', 0, head);
    const length = Number(/content-length: (\d+)/i.exec(fields)?.[1] ?? 0);
    const end = head + 4 + length;
    if (this.#received.length < end) return;
    const answered = { status: Number(fields.slice(9, 12)), body: this.#received.toString('utf8', head + 4, end) };
    this.#received = this.#received.subarray(end);
    const waiting = this.#waiting;
    this.#waiting = undefined;
    waiting?.resolve(answered);
  }
}
