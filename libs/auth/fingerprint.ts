import { createHash } from 'node:crypto';

/** The name of a key: the first 16 bytes of SHA-256 of its public half, in lower-case hexadecimal. */
export function fingerprint(publicKey: Uint8Array): string {
  return createHash('sha256').update(publicKey).digest('hex').slice(0, 32);
}
