import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { toBase64url } from '#libs/signing/base64url.ts';
import { parseAuthorization } from '#libs/signing/header.ts';
import { authorize, mintKey, type Signer, signerFromText } from '#libs/signing/sign.ts';
import { formatMoment, type Moment } from '#libs/turn/moment.ts';
import { verifyEvidence } from './evidence-answer.ts';
import { canonicalOf } from './signature.ts';

const nowMs = Date.parse('2026-03-01T10:00:00Z');
const signer = signerFromText(mintKey('test').secret) as Signer;
const micros = (afterMs: number): string => formatMoment(((nowMs + afterMs) * 1_000) as Moment);

interface Stated {
  readonly target?: string;
  readonly sent: object;
  readonly kind: string;
  readonly body: object;
  readonly item?: number;
  readonly idempotencyKey?: string;
}

/** A fact as the route shows it, the `nth` of its answer. */
function fact(
  nth: number,
  { target = '/v1/tenants/acme/receipts', sent, kind, body, item = 0, idempotencyKey }: Stated,
) {
  const bytes = Buffer.from(JSON.stringify(sent));
  const outgoing = { method: 'POST', target, body: bytes, idempotencyKey, nowMs };
  const presented = parseAuthorization(authorize(signer, outgoing));
  if (presented === undefined) throw new Error('what was just signed is a credential');
  const { fp, ts, signature } = presented;
  const takenInAt = nowMs * 1_000;
  const canonical = canonicalOf({ method: 'POST', target, ts, fp, signature, idempotencyKey, body: bytes, takenInAt });
  return {
    sequence: nth,
    kind,
    recorded_at: micros(nth),
    body,
    log: { topic: 'lending.submissions', partition: 3, offset: nth * 10, item },
    event: { topic: 'lending.book-events', partition: 3, sequence: nth * 7 },
    submission: {
      request_id: `r-${nth}`,
      taken_in_at: micros(0),
      canonical,
      fp,
      public_key: toBase64url(signer.publicKey),
      key_created_at: micros(-60_000),
      signature: toBase64url(signature),
      body: bytes.toString('base64'),
    },
  };
}

const receipt = {
  reference: 'r-1',
  client_id: 'ada',
  amount: { minor_units: 500, currency: 'MXN' },
  value_date: '2026-02-01',
};
const account = { reference: 'v-1', actor: 'ana', basis: 'a mistake' };

function anAnswer() {
  const reported = fact(4, { sent: receipt, kind: 'receipt_reported', body: { id: 'x', receipt } });
  const reversed = fact(9, {
    target: '/v1/tenants/acme/receipts/r-1/reversal',
    sent: { reason: 'duplicate', ...account },
    kind: 'receipt_reversed',
    body: { receipt: 'r-1', reason: 'duplicate', act: account },
  });
  return { receipt: 'r-1', client_id: 'ada', facts: [reported, reversed] };
}

test('what was signed and recorded holds, and says which keys signed it', () => {
  expect(verifyEvidence(anAnswer())).toEqual({
    about: { receipt: 'r-1', client_id: 'ada' },
    facts: 2,
    keys: [signer.fp],
  });
});

test('a receipt of a batch is proved by the batch, and a request under an idempotency key with its key', () => {
  const batched = fact(1, {
    target: '/v1/tenants/acme/receipts/batch',
    sent: { receipts: [{ reference: 'other' }, receipt] },
    kind: 'receipt_reported',
    body: { receipt },
    item: 1,
  });
  expect(verifyEvidence({ facts: [batched] }).facts).toBe(1);
  const keyed = fact(1, { sent: receipt, kind: 'receipt_reported', body: { receipt }, idempotencyKey: 'k-1' });
  expect(verifyEvidence({ facts: [keyed] }).facts).toBe(1);
});

test('a Loan says the product version it was issued under by other names', () => {
  const sent = { reference: 'l-1', configuration_id: 'ins-000001', configuration_version: 2, rate: '36' };
  const { configuration_id: _id, configuration_version: _version, ...stated } = sent;
  const body = {
    reference: 'l-1',
    configuration: { id: 'ins-000001', version: 2 },
    stated: { ...stated, penalty_rate: '0' },
  };
  const issued = fact(1, { target: '/v1/tenants/acme/loans', sent, kind: 'issued', body });
  expect(verifyEvidence({ facts: [issued] }).facts).toBe(1);
  const other = { ...issued, body: { ...body, configuration: { id: 'ins-000001', version: 3 } } };
  expect(() => verifyEvidence({ facts: [other] })).toThrow('does not say the configuration_version');
});

