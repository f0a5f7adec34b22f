import { readFileSync } from 'node:fs';
import { afterEach, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { fromBase64url, toBase64url } from './base64url.ts';
import { authorize, canonicalString, openSigner } from './signing.ts';

interface Vector {
  readonly name: string;
  readonly secret: string;
  readonly method: string;
  readonly target: string;
  readonly ts: string;
  readonly body: string | null;
  readonly idempotency_key: string | null;
  readonly canonical: string;
  readonly authorization: string;
}

const file = new URL('../../../test/vectors/signing.json', import.meta.url);
const vectors = (JSON.parse(readFileSync(file, 'utf8')) as { cases: Vector[] }).cases;

function signed({ method, target, ts, body, idempotency_key }: Vector) {
  const bytes = new TextEncoder().encode(body ?? '');
  return { method, target, ts: Number(ts), body: bytes, idempotencyKey: idempotency_key ?? undefined };
}

afterEach(() => {
  jest.restoreAllMocks();
});

test.each(vectors)("the service's own vector is signed by the machine: $name", async (vector) => {
  const nacl = jest.spyOn((await import('tweetnacl')).default.sign, 'detached');
  expect(await canonicalString(signed(vector))).toBe(vector.canonical);
  expect(await authorize(await openSigner(vector.secret), signed(vector))).toBe(vector.authorization);
  expect(nacl).not.toHaveBeenCalled();
});

test.each(vectors)('and where a browser knows no Ed25519, by tweetnacl: $name', async (vector) => {
  const refused = jest.spyOn(crypto.subtle, 'importKey').mockRejectedValue(new Error('NotSupportedError'));
  expect(await authorize(await openSigner(vector.secret), signed(vector))).toBe(vector.authorization);
  expect(refused).toHaveBeenCalled();
});

test('whoever signs elsewhere is asked for its signature alone', async () => {
  const vector = vectors[0] as Vector;
  const own = await openSigner(vector.secret);
  const asked: string[] = [];
  const signer = {
    fp: own.fp,
    sign(message: Uint8Array<ArrayBuffer>) {
      asked.push(new TextDecoder().decode(message));
      return own.sign(message);
    },
  };
  expect(await authorize(signer, signed(vector))).toBe(vector.authorization);
  expect(asked).toEqual([vector.canonical]);
});

const secret = (vectors[0] as Vector).secret;

test.each([
  ['another prefix', secret.replace('lsk_', 'sk_')],
  ['a character left out', secret.slice(0, -1)],
  ['a character of another alphabet', `${secret.slice(0, -1)}+`],
  ['stray bits at its end', `${secret.slice(0, -1)}${secret.endsWith('A') ? 'B' : 'D'}`],
  ['nothing', ''],
])('a secret with %s is told at once, not by a 401', async (_, broken) => {
  expect(broken).not.toBe(secret);
  await expect(openSigner(broken)).rejects.toThrow('no secret of a lending key');
});

test('base64url is written as everywhere and read back', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 70 }), (bytes) => {
      expect(toBase64url(bytes)).toBe(Buffer.from(bytes).toString('base64url'));
      expect(fromBase64url(toBase64url(bytes))).toEqual(bytes);
    }),
  );
});
