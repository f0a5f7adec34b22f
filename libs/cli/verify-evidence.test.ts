import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect, jest, test } from '@jest/globals';
import { toBase64url } from '#libs/auth/base64url.ts';
import { canonicalString } from '#libs/auth/canonical.ts';
import { parseAuthorization } from '#libs/auth/header.ts';
import { authorize, mintKey, type Signer, signerFromText } from '#libs/auth/sign.ts';
import { sha256 } from '#libs/verify/audit/signature.ts';
import { verifyEvidenceCommand } from './verify-evidence.ts';

const folder = mkdtempSync(join(tmpdir(), 'lending-evidence-'));
const out = jest.spyOn(console, 'log').mockImplementation(() => undefined);
const err = jest.spyOn(console, 'error').mockImplementation(() => undefined);
afterEach(() => {
  out.mockReset();
  err.mockReset();
});
afterAll(() => rmSync(folder, { recursive: true }));

const signer = signerFromText(mintKey('test').secret) as Signer;
const about = { receipt: 'r-1', client_id: 'ada' };
const receipt = { reference: 'r-1', client_id: 'ada' };
const file = join(folder, 'answer.json');
writeFileSync(file, JSON.stringify({ ...about, invented: true, facts: [signedFact()] }));

function signedFact() {
  const [method, target, body] = ['POST', '/v1/tenants/acme/receipts', Buffer.from(JSON.stringify(receipt))];
  const nowMs = Date.parse('2026-03-01T10:00:00Z');
  const presented = parseAuthorization(authorize(signer, { method, target, body, nowMs }));
  if (presented === undefined) throw new Error('what was just signed is a credential');
  const { fp, ts, signature } = presented;
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

const proven = JSON.stringify(
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

test('without a key it is said that those of the answer are believed, and how to name one', async () => {
  await verifyEvidenceCommand.run({ positionals: [file], options: {} });
  expect(out.mock.calls).toEqual([[proven]]);
  expect(err.mock.calls.join()).toContain(`the public keys that the answer itself names are believed (${signer.fp})`);
  expect(err.mock.calls.join()).toContain('--key fp=PUBLICKEY');
});

test('with the key of the signer nothing more is said', async () => {
  const key = [`${signer.fp}=${toBase64url(signer.publicKey)}`];
  await verifyEvidenceCommand.run({ positionals: [file], options: { key } });
  expect(out.mock.calls).toEqual([[proven]]);
  expect(err).not.toHaveBeenCalled();
});

test('with another key it is not believed', async () => {
  const other = signerFromText(mintKey('test').secret) as Signer;
  const key = [`${other.fp}=${toBase64url(other.publicKey)}`];
  const asked = verifyEvidenceCommand.run({ positionals: [file], options: { key } });
  await expect(asked).rejects.toThrow(`it was signed with ${signer.fp}, which is no key you named`);
});

test('its help says what is not proved', () => {
  expect(verifyEvidenceCommand.more).toContain('It is not proved that no other fact was recorded');
});
