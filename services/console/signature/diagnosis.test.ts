import { createHash, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { generateKey, parseSigner, type Signer } from '#libs/auth/signer.ts';
import { canonicalString, formatAuthorization } from '#libs/auth/signing-scheme.ts';
import type { VerifyingKey } from '#libs/submission/administration-reads.ts';
import { diagnose, type RequestToCheck } from './diagnosis.ts';
import { type Mistake, mistakes } from './signed-variants.ts';

function newSigner(): Signer {
  const signer = parseSigner(generateKey('test').secret);
  if (signer === undefined) throw new Error('the generated secret is malformed');
  return signer;
}

const signer = newSigner();
const ts = '1793232000';
const receivedMs = Number(ts) * 1_000;

function keyOf({ fp, publicKey }: Signer, over: Partial<VerifyingKey> = {}): VerifyingKey {
  return {
    fp,
    publicKey,
    tenantId: 'acme',
    scope: 'write',
    holder: 'service',
    label: 'till',
    revokedAt: null,
    ...over,
  };
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

interface Sent {
  readonly method: string;
  readonly target: string;
  readonly ts: string;
  readonly body: string;
  readonly idempotencyKey?: string;
}

const post: Sent = {
  method: 'POST',
  target: '/v1/tenants/acme/receipts?a=%2fx&B=1',
  ts,
  body: '{"amount":{"minor_units":1},"a":"b, c"}',
};
const get: Sent = { method: 'GET', target: '/v1/tenants/acme/loans?z=1&limit=5', ts, body: '' };

function canonicalOf({ body, ...content }: Sent): string {
  return canonicalString({ ...content, bodySha256: sha256(body) });
}

/** The header of a request whose caller signed this text. */
function signed(text: string | Buffer, by = signer, stated = ts): string {
  const signature = sign(null, Buffer.from(text), by.privateKey);
  return formatAuthorization({ fp: by.fp, ts: stated, signature });
}

function check(sent: Sent, authorization: string | readonly string[], over: Partial<RequestToCheck> = {}) {
  const { method, target, body, idempotencyKey } = sent;
  const values = typeof authorization === 'string' ? [authorization] : authorization;
  const known = { tenantId: 'acme', keys: [keyOf(signer)], receivedMs, host: 'api.example' };
  return diagnose({
    ...known,
    authorization: values,
    method,
    target,
    idempotencyKey,
    body: Buffer.from(body),
    ...over,
  });
}

test('every check passes for a request that is signed as the contract says', () => {
  const { checks, mistakes: found, expected } = check(post, signed(canonicalOf(post)));
  expect(new Set(Object.values(checks))).toEqual(new Set(['passed']));
  expect(found).toEqual([]);
  expect(expected).toBe(canonicalOf(post));
});

test('the published test vectors pass', () => {
  const { cases } = JSON.parse(readFileSync('test/vectors/signing.json', 'utf8'));
  for (const vector of cases) {
    const { method, target, authorization, body, idempotency_key, secret } = vector;
    const by = parseSigner(secret) as Signer;
    const { checks } = check({ method, target, ts: vector.ts, body: body ?? '' }, authorization, {
      keys: [keyOf(by)],
      receivedMs: Number(vector.ts) * 1_000,
      idempotencyKey: idempotency_key ?? undefined,
    });
    expect(checks).toMatchObject({ header: 'passed', fingerprint: 'passed', verification: 'passed' });
  }
});

const keyed: Sent = { ...post, idempotencyKey: 'k 1' };
const withNewline: Sent = { ...post, body: '{"a":1}\n' };
const inMilliseconds: Sent = { ...post, ts: '1793232000123' };
const escaped: Sent = { ...post, target: '/v1/tenants/acme/receipts?a=%20b' };

/** By mistake: the request that is sent, and what its caller signed. */
const signedWrongly: { readonly [name in Mistake]: readonly [Sent, string | Buffer] } = {
  methodLowerCase: [post, canonicalOf({ ...post, method: 'post' })],
  methodOther: [post, canonicalOf({ ...post, method: 'GET' })],
  queryLeftOut: [get, canonicalOf({ ...get, target: '/v1/tenants/acme/loans' })],
  wholeUrl: [get, canonicalOf({ ...get, target: `https://api.example${get.target}` })],
  versionDoubled: [get, canonicalOf({ ...get, target: `/v1${get.target}` })],
  versionLeftOut: [get, canonicalOf({ ...get, target: get.target.slice(3) })],
  targetDecoded: [post, canonicalOf({ ...post, target: '/v1/tenants/acme/receipts?a=/x&B=1' })],
  targetEncoded: [escaped, canonicalOf({ ...escaped, target: '/v1/tenants/acme/receipts?a=+b' })],
  escapesOfOtherCase: [post, canonicalOf({ ...post, target: post.target.replace('%2f', '%2F') })],
  slashAtEnd: [get, canonicalOf({ ...get, target: get.target.replace('?', '/?') })],
  querySorted: [get, canonicalOf({ ...get, target: '/v1/tenants/acme/loans?limit=5&z=1' })],
  tsInMilliseconds: [post, canonicalOf({ ...post, ts: `${ts}000` })],
  tsInSeconds: [inMilliseconds, canonicalOf(post)],
  bodyNewlineAdded: [post, canonicalOf({ ...post, body: `${post.body}\n` })],
  bodyNewlineRemoved: [withNewline, canonicalOf({ ...withNewline, body: '{"a":1}' })],
  bodyLineEnds: [withNewline, canonicalOf({ ...withNewline, body: '{"a":1}\r\n' })],
  bodyWhiteSpace: [post, canonicalOf({ ...post, body: '{"amount": {"minor_units": 1}, "a": "b, c"}' })],
  bodyLeftOut: [post, canonicalOf({ ...post, body: '' })],
  bodyOfNothing: [get, canonicalOf({ ...get, body: '{}' })],
  digestUpperCase: [post, canonicalString({ ...post, bodySha256: sha256(post.body).toUpperCase() })],
  digestBase64: [
    post,
    canonicalString({ ...post, bodySha256: Buffer.from(sha256(post.body), 'hex').toString('base64') }),
  ],
  digestLeftOut: [get, canonicalString({ ...get, bodySha256: '' })],
  digestIsBody: [post, canonicalString({ ...post, bodySha256: post.body })],
  idempotencyKeyLeftOut: [keyed, canonicalOf(post)],
  lineFeedAtEnd: [post, `${canonicalOf(post)}\n`],
  carriageReturns: [post, canonicalOf(post).replaceAll('\n', '\r\n')],
  linesJoined: [post, canonicalOf(post).replaceAll('\n', '')],
  backslashes: [post, canonicalOf(post).replaceAll('\n', '\\n')],
  digestOfString: [post, createHash('sha256').update(canonicalOf(post)).digest()],
};

test.each(mistakes)('a signature over the wrong text is explained: %s', (mistake) => {
  const [sent, text] = signedWrongly[mistake];
  const { checks, mistakes: found } = check(sent, signed(text, signer, sent.ts));
  expect(checks.verification).toBe('failed');
  expect(found).toEqual([mistake]);
});

test('two mistakes at once are found', () => {
  const text = `${canonicalOf({ ...get, target: '/v1/tenants/acme/loans' })}\n`;
  expect(check(get, signed(text)).mistakes).toEqual(['queryLeftOut', 'lineFeedAtEnd']);
});

test('a signature over something else is explained by no mistake', () => {
  const { checks, mistakes: found } = check(post, signed('something else'));
  expect([checks.verification, found]).toEqual(['failed', []]);
});

describe('a malformed header is read as far as possible', () => {
  const right = signed(canonicalOf(post));
  const [, fp = '', sig = ''] = /fp=(.*),ts=.*,sig=(.*)/.exec(right) ?? [];
  const bytes = Buffer.from(sig, 'base64url');

  test.each([
    [['scheme'], right.replace('Service-Ed25519', 'Bearer')],
    [['spaces'], right.replace(',ts', ', ts')],
    [['quotes'], right.replace(/=([^,]*)/g, '="$1"')],
    [['order'], `Service-Ed25519 ts=${ts},fp=${fp},sig=${sig}`],
    [['parameters'], `${right},v=1`],
    [['fingerprint'], right.replace(fp, fp.toUpperCase())],
    [['fingerprint'], right.replace(fp, sha256Of(signer.publicKey))],
    [['fingerprint'], right.replace(fp, Buffer.from(signer.publicKey).toString('hex'))],
    [['hexadecimal'], right.replace(sig, bytes.toString('hex'))],
  ])('%j, and the signature is verified all the same', (faults, value) => {
    // A fingerprint of digits alone has no upper case.
    if (value === right) return;
    const { credentials, checks, key } = check(post, value);
    expect(credentials.faults).toEqual(faults);
    expect(key?.fp).toBe(signer.fp);
    expect(checks).toMatchObject({ header: 'failed', verification: 'passed' });
  });

  test('base64 instead of base64url', () => {
    // Signatures without + and / in base64 exist, but not among a few.
    const attempt = Array.from({ length: 9 }, (_, index) => String(Number(ts) + index)).find((time) =>
      /[-_]/.test(/sig=(.*)/.exec(signed(canonicalOf({ ...post, ts: time }), signer, time))?.[1] ?? ''),
    ) as string;
    const header = signed(canonicalOf({ ...post, ts: attempt }), signer, attempt);
    const base64 = header.replace(/sig=(.*)/, (_, text) => `sig=${Buffer.from(text, 'base64url').toString('base64')}`);
    const { credentials, checks } = check({ ...post, ts: attempt }, base64);
    expect(credentials.faults).toEqual(['base64', 'padding']);
    expect(checks).toMatchObject({ header: 'failed', signatureForm: 'passed', verification: 'passed' });
  });

  test.each([
    [['absent'], []],
    [['repeated'], [right, right]],
    [['timestamp'], [right.replace(`ts=${ts}`, 'ts=2026-11-25T00:00:00Z')]],
    [['length'], [right.slice(0, -4)]],
    [['scheme', 'parameters'], ['Basic YTpi']],
  ])('%j', (faults, values) => {
    expect(check(post, values).credentials.faults).toEqual(faults);
  });

  function sha256Of(publicKey: Uint8Array): string {
    return createHash('sha256').update(publicKey).digest('hex');
  }
});

describe('the clock', () => {
  test.each([
    [0, {}],
    [-299, {}],
    [3_600, { cause: 'timeZone' }],
    [-6 * 3_600 + 2, { cause: 'timeZone' }],
    [1_000, {}],
  ])('%i seconds off', (seconds, cause) => {
    const { clock, checks } = check(post, signed(canonicalOf(post)), { receivedMs: receivedMs - seconds * 1_000 });
    expect(clock).toEqual({ seconds, ...cause });
    expect(checks.timestamp).toBe(Math.abs(seconds) <= 300 ? 'passed' : 'failed');
  });

  test('in milliseconds', () => {
    const { clock } = check(inMilliseconds, signed(canonicalOf(inMilliseconds), signer, inMilliseconds.ts));
    expect(clock?.cause).toBe('milliseconds');
  });
});

describe('the key', () => {
  test('is unknown', () => {
    const { checks } = check(post, signed(canonicalOf(post), newSigner()));
    expect(checks).toMatchObject({ header: 'passed', fingerprint: 'failed', verification: 'unknown' });
  });

  test('is revoked', () => {
    const { checks } = check(post, signed(canonicalOf(post)), { keys: [keyOf(signer, { revokedAt: 1 })] });
    expect(checks).toMatchObject({ revocation: 'failed', verification: 'passed' });
  });

  test('is another one than the header names', () => {
    const other = newSigner();
    const header = signed(canonicalOf(post)).replace(signer.fp, other.fp);
    const { checks, actualKey } = check(post, header, { keys: [keyOf(other), keyOf(signer, { label: 'actual' })] });
    expect(checks.verification).toBe('failed');
    expect(actualKey?.label).toBe('actual');
  });

  test('belongs to another Tenancy than the path names', () => {
    const { checks } = check(post, signed(canonicalOf(post)), { keys: [keyOf(signer, { tenantId: 'other' })] });
    expect(checks).toMatchObject({ verification: 'passed', tenancy: 'failed', scope: 'passed' });
  });

  test('permits reads alone', () => {
    const { checks } = check(post, signed(canonicalOf(post)), { keys: [keyOf(signer, { scope: 'read' })] });
    expect(checks).toMatchObject({ verification: 'passed', tenancy: 'passed', scope: 'failed' });
  });
});

test('the stated text is compared with the signature', () => {
  const text = canonicalOf({ ...post, target: '/somewhere' });
  expect(check(post, signed(text), { signedText: text }).signedTextIsValid).toBe(true);
  expect(check(post, signed(text), { signedText: `${text}\n` })).toMatchObject({
    signedText: text,
    signedTextIsValid: true,
  });
  expect(check(post, signed('other'), { signedText: text }).signedTextIsValid).toBe(false);
});

test('a target beyond ASCII is verified as the bytes that were sent', () => {
  const sent = { ...get, target: '/v1/tenants/acme/receipts/señal' };
  expect(check(sent, signed(canonicalOf(sent))).checks.verification).toBe('passed');
});
