import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { toBase64url } from '#libs/auth/base64url.ts';
import { parseAuthorization } from '#libs/auth/header.ts';
import { authorize, mintKey, type Signer, signerFromText } from '#libs/auth/sign.ts';
import { formatMoment, type Moment } from '#libs/calendar/moment.ts';
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
const named = { receipt: 'r-1', client_id: 'ada' };
const account = { reference: 'v-1', actor: 'ana', basis: 'a mistake' };
const reversal = {
  target: '/v1/tenants/acme/receipts/r-1/reversal',
  sent: { reason: 'duplicate', ...account },
  kind: 'receipt_reversed',
  body: { receipt: 'r-1', reason: 'duplicate', act: account },
};

function anAnswer() {
  const reported = fact(4, { sent: receipt, kind: 'receipt_reported', body: { id: 'x', receipt } });
  const reversed = fact(9, reversal);
  return { ...named, facts: [reported, reversed] };
}

/** A Loan issued and written off. */
function ofALoan() {
  const sent = { reference: 'l-1', client_id: 'ada', configuration_id: 'ins-000001', configuration_version: 2 };
  const stated = { reference: 'l-1', client_id: 'ada', rate: '36', penalty_rate: '0' };
  const configuration = { id: 'ins-000001', version: 2 };
  const issued = { loan_id: 'x-1', event_id: 'e-1', reference: 'l-1', configuration, stated };
  const off = { loan_id: 'x-1', event_id: 'e-2', on: '2026-02-01', act: account };
  return {
    loan_id: 'x-1',
    client_id: 'ada',
    facts: [
      fact(1, { target: '/v1/tenants/acme/loans', sent, kind: 'issued', body: issued }),
      fact(2, {
        target: '/v1/tenants/acme/loans/x-1/write-off',
        sent: { on: '2026-02-01', ...account },
        kind: 'written_off',
        body: off,
      }),
    ],
  };
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
  expect(verifyEvidence({ ...named, facts: [batched] }).facts).toBe(1);
  const keyed = fact(1, { sent: receipt, kind: 'receipt_reported', body: { receipt }, idempotencyKey: 'k-1' });
  expect(verifyEvidence({ ...named, facts: [keyed] }).facts).toBe(1);
});

test('a Loan says the product version it was issued under by other names', () => {
  const answer = ofALoan();
  expect(verifyEvidence(answer)).toMatchObject({ about: { loan_id: 'x-1', client_id: 'ada' }, facts: 2 });
  const [issued] = answer.facts as [Shown];
  const other = { ...issued, body: { ...issued.body, configuration: { id: 'ins-000001', version: 3 } } };
  expect(() => verifyEvidence({ ...answer, facts: [other] })).toThrow('does not say the configuration_version');
});

test('what the answer says beside its facts and is no name of theirs is not told as proved', () => {
  expect(verifyEvidence({ ...anAnswer(), paid_in_full: true, loan_id: undefined }).about).toEqual(named);
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
    { ...named, facts: anAnswer().facts.toReversed() },
    'fact 9 (receipt_reversed): it stands first',
  ],
  [
    'a place in the book before the one before it',
    change(1, () => ({ sequence: 3 })),
    'fact 3 (receipt_reversed): it stands after fact 4',
  ],
  ['a fact recorded before the one before it', change(1, () => ({ recorded_at: micros(1) })), 'recorded before fact 4'],
  [
    'a place in the log before the one before it',
    change(1, ({ log }) => ({ log: { ...log, offset: 1 } })),
    'place in the log',
  ],
  ['another partition', change(1, ({ log }) => ({ log: { ...log, partition: 5 } })), 'another partition'],
  ['an event before the one before it', change(1, ({ event }) => ({ event: { ...event, sequence: 1 } })), 'its event'],
  [
    'another Client than was signed',
    { ...anAnswer(), client_id: 'eve' },
    'fact 4 (receipt_reported): it is of another client_id than the answer says',
  ],
  ['a Client of a Loan that was not signed', { ...ofALoan(), client_id: 'eve' }, 'another client_id'],
  [
    'another Receipt than was signed',
    { ...anAnswer(), receipt: 'r-2' },
    'it is of another receipt than the answer says',
  ],
  ['another Loan than was signed', { ...ofALoan(), loan_id: 'x-2' }, 'it is of another loan_id than the answer says'],
  ['a fact of a Loan as one of a Receipt', { ...named, facts: ofALoan().facts }, 'another receipt'],
  ['an answer of nothing', { facts: anAnswer().facts }, 'it has no client_id'],
  ['a Client and nothing of theirs', { client_id: 'ada', facts: anAnswer().facts }, 'it has no loan_id and no receipt'],
  [
    'a Client nobody signed for',
    { ...ofALoan(), facts: ofALoan().facts.slice(1) },
    'fact 2 (written_off): it stands first, and its Client was not signed with it',
  ],
  [
    'a Receipt reported twice',
    {
      ...named,
      facts: [
        ...anAnswer().facts,
        fact(12, { sent: receipt, idempotencyKey: 'again', kind: 'receipt_reported', body: { receipt } }),
      ],
    },
    'fact 12 (receipt_reported): it begins what had begun',
  ],
  [
    'a reversal shown of another Receipt than was signed',
    change(1, ({ body }) => ({ body: { ...body, receipt: 'r-2' } })),
    'fact 9 (receipt_reversed): it is of another receipt',
  ],
  ['another kind than was signed', change(0, () => ({ kind: 'written_off' })), 'what was signed records no such fact'],
  [
    'a signed member put where nobody reads it',
    change(0, () => ({ body: { amount: receipt.amount, receipt: { ...receipt, amount: 1 } } })),
    'it does not say the amount that was signed',
  ],
  [
    'a member that nobody signed',
    change(0, () => ({ body: { receipt: { ...receipt, payoff_intent: true } } })),
    'it says payoff_intent, which was not signed',
  ],
  [
    'a request shown for two facts',
    {
      ...anAnswer(),
      facts: [...anAnswer().facts, { ...fact(12, reversal), submission: anAnswer().facts[1]?.submission }],
    },
    'fact 12 (receipt_reversed): its request is that of fact 9',
  ],
  [
    'a fact recorded long before its request was signed',
    change(0, () => ({ recorded_at: micros(-301_000) })),
    'fact 4 (receipt_reported): it was recorded more than 300 s before its request was signed or taken in',
  ],
  ['no facts', { facts: [] }, 'it holds no facts'],
  ['a fact without its submission', change(0, () => ({ submission: undefined })), 'has no submission.request_id'],
  ['an error that was saved instead', { code: 'not_found' }, 'it holds no facts'],
])('%s is found', (_what, answer, said) => {
  expect(() => verifyEvidence(answer)).toThrow(said);
});

test('with keys named only those are believed', () => {
  const pinned = (key: Signer, fp = key.fp) => new Map([[fp, key.publicKey]]);
  expect(verifyEvidence(anAnswer(), pinned(signer)).facts).toBe(2);
  expect(() => verifyEvidence(anAnswer(), pinned(another))).toThrow('which is no key you named');
  expect(() => verifyEvidence(anAnswer(), pinned(another, signer.fp))).toThrow('another public key than you named');
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
        expect(() => verifyEvidence({ ...named, facts: [tampered] })).toThrow('fact 4');
      },
    ),
  );
});