type Answer = ReturnType<typeof anAnswer>;
type Shown = Answer['facts'][number];
const another = signerFromText(mintKey('test').secret) as Signer;

function change(at: number, over: (shown: Shown) => object): object {
  const answer = anAnswer();
  return { ...answer, facts: answer.facts.map((shown, nth) => (nth === at ? { ...shown, ...over(shown) } : shown)) };
}
const submission = (over: (of: Shown['submission']) => object) => (shown: Shown) => ({
  submission: { ...shown.submission, ...over(shown.submission) },
});

test.each<[string, object, string]>([
  [
    'an amount changed in the fact',
    change(0, () => ({ body: { receipt: { ...receipt, amount: { minor_units: 501, currency: 'MXN' } } } })),
    'fact 4 (receipt_reported): it does not say the amount',
  ],
  [
    'an amount changed in what was sent',
    change(
      0,
      submission(({ body }) => ({
        body: Buffer.from(Buffer.from(body, 'base64').toString().replace('500', '501')).toString('base64'),
      })),
    ),
    'fact 4 (receipt_reported): the digest',
  ],
  [
    'the signature of another fact',
    change(
      1,
      submission(() => ({ signature: anAnswer().facts[0]?.submission.signature })),
    ),
    'fact 9 (receipt_reversed): the signature',
  ],
  [
    'another key than its fingerprint says',
    change(
      0,
      submission(() => ({ public_key: toBase64url(another.publicKey) })),
    ),
    'the fingerprint',
  ],
  [
    'a key that was revoked a minute before',
    change(
      1,
      submission(() => ({ key_revoked_at: micros(-60_000) })),
    ),
    'had been revoked',
  ],
  [
    'a key that was minted a minute later',
    change(
      0,
      submission(() => ({ key_created_at: micros(60_000) })),
    ),
    'minted after',
  ],
  [
    'a request that was taken in an hour after it was signed',
    change(
      0,
      submission(() => ({ taken_in_at: micros(3_600_000) })),
    ),
    'another time',
  ],
  [
    'a moment that is none',
    change(
      0,
      submission(() => ({ key_created_at: 'yesterday' })),
    ),
    'a moment of its key',
  ],
  [
    'a target changed in the canonical string',
    change(
      0,
      submission(({ canonical }) => ({ canonical: canonical.replace('acme', 'evil') })),
    ),
    'the signature',
  ],
  [
    'facts in another order',
    { facts: anAnswer().facts.toReversed() },
    'fact 4 (receipt_reported): it stands after fact 9',
  ],
  ['a fact recorded before the one before it', change(1, () => ({ recorded_at: micros(1) })), 'recorded before fact 4'],
  [
    'a place in the log before the one before it',
    change(1, ({ log }) => ({ log: { ...log, offset: 1 } })),
    'place in the log',
  ],
  ['another partition', change(1, ({ log }) => ({ log: { ...log, partition: 5 } })), 'another partition'],
  ['an event before the one before it', change(1, ({ event }) => ({ event: { ...event, sequence: 1 } })), 'its event'],
  ['no facts', { facts: [] }, 'it holds no facts'],
  ['a fact without its submission', change(0, () => ({ submission: undefined })), 'has no submission.request_id'],
  ['an error that was saved instead', { code: 'not_found' }, 'it holds no facts'],
])('%s is found', (_what, answer, said) => {
  expect(() => verifyEvidence(answer)).toThrow(said);
});

test('with keys named only those are believed', () => {
  const named = (key: Signer, fp = key.fp) => new Map([[fp, key.publicKey]]);
  expect(verifyEvidence(anAnswer(), named(signer)).facts).toBe(2);
  expect(() => verifyEvidence(anAnswer(), named(another))).toThrow('which is no key you named');
  expect(() => verifyEvidence(anAnswer(), named(another, signer.fp))).toThrow('another public key than you named');
});

test('no byte of what was sent, nor of the signature, can be another', () => {
  const { facts } = anAnswer();
  const [shown] = facts as [Shown];
  fc.assert(
    fc.property(
      fc.constantFrom('body', 'signature'),
      fc.nat(),
      fc.integer({ min: 1, max: 255 }),
      (member, at, flip) => {
        const encoding = member === 'body' ? 'base64' : 'base64url';
        const bytes = Buffer.from(shown.submission[member as 'body'], encoding);
        bytes[at % bytes.length] = (bytes[at % bytes.length] as number) ^ flip;
        const tampered = { ...shown, submission: { ...shown.submission, [member]: bytes.toString(encoding) } };
        expect(() => verifyEvidence({ facts: [tampered] })).toThrow('fact 4');
      },
    ),
  );
});
