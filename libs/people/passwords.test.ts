import { expect, test } from '@jest/globals';
import { hashPassword, PasswordHashingBusyError, verifyPassword } from './passwords.ts';

const password = 'four unrelated words here';

test('a password is right however its characters are composed, and another one is wrong', async () => {
  const stored = await hashPassword('contrase\u00f1a de cuatro palabras');
  expect(await verifyPassword('contrasen\u0303a de cuatro palabras', stored)).toBe(true);
  expect(await verifyPassword(password, stored)).toBe(false);
  expect(await verifyPassword(password, null)).toBe(false);
});

test('a flood of passwords is refused beyond a short queue, and those in the queue are answered', async () => {
  const results = await Promise.allSettled(Array.from({ length: 40 }, () => hashPassword(password)));
  const refused = results.filter(({ status }) => status === 'rejected');
  expect(refused).toHaveLength(6);
  for (const { reason } of refused as PromiseRejectedResult[]) expect(reason).toBeInstanceOf(PasswordHashingBusyError);
  expect(await hashPassword(password)).toContain('$argon2id$');
});
