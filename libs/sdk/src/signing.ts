/** Signs requests with Ed25519: by WebCrypto where it supports it (Node, current browsers), else by tweetnacl. */
import nacl from 'tweetnacl';
import { fromBase64url, toBase64url } from './base64url.ts';

/** Signs with a key. Implement it for a secret that is kept in a key service or an HSM. */
export interface Signer {
  /** The key's fingerprint: the first 16 bytes of SHA-256 of its public half, in lower-case hexadecimal. */
  readonly fp: string;
  /** The 64 bytes of the Ed25519 signature. */
  sign(message: Uint8Array<ArrayBuffer>): Promise<Uint8Array> | Uint8Array;
}

/** The signed parts of a request. */
export interface RequestToSign {
  readonly method: string;
  /** Path and query exactly as on the request line. */
  readonly target: string;
  readonly body: Uint8Array<ArrayBuffer>;
  readonly idempotencyKey?: string | undefined;
  /** Unix time in seconds. Valid for five minutes, so every attempt has its own. */
  readonly ts: number;
}

const secretForm = /^lsk_(?:live|test)_([A-Za-z0-9_-]{43})$/;
// The DER prefix of an Ed25519 private key, before its seed.
const pkcs8 = [0x30, 0x2e, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x04, 0x22, 0x04, 0x20];
const utf8 = new TextEncoder();

/** Undefined where the text is not a secret. Extra bits in its last character mean that it was copied wrongly. */
export function seedOf(secret: string): Uint8Array<ArrayBuffer> | undefined {
  const [, encoded = ''] = secretForm.exec(secret) ?? [];
  const seed = fromBase64url(encoded);
  return encoded !== '' && toBase64url(seed) === encoded ? seed : undefined;
}

/** The signer of a secret as it was printed when the key was minted: `lsk_live_…` or `lsk_test_…`. */
export async function openSigner(secret: string): Promise<Signer> {
  const seed = seedOf(secret);
  if (seed === undefined)
    throw new TypeError('the key is not the secret of a lending key; expected lsk_live_… or lsk_test_…');
  const { publicKey, secretKey } = nacl.sign.keyPair.fromSeed(seed);
  const fp = (await sha256(new Uint8Array(publicKey))).slice(0, 32);
  return { fp, sign: (await nativeSign(seed)) ?? ((message) => nacl.sign.detached(message, secretKey)) };
}

/** Ed25519 of WebCrypto, a hundred times as fast; undefined where it is not supported. */
async function nativeSign(seed: Uint8Array): Promise<Signer['sign'] | undefined> {
  const der = new Uint8Array([...pkcs8, ...seed]);
  try {
    const key = await crypto.subtle.importKey('pkcs8', der, { name: 'Ed25519' }, false, ['sign']);
    return async (message) => new Uint8Array(await crypto.subtle.sign('Ed25519', key, message));
  } catch {
    return undefined;
  }
}

/** The value of the `Authorization` header. */
export async function authorizationHeader(signer: Signer, signed: RequestToSign): Promise<string> {
  const signature = await signer.sign(utf8.encode(await canonicalString(signed)));
  return `Service-Ed25519 fp=${signer.fp},ts=${signed.ts},sig=${toBase64url(signature)}`;
}

/** The lines that the contract lists, joined by line feeds, without one at the end. */
export async function canonicalString({ method, target, ts, body, idempotencyKey }: RequestToSign): Promise<string> {
  const lines = [method, target, String(ts), await sha256(body)];
  if (idempotencyKey !== undefined) lines.push(idempotencyKey);
  return lines.join('\n');
}

async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  if (globalThis.crypto?.subtle === undefined)
    throw new Error('WebCrypto is missing; in a browser the page must be served over https');
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
