import { expect, test } from '@jest/globals';
import { en } from '../texts/en.ts';
import { es } from '../texts/es.ts';
import { lineCauses } from './causes.ts';

const expected = 'POST\n/v1/receipts?a=1\n1793232000\ndigest';

test.each([
  [en, expected, []],
  [en, undefined, []],
  [
    en,
    'POST\n/v1/receipts\n1793232000\nDIGEST',
    ['The string you signed differs from the expected one in line 2 (Target) and line 4 (SHA-256 of the body).'],
  ],
  [
    en,
    `${expected}\nkey\n`,
    ['The string you signed differs from the expected one in line 5 (Idempotency-Key) and line 6.'],
  ],
  [
    es,
    'POST\n/v1/receipts?a=1\n1793232001\ndigest',
    ['La cadena que firmó difiere de la esperada en la línea 3 (Hora).'],
  ],
])('the lines are named in which the signed string is not the expected one', (texts, signedText, causes) => {
  expect(lineCauses(texts, { expected, signedText })).toEqual(causes);
});
