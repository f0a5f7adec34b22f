import { createHash } from 'node:crypto';
import nacl from 'tweetnacl';
import { canonicalString } from '#libs/auth/canonical.ts';
import { fingerprint } from '#libs/auth/fingerprint.ts';
import { formatAuthorization } from '#libs/auth/header.ts';
import { formatSecret, type KeyEnvironment, parseSecret, type Secret } from '#libs/auth/secret.ts';

/** A key pair as its holder keeps it. */
export interface Signer {
  readonly fp: string;
  readonly publicKey: Uint8Array;
  /** The 64 bytes tweetnacl signs with: seed, then public half. */
  readonly secretKey: Uint8Array;
}

export function signerOf(secret: Secret): Signer {
  const { publicKey, secretKey } = nacl.sign.keyPair.fromSeed(secret.seed);
  return { fp: fingerprint(publicKey), publicKey, secretKey };
}

/** The signer of a secret as a person was shown it. */
export function signerFromText(text: string): Signer | undefined {
  const secret = parseSecret(text);
  return secret && signerOf(secret);
}

export interface MintedKey {
  /** Shown once; never stored. */
  readonly secret: string;
  readonly fp: string;
  readonly publicKey: Uint8Array;
}

export function mintKey(environment: KeyEnvironment): MintedKey {
  const seed = nacl.randomBytes(32);
  const { fp, publicKey } = signerOf({ environment, seed });
  return { secret: formatSecret({ environment, seed }), fp, publicKey };
}

export interface Outgoing {
  readonly method: string;
  readonly target: string;
  readonly body?: Uint8Array | string | undefined;
  readonly idempotencyKey?: string | undefined;
  readonly nowMs: number;
}

/** The value of the `Authorization` header for a request about to be sent. */
export function authorize(signer: Signer, { method, target, body, idempotencyKey, nowMs }: Outgoing): string {
  const ts = String(Math.floor(nowMs / 1000));
  const bodySha256 = createHash('sha256')
    .update(body ?? '')
    .digest('hex');
  const canonical = canonicalString({ method, target, ts, bodySha256, idempotencyKey });
  const signature = nacl.sign.detached(new TextEncoder().encode(canonical), signer.secretKey);
  return formatAuthorization({ fp: signer.fp, ts, signature });
}
