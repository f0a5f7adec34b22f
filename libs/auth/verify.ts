import { createPublicKey, type KeyObject, verify } from 'node:crypto';

/** The fixed head of an Ed25519 public key as DER; the 32 bytes follow. */
const derHead = Buffer.from('302a300506032b6570032100', 'hex');

/** Made once for each key and kept: making it costs as much as verifying with it. */
export function keyObject(publicKey: Uint8Array): KeyObject {
  return createPublicKey({ key: Buffer.concat([derHead, publicKey]), format: 'der', type: 'spki' });
}

/** The order of the group, little-endian, as S stands in a signature. */
const order = Buffer.from('edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010', 'hex');

/** Whether S is below the order of the group: above it, the same signature could be written twice. */
export function isCanonical(signature: Uint8Array): boolean {
  if (signature.length !== 64) return false;
  for (let at = 31; at >= 0; at -= 1) {
    const here = signature[32 + at] as number;
    const bound = order[at] as number;
    if (here !== bound) return here < bound;
  }
  return false;
}

/**
 * Strict Ed25519 over the canonical string. The string is read as Latin-1, which is how Node hands over the bytes of a
 * request line and of headers, so the bytes verified are the bytes sent.
 */
export function verifies(key: KeyObject, canonical: string, signature: Uint8Array): boolean {
  return isCanonical(signature) && verify(null, Buffer.from(canonical, 'latin1'), key, signature);
}
