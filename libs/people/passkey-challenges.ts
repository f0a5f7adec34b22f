/** Challenges of passkeys. They are made before sign-in, so nothing is stored until one is answered: each holds its expiry and a MAC. */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { type Queryable, query } from '#libs/database/database.ts';
import { tokenHash } from './secret-tokens.ts';

const lifetimeMs = 5 * 60_000;
const randomLength = 16;
const expiryLength = 8;
const macLength = 32;

export interface ChallengeUse {
  /** What signs challenges; the same in every instance of the console. */
  readonly key: Buffer;
  readonly use: 'register' | 'sign in';
  readonly browserToken: string;
}

export function newChallenge(use: ChallengeUse, now = Date.now()): Uint8Array<ArrayBuffer> {
  const expiry = Buffer.alloc(expiryLength);
  expiry.writeBigUInt64BE(BigInt(now + lifetimeMs));
  const body = Buffer.concat([randomBytes(randomLength), expiry]);
  return new Uint8Array([...body, ...macOf(body, use)]);
}

/** Whether it was made for this browser and has not expired. `challenge` is in base64url. */
export function isChallenge(challenge: string, use: ChallengeUse, now = Date.now()): boolean {
  const bytes = Buffer.from(challenge, 'base64url');
  if (bytes.length !== randomLength + expiryLength + macLength) return false;
  const body = bytes.subarray(0, randomLength + expiryLength);
  if (!timingSafeEqual(bytes.subarray(body.length), macOf(body, use))) return false;
  return body.readBigUInt64BE(randomLength) > BigInt(now);
}

/** Accepts a challenge once. */
export async function takeChallenge(database: Queryable, challenge: string, use: ChallengeUse): Promise<boolean> {
  if (!isChallenge(challenge, use)) return false;
  const text = `INSERT INTO console.passkey_challenges (challenge, browser_hash, expires_at) VALUES ($1, $2, $3)
    ON CONFLICT (challenge) DO NOTHING RETURNING 1`;
  const values = [challenge, tokenHash(use.browserToken), Date.now() + lifetimeMs];
  return (await query(database, 'take_challenge', text, values)).length > 0;
}

function macOf(body: Buffer, { key, use, browserToken }: ChallengeUse): Buffer {
  return createHmac('sha256', key).update(`passkey ${use} ${browserToken} `).update(body).digest();
}
