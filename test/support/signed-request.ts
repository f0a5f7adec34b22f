/** Signs requests with Node's crypto, which is much faster than the library that callers use. */
import { createHash, createPrivateKey, type KeyObject, sign } from 'node:crypto';
import type { Signer } from '#libs/auth/signer.ts';
import { canonicalString, formatAuthorization } from '#libs/auth/signing-scheme.ts';

// DER header of an Ed25519 private key; the seed follows.
const pkcs8Header = Buffer.from('302e020100300506032b657004220420', 'hex');
const keysByFingerprint = new Map<string, KeyObject>();

function keyOf({ fp, secretKey }: Signer): KeyObject {
  const existing = keysByFingerprint.get(fp);
  if (existing !== undefined) return existing;
  const der = Buffer.concat([pkcs8Header, secretKey.subarray(0, 32)]);
  const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  keysByFingerprint.set(fp, key);
  return key;
}

export interface UnsignedRequest {
  readonly method: string;
  readonly target: string;
  readonly body: Uint8Array;
  readonly idempotencyKey?: string | undefined;
}

/** The value of the Authorization header. */
export function authorization(signer: Signer, { method, target, body, idempotencyKey }: UnsignedRequest): string {
  const ts = String(Math.floor(Date.now() / 1_000));
  const bodySha256 = createHash('sha256').update(body).digest('hex');
  const canonical = canonicalString({ method, target, ts, bodySha256, idempotencyKey });
  return formatAuthorization({ fp: signer.fp, ts, signature: sign(null, Buffer.from(canonical), keyOf(signer)) });
}

/** The bytes of a signed HTTP request with a JSON body. The signature is valid for five minutes. */
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

/** The same for a read, with more headers where they are stated. */
export function readBytes(signer: Signer, target: string, headers: readonly string[] = []): Buffer {
  const credentials = authorization(signer, { method: 'GET', target, body: new Uint8Array() });
  const head = [`GET ${target} HTTP/1.1`, 'Host: bench', `Authorization: ${credentials}`, ...headers];
  return Buffer.from(`${head.join('\r\n')}\r\n\r\n`);
}
