import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { generateKey, parseSigner, type Signer } from '#libs/auth/signer.ts';
import { toBase64url } from '#libs/auth/signing-scheme.ts';
import {
  account,
  moment,
  receipt,
  receiptEvidence,
  receiptSubject,
  reversal,
  signedFact,
  signer,
} from '#libs/verify/testing/signed-evidence.ts';
import { propertyRuns } from '#test/properties/property-test.ts';
import { type EvidenceError, verifyEvidence } from './verify-evidence.ts';

/** A Loan that was issued and written off. */
function loanAnswer() {
  const sent = { reference: 'l-1', client_id: 'ada', configuration_id: 'ins-000001', configuration_version: 2 };
  const stated = { reference: 'l-1', client_id: 'ada', rate: '36', penalty_rate: '0' };
  const configuration = { id: 'ins-000001', version: 2 };
  const issued = { loan_id: 'x-1', event_id: 'e-1', reference: 'l-1', configuration, stated };
  const off = { loan_id: 'x-1', event_id: 'e-2', on: '2026-02-01', act: account };
  return {
    loan_id: 'x-1',
    client_id: 'ada',
    facts: [
      signedFact(1, { target: '/v1/tenants/acme/loans', sent, kind: 'issued', body: issued }),
      signedFact(2, {
        target: '/v1/tenants/acme/loans/x-1/write-off',
        sent: { on: '2026-02-01', ...account },
        kind: 'written_off',
        body: off,
      }),
    ],
  };
}

test('valid evidence is accepted, with the keys that signed it', () => {
  expect(verifyEvidence(receiptEvidence())).toEqual({
    subject: { receipt: 'r-1', client_id: 'ada' },
    facts: 2,
    keys: [signer.fp],
  });
});

test('evidence of a batch item and of a request with an Idempotency-Key is accepted', () => {
  const batched = signedFact(1, {
    target: '/v1/tenants/acme/receipts/batch',
    sent: { receipts: [{ reference: 'other' }, receipt] },
    kind: 'receipt_reported',
    body: { receipt },
    item: 1,
  });
  expect(verifyEvidence({ ...receiptSubject, facts: [batched] }).facts).toBe(1);
  const keyed = signedFact(1, { sent: receipt, kind: 'receipt_reported', body: { receipt }, idempotencyKey: 'k-1' });
  expect(verifyEvidence({ ...receiptSubject, facts: [keyed] }).facts).toBe(1);
});

test('the product configuration of a Loan is compared under the names of the request', () => {
  const answer = loanAnswer();
  expect(verifyEvidence(answer)).toMatchObject({ subject: { loan_id: 'x-1', client_id: 'ada' }, facts: 2 });
  const [issued] = answer.facts as [AnswerFact];
  const other = { ...issued, body: { ...issued.body, configuration: { id: 'ins-000001', version: 3 } } };
  expect(() => verifyEvidence({ ...answer, facts: [other] })).toThrow('its configuration_version differs');
});

const signedTerms = {
  principal: { minor_units: 1_000_000, currency: 'MXN' },
  term_periods: 12,
  rate: '36.50',
  anchor: '2026-01-15',
  jurisdiction: 'MX',
  tax: { rate: '16.0', on: ['interest'] },
};
const frozenTerms = {
  ...{ principal: 1_000_000, currency: 'MXN', term_periods: 12, rate: '36.5', penalty_rate: '72' },
  ...{ anchor: '2026-01-15', jurisdiction: 'MX', tax: { rate: '16', on: ['interest'] }, late_fee: 0 },
};

function issuanceAnswer(terms: object) {
  const configuration = { id: 'ins-000001', version: 2 };
  const sent = {
    reference: 'l-1',
    client_id: 'ada',
    configuration_id: 'ins-000001',
    configuration_version: 2,
    ...signedTerms,
  };
  const stated = { reference: 'l-1', client_id: 'ada', ...signedTerms, penalty_rate: '72' };
  const body = { loan_id: 'x-1', event_id: 'e-1', reference: 'l-1', configuration, stated, terms };
  return {
    loan_id: 'x-1',
    client_id: 'ada',
    facts: [signedFact(1, { target: '/v1/tenants/acme/loans', sent, kind: 'issued', body })],
  };
}

