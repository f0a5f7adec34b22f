import { expect, test } from '@jest/globals';
import { visitOfOperator } from '../testing/rendered-page.ts';
import { en } from '../texts/en.ts';
import { es } from '../texts/es.ts';
import { causesOf, lineCauses } from './causes.ts';
import type { CheckedRequest } from './checked-request.ts';

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

/** Signed without its query, ten minutes before now or before the moment at which the service received it. */
function checkedRequest(requestId: string | undefined): CheckedRequest {
  const diagnosis = {
    credentials: { faults: [] },
    clock: { seconds: -600 },
    key: undefined,
    checks: { timestamp: 'failed', verification: 'failed' },
    mistakes: ['queryLeftOut'],
    actualKey: undefined,
  };
  const request = { authorization: [], method: 'GET', target: '/v1/loans?limit=5', body: Buffer.alloc(0), requestId };
  return { diagnosis, request, tenantId: 'acme', logged: undefined } as unknown as CheckedRequest;
}

test('a request that is checked some time after it was sent is explained by its mistake first', () => {
  const { mistakes, clockOld, clockNotReceived } = en.signature;
  expect(causesOf(visitOfOperator(), checkedRequest(undefined))).toEqual([
    mistakes.queryLeftOut,
    clockOld,
    clockNotReceived,
  ]);
  expect(causesOf(visitOfOperator(), checkedRequest('01a21684-a73f-764a-b656-5f433d4e1b02'))).toEqual([
    clockOld,
    mistakes.queryLeftOut,
  ]);
});
