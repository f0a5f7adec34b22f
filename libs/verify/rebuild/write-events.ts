/** Writes events as the rows they were made from: facts, evidence, references, the feed and the listings. */
import { type Queryable, query } from '#libs/database/database.ts';
import { byteaArray, int2Array, int4Array, int8Array, textArray, uuidArray } from '#libs/database/pg-binary.ts';
import type { BookEvent } from '#libs/kafka/book-event.ts';

/** With numbers for longs: no value exceeds 2^52 before the year 2112. */
export type NumericBookEvent = BookEvent<number>;

/** One statement, so that a fold at the same time sees all of these facts or none. */
const statement = `
  WITH f AS (
    INSERT INTO facts (tenant_id, book_id, sequence, kind, body, counts, version_count, version_at, namespace, reference,
        occurred_on, loan_id, event_id, merchant_ref, recorded_at, request_id, item, partition, "offset", event_number, feed_number)
      SELECT tenant_id, book_id, sequence, kind, body::json, counts = 1, version_count, version_at, namespace, reference,
        occurred_on, loan_id, event_id, merchant_ref, recorded_at, request_id, item, partition, from_offset, event_number, feed_number
      FROM unnest($1::text[], $2::text[], $3::bigint[], $4::text[], $5::text[], $6::smallint[], $7::bigint[], $8::bigint[],
        $9::text[], $10::text[], $11::integer[], $12::uuid[], $13::uuid[], $14::text[], $15::bigint[], $16::uuid[],
        $17::integer[], $18::smallint[], $19::bigint[], $20::bigint[], $21::bigint[])
        AS n (tenant_id, book_id, sequence, kind, body, counts, version_count, version_at, namespace, reference, occurred_on,
          loan_id, event_id, merchant_ref, recorded_at, request_id, item, partition, from_offset, event_number, feed_number)
      RETURNING tenant_id, book_id, sequence, kind, body, version_count, version_at, occurred_on, loan_id, event_id, merchant_ref,
        recorded_at, partition, event_number, feed_number),
  e AS (
    SELECT * FROM unnest($22::uuid[], $23::smallint[], $24::text[], $25::text[], $26::text[], $27::bigint[], $28::text[],
        $29::bytea[], $30::text[], $31::bytea[], $32::text[], $33::text[], $34::text[], $35::bigint[])
      AS n (request_id, partition, tenant_id, method, target, ts, fp, signature, idempotency_key, body, body_encoding,
        actor, caller_request_id, received_at)),
  -- As the function commit_batch stores them.
  b AS (
    INSERT INTO request_bodies (request_id, body)
      SELECT request_id, body FROM e WHERE octet_length(body) > 2000 ORDER BY request_id
      ON CONFLICT (request_id) DO NOTHING),
  q AS (
    INSERT INTO request_evidence (request_id, partition, tenant_id, method, target, ts, fp, fp_bytes, signature, idempotency_key,
        body, body_encoding, actor, caller_request_id, received_at)
      SELECT request_id, partition, tenant_id, nullif(method, 'POST'), target, ts, CASE WHEN bytes_of_fp(fp) IS NULL THEN fp END,
        bytes_of_fp(fp), signature, idempotency_key, CASE WHEN octet_length(body) <= 2000 THEN body END,
        nullif(body_encoding, 'identity'), actor, caller_request_id, received_at FROM e),
  r AS (
    SELECT * FROM unnest($36::text[], $37::text[], $38::text[], $39::bytea[], $40::text[], $41::text[], $42::text[], $43::bigint[])
      AS n (tenant_id, namespace, reference, digest, book_id, kind, subject, sequence)),
  s AS (
    INSERT INTO submission_references (tenant_id, namespace, reference, digest, book_id, kind, subject, sequence)
      SELECT tenant_id, namespace, reference, digest, book_id, kind, subject, sequence FROM r WHERE pg_partition_root('facts') IS NULL),
  h AS (
    INSERT INTO reference_hashes (name_hash, event_number, partition, digest, subject)
      SELECT reference_hash(tenant_id, namespace, reference), event_number, partition, digest,
        nullif(subject, subject_of_fact(body::text, event_id))
      FROM r JOIN f USING (tenant_id, book_id, sequence) WHERE pg_partition_root('facts') IS NOT NULL),
  d AS (
    INSERT INTO feed (tenant_id, number, event_id, loan_id, kind, occurred_on, recorded_at, merchant_ref)
      SELECT tenant_id, feed_number, event_id, loan_id, kind, occurred_on, recorded_at, merchant_ref FROM f WHERE feed_number IS NOT NULL),
  -- The state is written when the book is folded.
  l AS (
    INSERT INTO loans (tenant_id, loan_id, number, client_id, reference, configuration_id, configuration_version, merchant_ref, state)
      SELECT *, '' FROM unnest($44::text[], $45::uuid[], $46::bigint[], $47::text[], $48::text[], $49::text[], $50::integer[], $51::text[])),
  i AS (
    INSERT INTO listed_records (tenant_id, listing, number, id, book_id, sequence, "row")
      SELECT tenant_id, listing, number, id, book_id, sequence, "row"::json
      FROM unnest($52::text[], $53::text[], $54::bigint[], $55::text[], $56::text[], $57::bigint[], $58::text[])
        AS n (tenant_id, listing, number, id, book_id, sequence, "row"))
  INSERT INTO books AS b (tenant_id, book_id, partition, sequence, version_count, version_at, recorded_at, fact_bytes)
    SELECT DISTINCT ON (tenant_id, book_id) tenant_id, book_id, partition, sequence, version_count, version_at, recorded_at,
      sum(bytes_of_fact(kind, body::text)) OVER (PARTITION BY tenant_id, book_id)
    FROM f ORDER BY tenant_id, book_id, sequence DESC
    ON CONFLICT (tenant_id, book_id) DO UPDATE SET sequence = excluded.sequence, version_count = excluded.version_count,
      version_at = excluded.version_at, recorded_at = excluded.recorded_at,
      fact_bytes = b.fact_bytes + excluded.fact_bytes`;

