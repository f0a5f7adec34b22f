/** Checks that 32 bytes may be registered as an Ed25519 public key. */
import { ed25519 } from '@noble/curves/ed25519.js';

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
