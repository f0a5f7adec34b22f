/** Checks that a recorded request was signed with a key that was valid when the request was received. */
import { createHash, type KeyObject } from 'node:crypto';
import { canonicalString, fingerprint, isWithinClockSkew } from '#libs/auth/signing-scheme.ts';
import { createKeyObject, isValidSignature } from '#libs/auth/verify.ts';

export interface RecordedRequest {
  readonly method: string;
  readonly target: string;
  /** Unix time in whole seconds, as signed. */
  readonly ts: string;
  readonly fp: string;
  readonly signature: Uint8Array;
  readonly idempotencyKey: string | undefined;
  /** The bytes as they were sent. */
  readonly body: Uint8Array;
  /** Microseconds since 1970. */
  readonly receivedAt: number;
}

export interface RecordedKey {
  readonly publicKey: Uint8Array;
  readonly createdAt: number;
  readonly revokedAt: number | null;
}

/** A revocation takes up to a second to reach all instances, and their clocks may differ by as much. */
export const keyValidityToleranceMicros = 1_000_000;

/** Why the signature is not valid evidence; undefined if it is. */
export function signatureFault(request: RecordedRequest, key: RecordedKey): string | undefined {
  const { fp, signature, receivedAt } = request;
  if (fingerprint(key.publicKey) !== fp) return 'the fingerprint does not match the key';
  if (!isValidSignature(cachedKeyObject(key.publicKey), canonicalStringOf(request), signature)) {
    return 'the signature does not match the request and the key';
  }
  if (!isWithinClockSkew(request.ts, receivedAt / 1_000)) {
    return 'the time of signing is too far from the time of receipt';
  }
  if (receivedAt + keyValidityToleranceMicros < key.createdAt) {
    return 'the key was registered after the request was received';
  }
  if (key.revokedAt !== null && receivedAt > key.revokedAt + keyValidityToleranceMicros) {
    return 'the key was revoked before the request was received';
  }
  return undefined;
}

export function canonicalStringOf({ method, target, ts, idempotencyKey, body }: RecordedRequest): string {
  return canonicalString({ method, target, ts, bodySha256: sha256(body), idempotencyKey });
}

export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

const keyObjects = new Map<string, KeyObject>();

/** Few keys sign many requests, and creating a key object costs as much as a verification. */
function cachedKeyObject(publicKey: Uint8Array): KeyObject {
  const name = Buffer.from(publicKey).toString('hex');
  const keyObject = keyObjects.get(name) ?? createKeyObject(publicKey);
  keyObjects.set(name, keyObject);
  return keyObject;
}
