/** What one submission recorded, held to the request that is kept with it. */
import { isDeepStrictEqual } from 'node:util';
import type { Moment } from '#libs/calendar/moment.ts';
import type { Namespace, Submission } from '#libs/ledger/book-decider.ts';
import type { Json } from '#libs/schema/json.ts';
import type { Folding } from './folding.ts';
import { type KeptEvidence, requestName } from './kept-requests.ts';
import type { FactRow } from './pages.ts';
import { askedBy } from './reconstruct-request.ts';
import { decidedAnew, type KeptFact } from './redecide.ts';

/** The facts of one submission, on the book as it stood before them. */
export async function auditSubmission(folding: Folding, facts: readonly FactRow[]): Promise<void> {
  const { audit, kept, where } = folding;
  const [first] = facts as [FactRow];
  const { sequence } = first;
  const add = (what: string, of: { expected?: Json; found?: Json } = {}) =>
    audit.findings.add({ what, where, sequence, ...of });
  if (first.recorded_at <= folding.recordedAt) {
    add('its moment is not after that of the fact before it', {
      expected: folding.recordedAt,
      found: first.recorded_at,
    });
  }
  const request = kept.requests.get(requestName(first));
  if (request === undefined) return add('the request that caused it is not kept');
  if (request.tenantId !== first.tenant_id) return add('the request that caused it went to another Tenancy');
  if (request.fault !== undefined) return add(request.fault);
  const asked = askedBy(request, first.item);
  if (asked === undefined)
    return add('the request that caused it asks for nothing of this Tenancy', { found: request.target });
  const stated = asked.body['reference'];
  if (stated !== undefined && stated !== first.reference) {
    add('it is not recorded under the reference of its request', { expected: stated, found: first.reference });
  }
  if (first.reference !== null) auditReference(folding, first, asked.digest);
  const elsewhere = elsewhereNamed(first.book_id, { ...asked.params, ...asked.body });
  if (elsewhere !== undefined) return add('its request is about another Client', { found: elsewhere });
  await decideAnew(folding, facts, { ...asked, ...personOf(request) });
}

function personOf({ isSigned, actor }: KeptEvidence): { readonly actor?: string } {
  return isSigned || actor === null ? {} : { actor };
}

function elsewhereNamed(bookId: string, { client_id: clientId }: { readonly [name: string]: Json }): Json | undefined {
  return clientId === undefined || bookId === `c/${String(clientId)}` ? undefined : clientId;
}

function auditReference({ audit, where }: Folding, fact: FactRow, digest: Buffer): void {
  const { sequence, book_id, kind, ref_digest, ref_book, ref_kind, ref_sequence } = fact;
  const add = (what: string, of: { expected?: Json; found?: Json } = {}) =>
    audit.findings.add({ what, where, sequence, ...of });
  if (ref_digest === null) {
    add('its reference is missing', { expected: fact.reference });
    return;
  }
  if (!ref_digest.equals(digest)) {
    add('its reference stands for another request', {
      expected: digest.toString('hex'),
      found: ref_digest.toString('hex'),
    });
  }
  const named = [ref_book, ref_kind, ref_sequence];
  if (!isDeepStrictEqual(named, [book_id, kind, sequence])) {
    add('its reference names another fact', { expected: [book_id, kind, sequence], found: named });
  }
}

async function decideAnew(
  { audit, kind, book, where }: Folding,
  facts: readonly FactRow[],
  {
    digest,
    ...asked
  }: Pick<Submission, 'operation' | 'params' | 'body'> & { readonly digest: Buffer; readonly actor?: string },
): Promise<void> {
  const [first] = facts as [FactRow];
  const { tenant_id: tenantId, book_id: bookId, sequence, reference } = first;
  const submission = {
    ...asked,
    tenantId,
    bookId,
    digest: digest.toString('hex'),
    resolved: await audit.lookedUp.by(first, asked),
    ...(reference === null ? {} : { reference, namespace: first.namespace as Namespace }),
  };
  const recorded = { facts: facts.map(keptFact), subject: first.ref_subject };
  const anew = decidedAnew({ kind, book, submission, at: first.recorded_at as Moment, recorded });
  if (anew.outcome === 'unknown') audit.counts.notDecidedAnew += facts.length;
  else audit.counts.decidedAnew += facts.length;
  if (anew.outcome !== 'different') return;
  const { what, difference } = anew;
  const at = difference === undefined || difference.at === '' ? '' : ` at ${difference.at}`;
  audit.findings.add({
    what: `${what}${at}`,
    where,
    sequence,
    ...(difference === undefined ? {} : { expected: difference.expected, found: difference.found }),
  });
}

function keptFact(row: FactRow): KeptFact {
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
