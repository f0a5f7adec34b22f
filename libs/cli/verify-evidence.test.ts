import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect, jest, test } from '@jest/globals';
import { authorizationHeader, generateKey, parseSigner, type Signer } from '#libs/auth/signer.ts';
import { canonicalString, parseAuthorization, toBase64url } from '#libs/auth/signing-scheme.ts';
import { sha256 } from '#libs/verify/audit/request-signature.ts';
import { runCommandLine } from './command-line.ts';

const folder = mkdtempSync(join(tmpdir(), 'lending-evidence-'));
const out = jest.spyOn(console, 'log').mockImplementation(() => undefined);
const err = jest.spyOn(console, 'error').mockImplementation(() => undefined);
const { exitCode } = process;
afterEach(() => {
  process.exitCode = exitCode;
  out.mockReset();
  err.mockReset();
});
afterAll(() => rmSync(folder, { recursive: true }));

const signer = parseSigner(generateKey('test').secret) as Signer;
const about = { receipt: 'r-1', client_id: 'ada' };
const receipt = { reference: 'r-1', client_id: 'ada' };
const file = join(folder, 'answer.json');
writeFileSync(file, JSON.stringify({ ...about, invented: true, facts: [signedFact()] }));

function signedFact() {
  const [method, target, body] = ['POST', '/v1/tenants/acme/receipts', Buffer.from(JSON.stringify(receipt))];
  const nowMs = Date.parse('2026-03-01T10:00:00Z');
  const credential = parseAuthorization(authorizationHeader(signer, { method, target, body, nowMs }));
  if (credential === undefined) throw new Error('the header that was just signed cannot be parsed');
  const { fp, ts, signature } = credential;
  const moment = '2026-03-01T10:00:00.000000Z';
  return {
    sequence: 1,
    kind: 'receipt_reported',
    recorded_at: moment,
    body: { receipt },
    log: { partition: 0, offset: 0, item: 0 },
    event: { partition: 0, sequence: 1 },
    submission: {
      request_id: 'r-1',
      taken_in_at: moment,
      canonical: canonicalString({ method, target, ts, bodySha256: sha256(body), idempotencyKey: undefined }),
      fp,
      public_key: toBase64url(signer.publicKey),
      key_created_at: '2026-01-01T00:00:00.000000Z',
      signature: toBase64url(signature),
      body: body.toString('base64'),
    },
  };
}

const verified = JSON.stringify(
  {
    about,
    facts: 1,
    keys: [signer.fp],
    proved: 'the requests were signed by these keys, and the facts say what was signed',
    not_proved:
      'that no other fact was recorded; and what the service added, which is not signed: order, ids, moments, figures',
  },
  null,
  2,
);

test('without --key the keys of the answer are trusted, with a warning', async () => {
  await runCommandLine(['verify-evidence', file]);
  expect(out.mock.calls).toEqual([[verified]]);
  expect(err.mock.calls.join()).toContain(`without --key the keys in the answer are trusted (${signer.fp})`);
  expect(err.mock.calls.join()).toContain('--key fp=PUBLICKEY');
});

test('with the key of the signer there is no warning', async () => {
  await runCommandLine(['verify-evidence', file, '--key', `${signer.fp}=${toBase64url(signer.publicKey)}`]);
  expect(out.mock.calls).toEqual([[verified]]);
  expect(err).not.toHaveBeenCalled();
});

test('with another key the evidence is refused', async () => {
  const other = parseSigner(generateKey('test').secret) as Signer;
  await runCommandLine(['verify-evidence', file, '--key', `${other.fp}=${toBase64url(other.publicKey)}`]);
  expect(process.exitCode).toBe(1);
  expect(err.mock.calls.join()).toContain(signer.fp);
  expect(out).not.toHaveBeenCalled();
});
