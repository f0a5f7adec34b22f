/** The caller's side of signing: secrets as they are shown to people, key pairs, and the `Authorization` header. */
import { createHash } from 'node:crypto';
import nacl from 'tweetnacl';
import {
  canonicalString,
  fingerprint,
  formatAuthorization,
  fromBase64url,
  toBase64url,
} from '#libs/auth/signing-scheme.ts';

export type KeyEnvironment = 'live' | 'test';

export interface SecretKey {
  readonly environment: KeyEnvironment;
  readonly seed: Uint8Array;
}

const seedBytes = 32;
const secretForm = /^lsk_(live|test)_([A-Za-z0-9_-]{43})$/;

export function formatSecret({ environment, seed }: SecretKey): string {
  return `lsk_${environment}_${toBase64url(seed)}`;
}

export function parseSecret(text: string): SecretKey | undefined {
  const [, environment, encoded] = secretForm.exec(text) ?? [];
  if (environment === undefined || encoded === undefined) return undefined;
  const seed = fromBase64url(encoded, seedBytes);
  return seed && { environment: environment === 'live' ? 'live' : 'test', seed };
}

/** A key pair that can sign. */
export interface Signer {
  readonly fp: string;
  readonly publicKey: Uint8Array;
  /** The 64 bytes tweetnacl signs with: seed, then public half. */
  readonly secretKey: Uint8Array;
}

function signerOf({ seed }: SecretKey): Signer {
  const { publicKey, secretKey } = nacl.sign.keyPair.fromSeed(seed);
  return { fp: fingerprint(publicKey), publicKey, secretKey };
}

/** The signer of a secret in the form `lsk_…`; undefined where it is malformed. */
export function parseSigner(text: string): Signer | undefined {
  const secret = parseSecret(text);
  return secret && signerOf(secret);
}

export interface GeneratedKey {
  /** Shown once; never stored. */
  readonly secret: string;
  readonly fp: string;
  readonly publicKey: Uint8Array;
}

export function generateKey(environment: KeyEnvironment): GeneratedKey {
  const seed = nacl.randomBytes(seedBytes);
  const { fp, publicKey } = signerOf({ environment, seed });
  return { secret: formatSecret({ environment, seed }), fp, publicKey };
}

export interface OutgoingRequest {
  readonly method: string;
  readonly target: string;
  readonly body?: Uint8Array | string | undefined;
  readonly idempotencyKey?: string | undefined;
  readonly nowMs: number;
}

/** The value of the `Authorization` header for a request about to be sent. */
export function authorizationHeader(
  signer: Signer,
  { method, target, body, idempotencyKey, nowMs }: OutgoingRequest,
): string {
  const ts = String(Math.floor(nowMs / 1000));
  const bodySha256 = createHash('sha256')
    .update(body ?? '')
    .digest('hex');
  const canonical = canonicalString({ method, target, ts, bodySha256, idempotencyKey });
  const signature = nacl.sign.detached(new TextEncoder().encode(canonical), signer.secretKey);
  return formatAuthorization({ fp: signer.fp, ts, signature });
}