/** The events of one partition, in order. */
export async function writeEvents(database: Queryable, events: readonly NumericBookEvent[]): Promise<void> {
  await query(database, 'write_events', statement, [
    ...factColumns(events),
    ...evidenceColumns(events),
    ...referenceColumns(events),
    ...loanColumns(events),
    ...listingColumns(events),
  ]);
}

function factColumns(events: readonly NumericBookEvent[]): Buffer[] {
  return [
    textArray(events.map((event) => event.tenant_id)),
    textArray(events.map((event) => event.book_id)),
    int8Array(events.map((event) => event.fact)),
    textArray(events.map((event) => event.kind)),
    textArray(events.map((event) => event.body)),
    int2Array(events.map((event) => (event.counts ? 1 : 0))),
    int8Array(events.map((event) => event.version_facts)),
    int8Array(events.map((event) => event.version_at)),
    textArray(events.map((event) => event.reference?.namespace)),
    textArray(events.map((event) => event.reference?.reference)),
    int4Array(events.map((event) => event.occurred_on)),
    uuidArray(events.map((event) => event.loan_id)),
    uuidArray(events.map((event) => event.event_id)),
    textArray(events.map((event) => event.merchant_ref)),
    int8Array(events.map((event) => event.recorded_at)),
    uuidArray(events.map((event) => event.request_id)),
    int4Array(events.map((event) => event.item)),
    int2Array(events.map((event) => event.partition)),
    int8Array(events.map((event) => event.offset)),
    int8Array(events.map((event) => event.sequence)),
    int8Array(events.map((event) => event.feed_number)),
  ];
}

function evidenceColumns(events: readonly NumericBookEvent[]): Buffer[] {
  const rows = events.flatMap((event) => {
    const { evidence } = event;
    if (evidence === null || !('lending.Evidence' in evidence)) return [];
    return [{ event, evidence: evidence['lending.Evidence'] }];
  });
  return [
    uuidArray(rows.map(({ event }) => event.request_id)),
    int2Array(rows.map(({ event }) => event.partition)),
    textArray(rows.map(({ event }) => event.tenant_id)),
    textArray(rows.map(({ evidence }) => evidence.method)),
    textArray(rows.map(({ evidence }) => evidence.target)),
    int8Array(rows.map(({ evidence }) => evidence.ts)),
    textArray(rows.map(({ evidence }) => evidence.fp)),
    byteaArray(rows.map(({ evidence }) => evidence.signature)),
    textArray(rows.map(({ evidence }) => evidence.idempotency_key)),
    byteaArray(rows.map(({ evidence }) => evidence.body)),
    textArray(rows.map(({ evidence }) => evidence.body_encoding)),
    textArray(rows.map(({ evidence }) => evidence.actor)),
    textArray(rows.map(({ evidence }) => evidence.caller_request_id)),
    int8Array(rows.map(({ evidence }) => evidence.taken_in_at)),
  ];
}

function referenceColumns(events: readonly NumericBookEvent[]): Buffer[] {
  const rows = events.flatMap((event) => (event.reference === null ? [] : [{ event, reference: event.reference }]));
  return [
    textArray(rows.map(({ event }) => event.tenant_id)),
    textArray(rows.map(({ reference }) => reference.namespace)),
    textArray(rows.map(({ reference }) => reference.reference)),
    byteaArray(rows.map(({ reference }) => reference.digest)),
    textArray(rows.map(({ event }) => event.book_id)),
    textArray(rows.map(({ event }) => event.kind)),
    textArray(rows.map(({ reference }) => reference.subject)),
    int8Array(rows.map(({ event }) => event.fact)),
  ];
}

function loanColumns(events: readonly NumericBookEvent[]): Buffer[] {
  const rows = events.flatMap((event) => (event.issued === null ? [] : [{ event, issued: event.issued }]));
  return [
    textArray(rows.map(({ event }) => event.tenant_id)),
    uuidArray(rows.map(({ event }) => event.loan_id)),
    int8Array(rows.map(({ event }) => event.feed_number)),
    textArray(rows.map(({ event }) => event.client_id)),
    textArray(rows.map(({ event }) => event.reference?.reference)),
    textArray(rows.map(({ issued }) => issued.configuration_id)),
    int4Array(rows.map(({ issued }) => issued.configuration_version)),
    textArray(rows.map(({ event }) => event.merchant_ref)),
  ];
}

function listingColumns(events: readonly NumericBookEvent[]): Buffer[] {
  const rows = events.flatMap((event) => (event.listed === null ? [] : [{ event, listed: event.listed }]));
  return [
    textArray(rows.map(({ event }) => event.tenant_id)),
    textArray(rows.map(({ listed }) => listed.listing)),
    int8Array(rows.map(({ listed }) => listed.number)),
    textArray(rows.map(({ listed }) => listed.id)),
    textArray(rows.map(({ event }) => event.book_id)),
    int8Array(rows.map(({ event }) => event.fact)),
    textArray(rows.map(({ listed }) => listed.row)),
  ];
}
