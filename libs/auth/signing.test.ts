import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import nacl from 'tweetnacl';
import { fromBase64url, toBase64url } from '#libs/auth/base64url.ts';
import { authorizationHeader, generateKey, parseSecret, parseSigner } from '#libs/auth/signer.ts';
import { canonicalString, isWithinClockSkew, parseAuthorization } from '#libs/auth/signing-scheme.ts';
import { createKeyObject, isValidSignature } from '#libs/auth/verify.ts';

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

test.each(vectors)('the published vector stands: $name', (vector) => {
  const signer = parseSigner(vector.secret);
  if (signer === undefined) throw new Error('the secret of a vector is not read');
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

  const presented = parseAuthorization(vector.authorization);
  if (presented === undefined) throw new Error('the header of a vector is not read');
  expect(presented.fp).toBe(signer.fp);
  expect(isValidSignature(createKeyObject(signer.publicKey), canonical, presented.signature)).toBe(true);
});

const good = vectors[0] as Vector;
const [, fp, ts, sig] = /fp=(.*),ts=(.*),sig=(.*)$/.exec(good.authorization) as unknown as [
  string,
  string,
  string,
  string,
];

test.each([
  ['a bearer token', `Bearer ${sig}`],
  ['another case of the scheme', good.authorization.replace('Service', 'service')],
  ['two spaces after the scheme', good.authorization.replace(' fp', '  fp')],
  ['a space after a comma', good.authorization.replace(',ts', ', ts')],
  ['a space around =', good.authorization.replace('ts=', 'ts =')],
  ['a space at the end', `${good.authorization} `],
  ['another order', `Service-Ed25519 ts=${ts},fp=${fp},sig=${sig}`],
  ['a fourth parameter', `${good.authorization},v=1`],
  ['a parameter left out', `Service-Ed25519 fp=${fp},sig=${sig}`],
  ['quoted values', `Service-Ed25519 fp="${fp}",ts="${ts}",sig="${sig}"`],
  ['an upper-case fingerprint', good.authorization.replace(fp, fp.toUpperCase())],
  ['a short fingerprint', good.authorization.replace(fp, fp.slice(1))],
  ['a leading zero', good.authorization.replace('ts=', 'ts=0')],
  ['a sign', good.authorization.replace('ts=', 'ts=+')],
  ['a fraction of a second', good.authorization.replace(ts, `${ts}.0`)],
  ['padding', `${good.authorization}==`],
  ['a short signature', good.authorization.slice(0, -1)],
  ['the other base64 alphabet', good.authorization.replace('_', '/')],
  ['two credentials in one header', `${good.authorization}, ${good.authorization}`],
])('a header with %s is no credential', (_, value) => {
  expect(value).not.toBe(good.authorization);
  expect(parseAuthorization(value)).toBeUndefined();
});

test('a signature whose last character carries stray bits is not read', () => {
  // 64 bytes leave four bits of the 86th character unused: sixteen characters would decode alike.
  const last = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'.indexOf(sig.slice(-1));
  expect(last % 16).toBe(0);
  for (let stray = 1; stray < 16; stray += 1) {
    const other = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'.charAt(last + stray);
    expect(parseAuthorization(`${good.authorization.slice(0, -1)}${other}`)).toBeUndefined();
  }
});

test('whatever is encoded is read back, and nothing else reads as the same bytes', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 70 }), (bytes) => {
      const text = toBase64url(bytes);
      expect(text).toBe(Buffer.from(bytes).toString('base64url'));
      expect(fromBase64url(text, bytes.length)).toEqual(bytes);
    }),
  );
});

test('a signature covers the method, the target, the moment, the body and the idempotency key, each by itself', () => {
  const minted = generateKey('test');
  const signer = parseSigner(minted.secret);
  if (signer === undefined) throw new Error('a minted secret is not read');
  const request = { method: 'POST', target: '/v1/x', body: '{}', idempotencyKey: 'k', nowMs: 1_793_232_000_000 };
  const presented = parseAuthorization(authorizationHeader(signer, request));
  if (presented === undefined) throw new Error('an own header is not read');
  const key = createKeyObject(minted.publicKey);
  const signed = { method: 'POST', target: '/v1/x', ts: '1793232000', bodySha256: hash('{}'), idempotencyKey: 'k' };
  const holds = (change: object): boolean =>
    isValidSignature(key, canonicalString({ ...signed, ...change }), presented.signature);
  expect(holds({})).toBe(true);
  expect(holds({ method: 'PUT' })).toBe(false);
  expect(holds({ target: '/v1/x?' })).toBe(false);
  expect(holds({ ts: '1793232001' })).toBe(false);
  expect(holds({ bodySha256: hash('') })).toBe(false);
  expect(holds({ idempotencyKey: undefined })).toBe(false);
  expect(holds({ idempotencyKey: '' })).toBe(false);
  expect(createKeyObject(nacl.sign.keyPair().publicKey).asymmetricKeyType).toBe('ed25519');
});

test('five minutes off is usable, a second more is not, in either direction', () => {
  const now = 1_793_232_000_999;
  expect(isWithinClockSkew('1793231700', now)).toBe(true);
  expect(isWithinClockSkew('1793231699', now)).toBe(false);
  expect(isWithinClockSkew('1793232300', now)).toBe(true);
  expect(isWithinClockSkew('1793232301', now)).toBe(false);
});
