/** The caller's side of signing: secrets as they are shown to people, key pairs, and the `Authorization` header. */
import { createHash, createPrivateKey, createPublicKey, type KeyObject, randomBytes, sign } from 'node:crypto';
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
const publicKeyBytes = 32;
/** The fixed prefix of an Ed25519 private key in DER; the seed follows. */
const privateKeyDerPrefix = Buffer.from('302e020100300506032b657004220420', 'hex');
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
  readonly seed: Uint8Array;
  readonly privateKey: KeyObject;
}

/** The key pair of a seed. It signs with OpenSSL: tweetnacl takes eighty times as long. */
export function signerOf(seed: Uint8Array): Signer {
  const privateKey = createPrivateKey({
    key: Buffer.concat([privateKeyDerPrefix, seed]),
    format: 'der',
    type: 'pkcs8',
  });
  const spki = createPublicKey(privateKey).export({ format: 'der', type: 'spki' });
  const publicKey = new Uint8Array(spki.subarray(-publicKeyBytes));
  return { fp: fingerprint(publicKey), publicKey, seed, privateKey };
}

/** The signer of a secret in the form `lsk_…`; undefined where it is malformed. */
export function parseSigner(text: string): Signer | undefined {
  const secret = parseSecret(text);
  return secret && signerOf(secret.seed);
}

export interface GeneratedKey {
  /** Shown once; never stored. */
  readonly secret: string;
  readonly fp: string;
  readonly publicKey: Uint8Array;
}

export function generateKey(environment: KeyEnvironment): GeneratedKey {
  const seed = randomBytes(seedBytes);
  const { fp, publicKey } = signerOf(seed);
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
  const signature = sign(null, Buffer.from(canonical), signer.privateKey);
  return formatAuthorization({ fp: signer.fp, ts, signature });
}
