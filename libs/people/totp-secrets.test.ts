import { randomBytes } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { newTotpSecret } from './totp.ts';
import { TotpKeyMissingError, TotpSecrets } from './totp-secrets.ts';

const [first, second] = [randomBytes(32), randomBytes(32)] as const;
const withKeys = (...keys: Buffer[]) => new TotpSecrets(() => keys);
const secret = newTotpSecret();

test('a secret is stored encrypted, and read with the same key for the same person only', () => {
  const stored = withKeys(first).seal('ana', secret);
  expect(stored).not.toContain(secret);
  expect(withKeys(first).seal('ana', secret)).not.toBe(stored);
  expect(withKeys(first).open('ana', stored)).toEqual({ secret, isCurrent: true });
  expect(() => withKeys(first).open('luis', stored)).toThrow(TotpKeyMissingError);
  expect(() => withKeys(second).open('ana', stored)).toThrow(TotpKeyMissingError);
  expect(() => withKeys().open('ana', stored)).toThrow(TotpKeyMissingError);
  expect(() => withKeys(first).open('ana', stored.slice(0, -4))).toThrow(TotpKeyMissingError);
});

test('of two keys the first encrypts, and both decrypt', () => {
  const stored = withKeys(first).seal('ana', secret);
  expect(withKeys(first, second).open('ana', stored)).toEqual({ secret, isCurrent: true });
  expect(withKeys(second, first).open('ana', stored)).toEqual({ secret, isCurrent: false });
  const again = withKeys(second, first).seal('ana', secret);
  expect(withKeys(second).open('ana', again)).toEqual({ secret, isCurrent: true });
});

test('without a key a secret is stored as it is, and a key reads it until it is encrypted', () => {
  expect(withKeys().seal('ana', secret)).toBe(secret);
  expect(withKeys().open('ana', secret)).toEqual({ secret, isCurrent: true });
  expect(withKeys(first).open('ana', secret)).toEqual({ secret, isCurrent: false });
});
