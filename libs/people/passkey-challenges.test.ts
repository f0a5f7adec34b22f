import { randomBytes } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { type ChallengeUse, isChallenge, newChallenge } from './passkey-challenges.ts';
import { newToken } from './secret-tokens.ts';

const use: ChallengeUse = { key: randomBytes(32), use: 'sign in', browserToken: newToken() };
const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url');
const now = Date.now();
const challenge = newChallenge(use, now);

test('a challenge is accepted for five minutes, by the browser and for the use that it was made for', () => {
  expect(isChallenge(text(challenge), use, now + 299_999)).toBe(true);
  expect(isChallenge(text(challenge), use, now + 300_000)).toBe(false);
  const others = [{ browserToken: newToken() }, { use: 'register' as const }, { key: randomBytes(32) }];
  for (const other of others) expect(isChallenge(text(challenge), { ...use, ...other }, now)).toBe(false);
});

test('a challenge with any other byte is refused, and so is other text', () => {
  for (const index of challenge.keys()) {
    const changed = challenge.map((byte, at) => (at === index ? byte ^ 1 : byte));
    expect(isChallenge(text(changed), use, now)).toBe(false);
  }
  for (const other of ['', 'A', text(challenge.subarray(1)), `${text(challenge)}AAAA`])
    expect(isChallenge(other, use, now)).toBe(false);
});
