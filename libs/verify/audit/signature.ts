/** Whether a kept request is one that the holder of a key sent while the key stood. */
import { createHash, type KeyObject } from 'node:crypto';
import { canonicalString } from '#libs/auth/canonical.ts';
import { fingerprint } from '#libs/auth/fingerprint.ts';
import { isTimely } from '#libs/auth/header.ts';
import { keyObject, verifies } from '#libs/auth/verify.ts';

export interface SignedRequest {
  readonly method: string;
  readonly target: string;
  /** Unix time in whole seconds, as it was signed. */
  readonly ts: string;
  readonly fp: string;
  readonly signature: Uint8Array;
  readonly idempotencyKey: string | undefined;
  /** The bytes as they were sent. */
  readonly body: Uint8Array;
  /** Microseconds since 1970. */
  readonly takenInAt: number;
}

export interface RecordedKey {
  readonly publicKey: Uint8Array;
  readonly createdAt: number;
  readonly revokedAt: number | null;
}

/** A revocation may take a second, and so far may the clocks of two instances be apart. */
const graceMicros = 1_000_000;

/** What does not hold, in words; undefined where all of it does. */
export function signatureFault(request: SignedRequest, key: RecordedKey): string | undefined {
  const { fp, signature, takenInAt } = request;
  if (fingerprint(key.publicKey) !== fp) return 'the fingerprint is not that of the key';
  if (!verifies(knownKey(key.publicKey), canonicalOf(request), signature)) {
    return 'the signature is not one of this key over what was sent';
  }
  if (!isTimely(request.ts, takenInAt / 1_000)) return 'it was signed at another time than it was taken in';
  if (takenInAt + graceMicros < key.createdAt) return 'the key was minted after the request was taken in';
  if (key.revokedAt !== null && takenInAt > key.revokedAt + graceMicros) {
    return 'the key had been revoked when the request was taken in';
  }
  return undefined;
}

export function canonicalOf({ method, target, ts, idempotencyKey, body }: SignedRequest): string {
  return canonicalString({ method, target, ts, bodySha256: sha256(body), idempotencyKey });
}

export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

const known = new Map<string, KeyObject>();

/** A book is signed by few keys, and making one ready costs as much as verifying with it. */
function knownKey(publicKey: Uint8Array): KeyObject {
  const name = Buffer.from(publicKey).toString('hex');
  const found = known.get(name) ?? keyObject(publicKey);
  known.set(name, found);
  return found;
}
