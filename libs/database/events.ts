/** Facts as the topic tells them, read back from Postgres for a publisher that has to catch up. */
import type { ActAccount, BookEvent, EventEvidence } from '#libs/kafka/book-event.ts';
import { clientOf } from '#libs/ledger/book-id.ts';
import { type Queryable, query } from './database.ts';

type EventOut = BookEvent<number>;

interface Row extends Omit<EventEvidence<number>, 'body'> {
  tenant_id: string;
  book_id: string;
  sequence: number;
  kind: string;
  body: string;
  counts: boolean;
  version_count: number;
  version_at: number | null;
  namespace: string | null;
  reference: string | null;
  digest: Buffer | null;
  subject: string | null;
  occurred_on: number | null;
  loan_id: string | null;
  event_id: string | null;
  merchant_ref: string | null;
  recorded_at: number;
  request_id: string;
  item: number;
  partition: number;
  offset: number;
  event_no: number;
  feed_no: number | null;
  configuration_id: string | null;
  configuration_version: number | null;
  listing: string | null;
  listed_number: number | null;
  listed_id: string | null;
  listed_row: string | null;
  evidence_at: number;
  evidence_body: Buffer;
}

const eventsAfterSql = `
  SELECT f.tenant_id, f.book_id, f.sequence, f.kind, f.body::text AS body, f.counts, f.version_count, f.version_at,
    f.namespace, f.reference, r.digest, r.subject, f.occurred_on, f.loan_id, f.event_id, f.merchant_ref, f.recorded_at,
    f.request_id, f.item, f.partition, f."offset", f.event_no, f.feed_no, i.configuration_id, i.configuration_version,
    l.listing, l.number AS listed_number, l.id AS listed_id, l."row"::text AS listed_row, e.method, e.target, e.ts, e.fp, e.signature,
    e.idempotency_key, CASE WHEN f.event_no = first.event_no THEN e.body END AS evidence_body, e.body_encoding, e.actor,
    e.caller_request_id, e.taken_in_at, first.event_no AS evidence_at
  FROM facts f
  JOIN evidence e ON e.request_id = f.request_id AND e.partition = f.partition
  LEFT JOIN refs r ON r.tenant_id = f.tenant_id AND r.namespace = f.namespace AND r.reference = f.reference
  -- The fact that issued the Loan took the number the Loan is listed by.
  LEFT JOIN loans i ON i.tenant_id = f.tenant_id AND i.loan_id = f.loan_id AND i.number = f.feed_no
  LEFT JOIN listed l ON l.tenant_id = f.tenant_id AND l.book_id = f.book_id AND l.sequence = f.sequence
  -- Facts of one request stand together in their partition: the first is where the one before is another's.
  CROSS JOIN LATERAL (
    SELECT coalesce(max(b.event_no), 0) + 1 AS event_no FROM (
      SELECT p.event_no, p.request_id FROM facts p
      WHERE p.partition = f.partition AND p.event_no < f.event_no AND p.event_no >= f.event_no - 4096
        AND p.request_id <> f.request_id
      ORDER BY p.event_no DESC LIMIT 1) b
  ) first
  WHERE f.partition = $1 AND f.event_no > $2 ORDER BY f.event_no LIMIT $3`;

/** The next events of a partition after one, as they are published. */
export async function eventsAfter(
  database: Queryable,
  partition: number,
  sequence: number,
  most: number,
): Promise<EventOut[]> {
  const rows = await query<Row>(database, 'events_after', eventsAfterSql, [partition, sequence, most]);
  return rows.map(eventOf);
}

function eventOf(row: Row): EventOut {
  const carries = row.evidence_at === row.event_no;
  return {
    partition: row.partition,
    sequence: row.event_no,
    tenant_id: row.tenant_id,
    book_id: row.book_id,
    client_id: clientOf(row.book_id) ?? null,
    fact: row.sequence,
    version_facts: row.version_count,
    version_at: row.version_at,
    counts: row.counts,
    kind: row.kind,
    occurred_on: row.occurred_on,
    recorded_at: row.recorded_at,
    loan_id: row.loan_id,
    event_id: row.event_id,
    merchant_ref: row.merchant_ref,
    feed_number: row.feed_no,
    act: actOf(row.body),
    body: row.body,
    reference: referenceOf(row),
    issued: issuedOf(row),
    listed: listedOf(row),
    request_id: row.request_id,
    item: row.item,
    offset: row.offset,
    evidence: carries
      ? { 'lending.Evidence': evidenceOf(row) }
      : { 'lending.EvidenceAt': { sequence: row.evidence_at } },
  };
}

function referenceOf({ namespace, reference, digest, subject }: Row): EventOut['reference'] {
  if (namespace === null || reference === null || digest === null || subject === null) return null;
  return { namespace, reference, digest, subject };
}

function issuedOf({ configuration_id, configuration_version }: Row): EventOut['issued'] {
  if (configuration_id === null || configuration_version === null) return null;
  return { configuration_id, configuration_version };
}

function listedOf({ listing, listed_number: number, listed_id: id, listed_row: row }: Row): EventOut['listed'] {
  return listing === null || number === null || id === null || row === null ? null : { listing, number, id, row };
}

function evidenceOf(row: Row) {
  const {
    method,
    target,
    ts,
    fp,
    signature,
    idempotency_key,
    evidence_body,
    body_encoding,
    actor,
    caller_request_id,
    taken_in_at,
  } = row;
  return {
    method,
    target,
    ts,
    fp,
    signature,
    idempotency_key,
    body: evidence_body,
    body_encoding,
    actor,
    caller_request_id,
    taken_in_at,
  };
}

/** A fact that was an act says whose it was under `act`; what holds no such member is not parsed for it. */
export function actOf(body: string): ActAccount | null {
  if (!body.includes('"act":{')) return null;
  const { act } = JSON.parse(body) as { act?: { reference: string; actor: string; basis: string; context?: unknown } };
  if (act === undefined) return null;
  const context = act.context === undefined ? null : JSON.stringify(act.context);
  return { reference: act.reference, actor: act.actor, basis: act.basis, context };
}