test('the frozen terms of an issuance must be those that were signed', () => {
  expect(verifyEvidence(issuanceAnswer(frozenTerms)).facts).toBe(1);
  const others = {
    ...{ principal: 1, currency: 'USD', term_periods: 11, rate: '36', penalty_rate: '71' },
    ...{ anchor: '2026-01-16', jurisdiction: 'ZZ', tax: { rate: '0', on: ['interest'] } },
  };
  for (const [name, other] of Object.entries(others)) {
    const answer = issuanceAnswer({ ...frozenTerms, [name]: other });
    expect(() => verifyEvidence(answer)).toThrow(`its terms.${name} differs from the signed ${name}`);
  }
  const { rate: _absent, ...incomplete } = frozenTerms;
  expect(() => verifyEvidence(issuanceAnswer(incomplete))).toThrow('its terms.rate differs');
});

test('other members of the answer are not part of the verified subject', () => {
  expect(verifyEvidence({ ...receiptEvidence(), paid_in_full: true, loan_id: undefined }).subject).toEqual(
    receiptSubject,
  );
});

type Answer = ReturnType<typeof receiptEvidence>;
type AnswerFact = Answer['facts'][number];
const another = parseSigner(generateKey('test').secret) as Signer;

function change(at: number, over: (shown: AnswerFact) => object): object {
  const answer = receiptEvidence();
  return { ...answer, facts: answer.facts.map((shown, nth) => (nth === at ? { ...shown, ...over(shown) } : shown)) };
}
const submission = (over: (of: AnswerFact['submission']) => object) => (shown: AnswerFact) => ({
  submission: { ...shown.submission, ...over(shown.submission) },
});

test.each<[string, object, string]>([
  [
    'an amount changed in the fact',
    change(0, () => ({ body: { receipt: { ...receipt, amount: { minor_units: 501, currency: 'MXN' } } } })),
    'fact 4 (receipt_reported): its amount differs',
  ],
  [
    'an amount changed in what was sent',
    change(
      0,
      submission(({ body }) => ({
        body: Buffer.from(Buffer.from(body, 'base64').toString().replace('500', '501')).toString('base64'),
      })),
    ),
    'fact 4 (receipt_reported): the signed digest',
  ],
  [
    'the signature of another fact',
    change(
      1,
      submission(() => ({ signature: receiptEvidence().facts[0]?.submission.signature })),
    ),
    'fact 9 (receipt_reversed): the signature',
  ],
  [
    'a key that does not match its fingerprint',
    change(
      0,
      submission(() => ({ public_key: toBase64url(another.publicKey) })),
    ),
    'the fingerprint',
  ],
  [
    'a key that was revoked a minute earlier',
    change(
      1,
      submission(() => ({ key_revoked_at: moment(-60_000) })),
    ),
    'was revoked before',
  ],
  [
    'a key that was registered a minute later',
    change(
      0,
      submission(() => ({ key_created_at: moment(60_000) })),
    ),
    'registered after',
  ],
  [
    'a request that was received an hour after it was signed',
    change(
      0,
      submission(() => ({ taken_in_at: moment(3_600_000) })),
    ),
    'too far from the time of receipt',
  ],
  [
    'an invalid moment',
    change(
      0,
      submission(() => ({ key_created_at: 'yesterday' })),
    ),
    'is not a valid moment',
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
    { ...receiptSubject, facts: receiptEvidence().facts.toReversed() },
    'fact 9 (receipt_reversed): the first fact must be',
  ],
  [
    'a sequence before that of the previous fact',
    change(1, () => ({ sequence: 3 })),
    'fact 3 (receipt_reversed): its sequence is not after that of fact 4',
  ],
  ['a fact recorded before the previous one', change(1, () => ({ recorded_at: moment(1) })), 'recorded before fact 4'],
  [
    'a log offset before that of the previous fact',
    change(1, ({ log }) => ({ log: { ...log, offset: 1 } })),
    'log offset',
  ],
  ['another partition', change(1, ({ log }) => ({ log: { ...log, partition: 5 } })), 'another partition'],
  [
    'an event number before that of the previous fact',
    change(1, ({ event }) => ({ event: { ...event, sequence: 1 } })),
    'its event',
  ],
  [
    'another Client than the signed one',
    { ...receiptEvidence(), client_id: 'eve' },
    'fact 4 (receipt_reported): it is about another client_id than the answer',
  ],
  ['a Client of a Loan that was not signed', { ...loanAnswer(), client_id: 'eve' }, 'another client_id'],
  [
    'another Receipt than the signed one',
    { ...receiptEvidence(), receipt: 'r-2' },
    'it is about another receipt than the answer',
  ],
  [
    'another Loan than the signed one',
    { ...loanAnswer(), loan_id: 'x-2' },
    'it is about another loan_id than the answer',
  ],
  ['a fact of a Loan in the answer for a Receipt', { ...receiptSubject, facts: loanAnswer().facts }, 'another receipt'],
  ['an answer without a subject', { facts: receiptEvidence().facts }, 'the answer has no client_id'],
  [
    'an answer with a Client only',
    { client_id: 'ada', facts: receiptEvidence().facts },
    'the answer has no loan_id and no receipt',
  ],
  [
    'a Client that no request signed',
    { ...loanAnswer(), facts: loanAnswer().facts.slice(1) },
    'fact 2 (written_off): the first fact must be one that is signed with its Client',
  ],
  [
    'a Receipt reported twice',
    {
      ...receiptSubject,
      facts: [
        ...receiptEvidence().facts,
        signedFact(12, { sent: receipt, idempotencyKey: 'again', kind: 'receipt_reported', body: { receipt } }),
      ],
    },
    'fact 12 (receipt_reported): only the first fact may be issued or receipt_reported',
  ],
  [
    'a reversal of another Receipt than the signed one',
    change(1, ({ body }) => ({ body: { ...body, receipt: 'r-2' } })),
    'fact 9 (receipt_reversed): it is about another receipt',
  ],
  [
    'another kind of fact than the signed one',
    change(0, () => ({ kind: 'written_off' })),
    'its request does not record a fact of this kind',
  ],
  [
    'a signed member in a place that is not read',
    change(0, () => ({ body: { amount: receipt.amount, receipt: { ...receipt, amount: 1 } } })),
    'its amount differs from the signed one',
  ],
  [
    'a member that was not signed',
    change(0, () => ({ body: { receipt: { ...receipt, payoff_intent: true } } })),
    'it contains payoff_intent, which was not signed',
  ],
  [
    'a request shown for two facts',
    {
      ...receiptEvidence(),
      facts: [
        ...receiptEvidence().facts,
        { ...signedFact(12, reversal), submission: receiptEvidence().facts[1]?.submission },
      ],
    },
    'fact 12 (receipt_reversed): its request is the same as that of fact 9',
  ],
  [
    'a fact recorded long before its request was signed',
    change(0, () => ({ recorded_at: moment(-301_000) })),
    'fact 4 (receipt_reported): it was recorded more than 300 s before its request was signed or received',
  ],
  ['no facts', { facts: [] }, 'the answer contains no facts'],
  ['a fact without its submission', change(0, () => ({ submission: undefined })), 'has no submission.request_id'],
  ['an error response', { code: 'not_found' }, 'the answer contains no facts'],
])('%s is rejected', (_what, answer, message) => {
  expect(() => verifyEvidence(answer)).toThrow(message);
});

