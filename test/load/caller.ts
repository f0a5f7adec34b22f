/**
 * A caller that costs little: requests are signed before the clock runs and sent as they are over lines kept open, so
 * that what is measured is the service and not its measure.
 */
import { createHash, createPrivateKey, type KeyObject, sign } from 'node:crypto';
import { canonicalString } from '#libs/auth/canonical.ts';
import { formatAuthorization } from '#libs/auth/header.ts';
import type { Signer } from '#libs/auth/sign.ts';
import { type Answered, Pipeline } from './pipeline.ts';

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

/** One line to the service; one request at a time. */
export class Line {
  readonly #pipeline: Pipeline;
  #reject: ((cause: Error) => void) | undefined;

  private constructor(pipeline: Pipeline) {
    this.#pipeline = pipeline;
    pipeline.whenClosed((cause) => this.#reject?.(cause));
  }

  static async open(port: number): Promise<Line> {
    return new Line(await Pipeline.open(port));
  }

  send(request: Buffer): Promise<Answered> {
    return new Promise((resolve, reject) => {
      this.#reject = reject;
      this.#pipeline.send(request, resolve);
    });
  }

  close(): void {
    this.#pipeline.close();
  }
}
