/** Strict Ed25519 verification. */
import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import { ed25519 } from '@noble/curves/ed25519.js';
import { verifyDetached } from './libsodium.ts';

/** Both forms of one key. */
export interface ParsedKey {
  readonly publicKey: Uint8Array;
  readonly verifier: KeyObject;
}

/**
 * Whether a signature over a canonical string is valid: synchronously, or later where the worker thread verifies it.
 */
export type VerifySignature = (key: ParsedKey, canonical: string, signature: Uint8Array) => boolean | Promise<boolean>;

/** By libsodium where it has a build for the platform. */
export const verifySync = ({ publicKey, verifier }: ParsedKey, canonical: string, signature: Uint8Array): boolean => {
  if (!hasCanonicalS(signature)) return false;
  const message = Buffer.from(canonical, 'latin1');
  return (
    verifyDetached?.(bufferOf(signature), message, bufferOf(publicKey)) ?? verify(null, message, verifier, signature)
  );
};

function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** The fixed prefix of an Ed25519 public key in DER; the 32 bytes follow. */
const derPrefix = Buffer.from('302a300506032b6570032100', 'hex');

/** Create it once per key and keep it: creating it costs as much as a verification. */
export function createKeyObject(publicKey: Uint8Array): KeyObject {
  return createPublicKey({ key: Buffer.concat([derPrefix, publicKey]), format: 'der', type: 'spki' });
}

/** The order of the group, little-endian, as S is written in a signature. */
const groupOrder = Buffer.from('edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010', 'hex');

/** Whether S is below the order of the group. Otherwise the same signature could be written in two ways. */
export function hasCanonicalS(signature: Uint8Array): boolean {
  if (signature.length !== 64) return false;
  for (let at = 31; at >= 0; at -= 1) {
    const byte = signature[32 + at] as number;
    const bound = groupOrder[at] as number;
    if (byte !== bound) return byte < bound;
  }
  return false;
}

/** The string is encoded as Latin-1, as Node decodes request lines and headers: the bytes verified are the bytes sent. */
export function isValidSignature(key: KeyObject, canonical: string, signature: Uint8Array): boolean {
  return hasCanonicalS(signature) && verify(null, Buffer.from(canonical, 'latin1'), key, signature);
}

/**
 * Only the canonical encoding of a point counts (RFC 8032, 5.1.3), and a point of small order does not: with such a
 * key one signature is valid for many messages in some libraries.
 */
export function publicKeyFault(publicKey: Uint8Array): 'no_point' | 'small_order' | undefined {
  try {
    return ed25519.Point.fromBytes(publicKey).isSmallOrder() ? 'small_order' : undefined;
  } catch {
    return 'no_point';
  }
}
