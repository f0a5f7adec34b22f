import { readFileSync } from 'node:fs';
import { afterEach, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { fromBase64url, toBase64url } from './base64url.ts';
import { authorizationHeader, canonicalString, openSigner } from './signing.ts';

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

test.each(vectors)('WebCrypto signs the test vector $name', async (vector) => {
  const nacl = jest.spyOn((await import('tweetnacl')).default.sign, 'detached');
  expect(await canonicalString(signed(vector))).toBe(vector.canonical);
  expect(await authorizationHeader(await openSigner(vector.secret), signed(vector))).toBe(vector.authorization);
  expect(nacl).not.toHaveBeenCalled();
});

test.each(vectors)('tweetnacl signs the test vector $name where WebCrypto has no Ed25519', async (vector) => {
  const refused = jest.spyOn(crypto.subtle, 'importKey').mockRejectedValue(new Error('NotSupportedError'));
  expect(await authorizationHeader(await openSigner(vector.secret), signed(vector))).toBe(vector.authorization);
  expect(refused).toHaveBeenCalled();
});

test('a custom signer only signs', async () => {
  const vector = vectors[0] as Vector;
  const own = await openSigner(vector.secret);
  const messages: string[] = [];
  const signer = {
    fp: own.fp,
    sign(message: Uint8Array<ArrayBuffer>) {
      messages.push(new TextDecoder().decode(message));
      return own.sign(message);
    },
  };
  expect(await authorizationHeader(signer, signed(vector))).toBe(vector.authorization);
  expect(messages).toEqual([vector.canonical]);
});

const secret = (vectors[0] as Vector).secret;

test.each([
  ['another prefix', secret.replace('lsk_', 'sk_')],
  ['a character left out', secret.slice(0, -1)],
  ['a character of another alphabet', `${secret.slice(0, -1)}+`],
  ['stray bits at its end', `${secret.slice(0, -1)}${secret.endsWith('A') ? 'B' : 'D'}`],
  ['nothing', ''],
])('a secret with %s is refused before a request', async (_, broken) => {
  expect(broken).not.toBe(secret);
  await expect(openSigner(broken)).rejects.toThrow('not the secret of a lending key');
});

test('base64url round-trips', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 70 }), (bytes) => {
      expect(toBase64url(bytes)).toBe(Buffer.from(bytes).toString('base64url'));
      expect(fromBase64url(toBase64url(bytes))).toEqual(bytes);
    }),
  );
});
