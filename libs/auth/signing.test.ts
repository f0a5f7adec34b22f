import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import nacl from 'tweetnacl';
import { authorizationHeader, generateKey, parseSecret, parseSigner } from '#libs/auth/signer.ts';
import { canonicalString, isWithinClockSkew, parseAuthorization } from '#libs/auth/signing-scheme.ts';
import { createKeyObject, isValidSignature } from '#libs/auth/verify.ts';
import { fromBase64url, toBase64url } from './signing-scheme.ts';

interface Vector {
  readonly name: string;
  readonly seed_hex: string;
  readonly secret: string;
  readonly public_key_hex: string;
  readonly method: string;
  readonly target: string;
  readonly ts: string;
  readonly body: string | null;
  readonly idempotency_key: string | null;
  readonly canonical: string;
  readonly authorization: string;
}

const vectors: Vector[] = JSON.parse(readFileSync('test/vectors/signing.json', 'utf8')).cases;
const hash = (body: string): string => createHash('sha256').update(body).digest('hex');

test.each(vectors)('the published test vector holds: $name', (vector) => {
  const signer = parseSigner(vector.secret);
  if (signer === undefined) throw new Error('the secret of the test vector is malformed');
  expect(Buffer.from(signer.publicKey).toString('hex')).toBe(vector.public_key_hex);
  expect(Buffer.from(parseSecret(vector.secret)?.seed ?? []).toString('hex')).toBe(vector.seed_hex);

  const idempotencyKey = vector.idempotency_key ?? undefined;
  const bodySha256 = hash(vector.body ?? '');
  const canonical = canonicalString({ ...vector, bodySha256, idempotencyKey });
  expect(canonical).toBe(vector.canonical);

  const { method, target, body } = vector;
  const nowMs = Number(vector.ts) * 1000;
  expect(authorizationHeader(signer, { method, target, body: body ?? undefined, idempotencyKey, nowMs })).toBe(
    vector.authorization,
  );

  const credentials = parseAuthorization(vector.authorization);
  if (credentials === undefined) throw new Error('the header of the test vector is malformed');
  expect(credentials.fp).toBe(signer.fp);
  expect(isValidSignature(createKeyObject(signer.publicKey), canonical, credentials.signature)).toBe(true);
});

const validVector = vectors[0] as Vector;
const [, fp, ts, sig] = /fp=(.*),ts=(.*),sig=(.*)$/.exec(validVector.authorization) as unknown as [
  string,
  string,
  string,
  string,
];

test.each([
  ['a bearer token', `Bearer ${sig}`],
  ['another case of the scheme', validVector.authorization.replace('Service', 'service')],
  ['two spaces after the scheme', validVector.authorization.replace(' fp', '  fp')],
  ['a space after a comma', validVector.authorization.replace(',ts', ', ts')],
  ['a space around =', validVector.authorization.replace('ts=', 'ts =')],
  ['a space at the end', `${validVector.authorization} `],
  ['another order', `Service-Ed25519 ts=${ts},fp=${fp},sig=${sig}`],
  ['a fourth parameter', `${validVector.authorization},v=1`],
  ['a parameter left out', `Service-Ed25519 fp=${fp},sig=${sig}`],
  ['quoted values', `Service-Ed25519 fp="${fp}",ts="${ts}",sig="${sig}"`],
  ['an upper-case fingerprint', validVector.authorization.replace(fp, fp.toUpperCase())],
  ['a short fingerprint', validVector.authorization.replace(fp, fp.slice(1))],
  ['a leading zero', validVector.authorization.replace('ts=', 'ts=0')],
  ['a sign', validVector.authorization.replace('ts=', 'ts=+')],
  ['a fraction of a second', validVector.authorization.replace(ts, `${ts}.0`)],
  ['padding', `${validVector.authorization}==`],
  ['a short signature', validVector.authorization.slice(0, -1)],
  ['the other base64 alphabet', validVector.authorization.replace('_', '/')],
  ['two credentials in one header', `${validVector.authorization}, ${validVector.authorization}`],
])('a header with %s is malformed', (_, value) => {
  expect(value).not.toBe(validVector.authorization);
  expect(parseAuthorization(value)).toBeUndefined();
});

test('a signature whose last character has unused bits set is malformed', () => {
  // 64 bytes leave four bits of the 86th character unused: sixteen characters would decode alike.
  const last = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'.indexOf(sig.slice(-1));
  expect(last % 16).toBe(0);
  for (let stray = 1; stray < 16; stray += 1) {
    const other = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'.charAt(last + stray);
    expect(parseAuthorization(`${validVector.authorization.slice(0, -1)}${other}`)).toBeUndefined();
  }
});

test('encoded bytes are decoded again', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 70 }), (bytes) => {
      const text = toBase64url(bytes);
      expect(text).toBe(Buffer.from(bytes).toString('base64url'));
      expect(fromBase64url(text, bytes.length)).toEqual(bytes);
    }),
  );
});

test('a signature covers the method, the target, the time, the body and the idempotency key', () => {
  const generated = generateKey('test');
  const signer = parseSigner(generated.secret);
  if (signer === undefined) throw new Error('the generated secret is malformed');
  const request = { method: 'POST', target: '/v1/x', body: '{}', idempotencyKey: 'k', nowMs: 1_793_232_000_000 };
  const credentials = parseAuthorization(authorizationHeader(signer, request));
  if (credentials === undefined) throw new Error('the generated header is malformed');
  const key = createKeyObject(generated.publicKey);
  const signed = { method: 'POST', target: '/v1/x', ts: '1793232000', bodySha256: hash('{}'), idempotencyKey: 'k' };
  const isValid = (change: object): boolean =>
    isValidSignature(key, canonicalString({ ...signed, ...change }), credentials.signature);
  expect(isValid({})).toBe(true);
  expect(isValid({ method: 'PUT' })).toBe(false);
  expect(isValid({ target: '/v1/x?' })).toBe(false);
  expect(isValid({ ts: '1793232001' })).toBe(false);
  expect(isValid({ bodySha256: hash('') })).toBe(false);
  expect(isValid({ idempotencyKey: undefined })).toBe(false);
  expect(isValid({ idempotencyKey: '' })).toBe(false);
  expect(createKeyObject(nacl.sign.keyPair().publicKey).asymmetricKeyType).toBe('ed25519');
});

test('a clock may differ by five minutes in either direction', () => {
  const now = 1_793_232_000_999;
  expect(isWithinClockSkew('1793231700', now)).toBe(true);
  expect(isWithinClockSkew('1793231699', now)).toBe(false);
  expect(isWithinClockSkew('1793232300', now)).toBe(true);
  expect(isWithinClockSkew('1793232301', now)).toBe(false);
});
