import { expect, test } from '@jest/globals';
import { isTotpSecret, newTotpSecret, totpCode, totpStepOf, totpUrl } from './totp.ts';

/** `12345678901234567890`, the secret of the test vectors in RFC 6238. */
const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';

test.each([
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_234_567_890, '005924'],
  [20_000_000_000, '353130'],
])('the code at second %i is that of RFC 6238', (second, code) => {
  expect(totpCode(secret, Math.floor(second / 30))).toBe(code);
});

test('a code is accepted one step early and one step late, and no further', () => {
  const step = 1_000_000;
  const accepted = [-2, -1, 0, 1, 2].map((distance) =>
    totpStepOf(secret, totpCode(secret, step), (step + distance) * 30_000),
  );
  expect(accepted).toEqual([undefined, step, step, step, undefined]);
});

test('text that is no code is wrong', () => {
  for (const text of ['', '12345', '１２３４５６', '287082 ']) expect(totpStepOf(secret, text, 59_000)).toBeUndefined();
});

test('a new secret has the form that apps take, and differs each time', () => {
  const secrets = [newTotpSecret(), newTotpSecret()];
  expect(secrets.every(isTotpSecret)).toBe(true);
  expect(new Set(secrets).size).toBe(2);
  expect(totpUrl(secret, 'Lending console', 'ana@lender.example')).toBe(
    `otpauth://totp/Lending%20console%3Aana%40lender.example?secret=${secret}&issuer=Lending%20console`,
  );
});
