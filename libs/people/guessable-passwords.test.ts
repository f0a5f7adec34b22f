import { expect, test } from '@jest/globals';
import { isGuessable } from './guessable-passwords.ts';

const email = 'ana.lopez@lender.example';

test.each([
  ['password1234'],
  ['!!Contraseña2026'],
  ['Administrator1'],
  ['passwordpassword'],
  ['aaaaaaaaaaaa'],
  ['121212121212'],
  ['123456789012'],
  ['qwertyuiopasdf'],
  ['zyxwvutsrqponm'],
  ['ana.lopez2026!'],
  ['Ana.Lopez@lender.example'],
])('%s is tried first', (password) => {
  expect(isGuessable(password, email)).toBe(true);
});

test.each([
  ['four unrelated words here'],
  ['ana.lopez rides a red horse'],
  ['contraseña de cuatro palabras'],
  ['x7Kq-v0Zt-92Lm'],
])('%s is not', (password) => {
  expect(isGuessable(password, email)).toBe(false);
});