test('with given keys only those are trusted', () => {
  const pinned = (key: Signer, fp = key.fp) => new Map([[fp, key.publicKey]]);
  expect(verifyEvidence(receiptEvidence(), pinned(signer)).facts).toBe(2);
  expect(() => verifyEvidence(receiptEvidence(), pinned(another))).toThrow('which is not one of the given keys');
  expect(() => verifyEvidence(receiptEvidence(), pinned(another, signer.fp))).toThrow('differs from the given one');
});

test('no byte of the body or of the signature can be changed', () => {
  const { facts } = receiptEvidence();
  const [shown] = facts as [AnswerFact];
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
        expect(() => verifyEvidence({ ...receiptSubject, facts: [tampered] })).toThrow('fact 4');
      },
    ),
    { numRuns: propertyRuns(100) },
  );
});

test('an error names the fact and its check that failed', () => {
  const { facts, ...subject } = receiptEvidence();
  const [reported, reversed] = facts;
  const faultAt = (changed: object) => {
    try {
      verifyEvidence({ ...subject, facts: [reported, { ...reversed, ...changed }] });
      return undefined;
    } catch (error) {
      return (error as EvidenceError).at;
    }
  };
  const submission = reversed?.submission;
  expect(faultAt({ submission: { ...submission, public_key: 'short' } })).toMatchObject({ sequence: 9, check: 'key' });
  expect(faultAt({ submission: { ...submission, body: '' } })).toMatchObject({ sequence: 9, check: 'request' });
  expect(faultAt({ submission: { ...submission, fp: 'other' } })).toMatchObject({ sequence: 9, check: 'key' });
  expect(faultAt({ submission: { ...submission, signature: 'x' } })).toMatchObject({ sequence: 9, check: 'signature' });
  expect(faultAt({ recorded_at: '' })).toMatchObject({ sequence: 9, check: 'moment' });
  expect(faultAt({ sequence: 1 })).toMatchObject({ sequence: 1, check: 'order' });
  expect(faultAt({ body: {} })).toMatchObject({ sequence: 9, check: 'content' });
});
