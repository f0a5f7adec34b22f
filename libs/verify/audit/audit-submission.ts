/** Audits the facts of one submission against the stored request that caused them. */
import { isDeepStrictEqual } from 'node:util';
import type { Moment } from '#libs/calendar/moment.ts';
import type { Namespace, Submission } from '#libs/ledger/book-decider.ts';
import type { Json } from '#libs/schema/json.ts';
import type { BookFold } from './audit-context.ts';
import type { AuditFactRow } from './read-stored-books.ts';
import { reconstructRequest } from './reconstruct-request.ts';
import { type AuditedFact, redecide } from './redecide.ts';
import { type CheckedRequest, requestKey } from './stored-requests.ts';

interface DecidedRequest extends Pick<Submission, 'operation' | 'params' | 'body'> {
  readonly digest: Buffer;
  readonly actor?: string;
}

/** `fold` holds the book before these facts. */
export async function auditSubmission(fold: BookFold, facts: readonly AuditFactRow[]): Promise<void> {
  const { audit, stored, label: where } = fold;
  const [first] = facts as [AuditFactRow];
  const { sequence } = first;
  const add = (what: string, values: { expected?: Json; found?: Json } = {}) =>
    audit.findings.add({ what, where, sequence, ...values });
  if (first.recorded_at <= fold.recordedAt) {
    add('its moment is not after the moment of the previous fact', {
      expected: fold.recordedAt,
      found: first.recorded_at,
    });
  }
  const other = facts.slice(1).find(({ reference }) => reference !== null);
  if (other !== undefined) add('a further fact of a submission has a reference', { found: other.reference });
  const request = stored.requests.get(requestKey(first));
  if (request === undefined) return add('its request is missing');
  if (request.tenantId !== first.tenant_id) return add('its request was sent to another Tenancy');
  if (request.fault !== undefined) return add(request.fault);
  const reconstructed = reconstructRequest(request, first.item);
  if (reconstructed === undefined) return add('its request is not a write of this Tenancy', { found: request.target });
  const { params, body, digest } = reconstructed;
  const reference = body['reference'];
  if (reference !== undefined && reference !== first.reference) {
    add('it is not recorded under the reference of its request', { expected: reference, found: first.reference });
  }
  if (first.reference !== null) auditReference(fold, first, digest);
  const otherClient = otherClientIn(first.book_id, { ...params, ...body });
  if (otherClient !== undefined) return add('its request is about another Client', { found: otherClient });
  await redecideFacts(fold, facts, { ...reconstructed, ...actorOf(request) });
}

function actorOf({ isSigned, actor }: CheckedRequest): { readonly actor?: string } {
  return isSigned || actor === null ? {} : { actor };
}

/** The Client a request names, if it is not the one of the book. */
function otherClientIn(bookId: string, { client_id: clientId }: { readonly [name: string]: Json }): Json | undefined {
  return clientId === undefined || bookId === `c/${String(clientId)}` ? undefined : clientId;
}

function auditReference({ audit, label: where }: BookFold, fact: AuditFactRow, digest: Buffer): void {
  const { sequence, book_id, kind, ref_digest, ref_book, ref_kind, ref_sequence } = fact;
  const add = (what: string, expected: Json, found?: Json) =>
    audit.findings.add({ what, where, sequence, expected, ...(found === undefined ? {} : { found }) });
  if (ref_digest === null) {
    add('its reference is missing', fact.reference);
    return;
  }
  if (!ref_digest.equals(digest)) {
    add('its reference has the digest of another request', digest.toString('hex'), ref_digest.toString('hex'));
  }
  const expected = [book_id, kind, sequence];
  const found = [ref_book, ref_kind, ref_sequence];
  if (!isDeepStrictEqual(found, expected)) add('its reference points to another fact', expected, found);
}

async function redecideFacts(
  { audit, decider, book, label: where }: BookFold,
  facts: readonly AuditFactRow[],
  { digest, ...request }: DecidedRequest,
): Promise<void> {
  const [first] = facts as [AuditFactRow];
  const { tenant_id: tenantId, book_id: bookId, sequence, reference } = first;
  const submission = {
    ...request,
    tenantId,
    bookId,
    digest: digest.toString('hex'),
    resolved: await audit.resolvedData.find(first, request),
    ...(reference === null ? {} : { reference, namespace: first.namespace as Namespace }),
  };
  const recorded = { facts: facts.map(recordedFact), subject: first.ref_subject };
  const result = redecide({ decider, book, submission, recordedAt: first.recorded_at as Moment, recorded });
  if (result.outcome === 'unknown') audit.counts.notRedecided += facts.length;
  else audit.counts.redecided += facts.length;
  if (result.outcome !== 'different') return;
  const { what, difference } = result;
  const { pointer, expected, found } = difference;
  audit.findings.add({ what: pointer === '' ? what : `${what} at ${pointer}`, where, sequence, expected, found });
}

function recordedFact(row: AuditFactRow): AuditedFact {
  return {
    kind: row.kind,
    body: row.body,
    counts: row.counts,
    occurredOn: row.occurred_on,
    loanId: row.loan_id,
    eventId: row.event_id,
    merchantRef: row.merchant_ref,
    loan: row.loan,
    listed: row.listed,
  };
}
