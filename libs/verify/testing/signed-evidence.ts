/** Signed evidence for tests: facts as the evidence routes answer them, and a Receipt that was reported and reversed. */
import { authorizationHeader, generateKey, parseSigner, type Signer } from '#libs/auth/signer.ts';
import { parseAuthorization, toBase64url } from '#libs/auth/signing-scheme.ts';
import { formatMoment, type Moment } from '#libs/calendar/moment.ts';
import { canonicalStringOf } from '#libs/verify/audit/request-signature.ts';

export const nowMs = Date.parse('2026-03-01T10:00:00Z');
export const signer = parseSigner(generateKey('test').secret) as Signer;
export const moment = (afterMs: number): string => formatMoment(((nowMs + afterMs) * 1_000) as Moment);

interface FactOptions {
  readonly target?: string;
  readonly sent: object;
  readonly kind: string;
  readonly body: object;
  readonly item?: number;
  readonly idempotencyKey?: string;
}

/** A fact as the evidence route answers it. */
export function signedFact(
  sequence: number,
  { target = '/v1/tenants/acme/receipts', sent, kind, body, item = 0, idempotencyKey }: FactOptions,
) {
  const bytes = Buffer.from(JSON.stringify(sent));
  const outgoing = { method: 'POST', target, body: bytes, idempotencyKey, nowMs };
  const presented = parseAuthorization(authorizationHeader(signer, outgoing));
  if (presented === undefined) throw new Error('the authorization header must be valid');
  const { fp, ts, signature } = presented;
  const receivedAt = nowMs * 1_000;
  const canonical = canonicalStringOf({
    method: 'POST',
    target,
    ts,
    fp,
    signature,
    idempotencyKey,
    body: bytes,
    receivedAt,
  });
  return {
    sequence,
    kind,
    recorded_at: moment(sequence),
    body,
    log: { topic: 'lending.submissions', partition: 3, offset: sequence * 10, item },
    event: { topic: 'lending.book-events', partition: 3, sequence: sequence * 7 },
    submission: {
      request_id: `r-${sequence}`,
      taken_in_at: moment(0),
      canonical,
      fp,
      public_key: toBase64url(signer.publicKey),
      key_created_at: moment(-60_000),
      signature: toBase64url(signature),
      body: bytes.toString('base64'),
    },
  };
}

export const receipt = {
  reference: 'r-1',
  client_id: 'ada',
  amount: { minor_units: 500, currency: 'MXN' },
  value_date: '2026-02-01',
};
export const receiptSubject = { receipt: 'r-1', client_id: 'ada' };
export const account = { reference: 'v-1', actor: 'ana', basis: 'a mistake' };
export const reversal = {
  target: '/v1/tenants/acme/receipts/r-1/reversal',
  sent: { reason: 'duplicate', ...account },
  kind: 'receipt_reversed',
  body: { receipt: 'r-1', reason: 'duplicate', act: account },
};

export function receiptEvidence() {
  const reported = signedFact(4, { sent: receipt, kind: 'receipt_reported', body: { id: 'x', receipt } });
  const reversed = signedFact(9, reversal);
  return { ...receiptSubject, facts: [reported, reversed] };
}
