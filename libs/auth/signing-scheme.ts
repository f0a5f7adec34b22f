/** The `Service-Ed25519` scheme: what a signature covers, and how the `Authorization` header carries it. */
import { createHash } from 'node:crypto';

/** What a signature covers. */
export interface SignedContent {
  /** Upper case. */
  readonly method: string;
  /** The request target exactly as on the request line. */
  readonly target: string;
  /** Unix time in whole seconds, decimal. */
  readonly ts: string;
  /** SHA-256 of the body bytes as sent, lower-case hexadecimal. */
  readonly bodySha256: string;
  /** The header's value, if the request carries the header. */
  readonly idempotencyKey?: string | undefined;
}

/** The lines of the contract, joined by single line feeds, none at the end. */
export function canonicalString({ method, target, ts, bodySha256, idempotencyKey }: SignedContent): string {
  const required = `${method}\n${target}\n${ts}\n${bodySha256}`;
  return idempotencyKey === undefined ? required : `${required}\n${idempotencyKey}`;
}

/** The name of a key: the first 16 bytes of the SHA-256 of its public half, in lower-case hexadecimal. */
export function fingerprint(publicKey: Uint8Array): string {
  return createHash('sha256').update(publicKey).digest('hex').slice(0, 32);
}

/** The parameters of the `Authorization` header. */
export interface Credentials {
  readonly fp: string;
  readonly ts: string;
  readonly signature: Uint8Array;
}

const authorizationForm = /^Service-Ed25519 fp=([0-9a-f]{32}),ts=(0|[1-9][0-9]{0,15}),sig=([A-Za-z0-9_-]{86})$/;

export const signatureBytes = 64;

/** Exactly the three parameters in their order, without spaces; undefined for anything else. */
export function parseAuthorization(value: string): Credentials | undefined {
  const [, fp, ts, sig] = authorizationForm.exec(value) ?? [];
  if (fp === undefined || ts === undefined || sig === undefined) return undefined;
  const signature = fromBase64url(sig, signatureBytes);
  return signature && { fp, ts, signature };
}

export function formatAuthorization({ fp, ts, signature }: Credentials): string {
  return `Service-Ed25519 fp=${fp},ts=${ts},sig=${toBase64url(signature)}`;
}

/** How far the caller's clock may differ from ours. */
export const maxClockSkewSeconds = 300;

export function isWithinClockSkew(ts: string, nowMs: number): boolean {
  return Math.abs(Math.floor(nowMs / 1000) - Number(ts)) <= maxClockSkewSeconds;
}

export function toBase64url(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64url');
}

/** The bytes, or undefined where the text is not exactly what `toBase64url` writes for some bytes of that length. */
export function fromBase64url(text: string, length: number): Uint8Array | undefined {
  const bytes = Buffer.from(text, 'base64url');
  return bytes.length === length && bytes.toString('base64url') === text ? bytes : undefined;
}
