/** Reads committed facts as records of `lending.book-events`, for a publisher that has to catch up. */
import {
  type BookEvent,
  bookEvent,
  type CommittedFact,
  type EventEvidence,
  type EventReference,
} from '#libs/kafka/book-event.ts';
import { type Queryable, query } from './database.ts';

/** A row of the table facts, without its numbers in the topic and the feed. */
export interface FactColumns {
  readonly tenant_id: string;
  readonly book_id: string;
  readonly sequence: number;
  readonly kind: string;
  readonly body: string;
  readonly counts: boolean;
  readonly version_count: number;
  readonly version_at: number | null;
  readonly namespace: string | null;
  readonly reference: string | null;
  readonly occurred_on: number | null;
  readonly loan_id: string | null;
  readonly event_id: string | null;
  readonly merchant_ref: string | null;
  readonly recorded_at: number;
  readonly request_id: string;
  readonly item: number;
  readonly partition: number;
  readonly offset: number;
}

interface EventRow extends FactColumns, Omit<EventEvidence<number>, 'body'> {
  readonly digest: Buffer | null;
  readonly subject: string | null;
  readonly event_number: number;
  readonly feed_number: number | null;
  readonly configuration_id: string | null;
  readonly configuration_version: number | null;
  readonly listing: string | null;
  readonly listed_number: number | null;
  readonly listed_id: string | null;
  readonly listed_row: string | null;
  /** The number of the event that carries the evidence of the request. */
  readonly evidence_event: number;
  readonly evidence_body: Buffer;
}

/** What is recorded with each fact of `f`: its reference `r`, issued Loan `i` and listed record `l`, each looked up by its index. */
export const rowsOfFact = `LEFT JOIN LATERAL (SELECT digest, subject, book_id, kind, sequence FROM submission_references
      WHERE tenant_id = f.tenant_id AND namespace = f.namespace AND reference = f.reference
    UNION ALL
    -- Book, kind and sequence are null where it names another fact, so that the audit reports it.
    SELECT h.digest, coalesce(h.subject, subject_of_fact(f.body::text, f.event_id)), o.book_id, o.kind, o.sequence FROM reference_hashes h
      LEFT JOIN LATERAL (SELECT f.book_id, f.kind, f.sequence) o ON h.partition = f.partition AND h.event_number = f.event_number
      WHERE h.name_hash = reference_hash(f.tenant_id, f.namespace, f.reference) OFFSET 0) r ON true
  -- A Loan's number is the feed number of the fact that issued it.
  LEFT JOIN LATERAL (SELECT * FROM loans WHERE tenant_id = f.tenant_id AND loan_id = f.loan_id AND number = f.feed_number OFFSET 0) i ON true
  LEFT JOIN LATERAL (SELECT * FROM listed_records
    WHERE tenant_id = f.tenant_id AND book_id = f.book_id AND sequence = f.sequence OFFSET 0) l ON true`;

/**
 * The facts are read first, and with OFFSET 0 the rest is looked up for each: the plan is made for any partition, and the planner
 * expects the facts of all of them.
 */
const eventsAfterSql = `
  SELECT f.tenant_id, f.book_id, f.sequence, f.kind, f.body::text AS body, f.counts, f.version_count, f.version_at,
    f.namespace, f.reference, r.digest, r.subject, f.occurred_on, f.loan_id, f.event_id, f.merchant_ref, f.recorded_at,
    f.request_id, f.item, f.partition, f."offset", f.event_number, f.feed_number, i.configuration_id, i.configuration_version,
    l.listing, l.number AS listed_number, l.id AS listed_id, l."row"::text AS listed_row, e.method, e.target, e.ts, e.fp, e.signature,
    e.idempotency_key, CASE WHEN f.event_number = first.event_number THEN e.body END AS evidence_body, e.body_encoding, e.actor,
    e.caller_request_id, e.received_at AS taken_in_at, first.event_number AS evidence_event
  FROM (SELECT * FROM facts WHERE partition = $1 AND event_number > $2 ORDER BY event_number LIMIT $3) f
  CROSS JOIN LATERAL (SELECT * FROM evidence WHERE partition = $1 AND request_id = f.request_id OFFSET 0) e
  ${rowsOfFact}
  -- Facts of one request follow each other in their partition: the first comes after a fact of another request.
  CROSS JOIN LATERAL (
    SELECT coalesce(max(b.event_number), 0) + 1 AS event_number FROM (
      SELECT p.event_number, p.request_id FROM facts p
      WHERE p.partition = $1 AND p.event_number < f.event_number AND p.event_number >= f.event_number - 4096
        AND p.request_id <> f.request_id
      ORDER BY p.event_number DESC LIMIT 1) b
  ) first
  ORDER BY f.event_number`;

/** The events of a partition after one, in order. */
export async function readEventsAfter(
  database: Queryable,
  partition: number,
  eventNumber: number,
  limit: number,
): Promise<BookEvent<number>[]> {
  const rows = await query<EventRow>(database, 'events_after', eventsAfterSql, [partition, eventNumber, limit]);
  return rows.map(toBookEvent);
}

type MovedColumns =
  | 'tenant_id'
  | 'book_id'
  | 'sequence'
  | 'kind'
  | 'body'
  | 'counts'
  | 'recorded_at'
  | 'request_id'
  | 'item'
  | 'partition';

/** A fact in the order of its partition: what its fold needs, and where it came from. */
export interface PartitionFact extends Pick<FactColumns, MovedColumns> {
  readonly event_number: number;
}

/** The facts of a partition after an event, in order, as far as their bodies stay within the bounds: at least one. */
export function readFactsAfter(
  database: Queryable,
  partition: number,
  eventNumber: number,
  { maxEvents, maxBytes }: EventBounds,
): Promise<PartitionFact[]> {
  const text = `
    SELECT tenant_id, book_id, sequence, kind, body, counts, recorded_at, request_id, item, partition, event_number FROM (
      SELECT read.*, sum(octet_length(body)) OVER (ORDER BY event_number) AS total FROM (
        SELECT tenant_id, book_id, sequence, kind, body::text AS body, counts, recorded_at, request_id, item, partition, event_number
        FROM facts WHERE partition = $1 AND event_number > $2 ORDER BY event_number LIMIT $3) AS read) AS sized
    WHERE total <= $4 OR event_number = $2 + 1 ORDER BY event_number`;
  return query<PartitionFact>(database, 'facts_after', text, [partition, eventNumber, maxEvents, maxBytes]);
}

type PublishedEvent = Pick<BookEvent<number | bigint>, 'partition' | 'sequence' | 'request_id' | 'item'>;

/** Whether the database holds this event. Not by its number alone: a database that was set back reuses numbers. */
export async function isRecorded(database: Queryable, event: PublishedEvent): Promise<boolean> {
  const sequence = Number(event.sequence);
  const [recorded] = await readEventsAfter(database, event.partition, sequence - 1, 1);
  return recorded?.sequence === sequence && recorded.request_id === event.request_id && recorded.item === event.item;
}

export interface EventBounds {
  readonly maxEvents: number;
  readonly maxBytes: number;
}

/** How many of the events after one to read so that their bodies and evidence stay within the bounds: at least one. */
export async function countEventsWithin(
  database: Queryable,
  partition: number,
  eventNumber: number,
  { maxEvents, maxBytes }: EventBounds,
): Promise<number> {
  const text = `
    SELECT count(*)::integer AS count FROM (
      SELECT sum(bytes) OVER (ORDER BY event_number) AS total FROM (
        SELECT f.event_number, octet_length(f.body::text) + CASE
            WHEN f.request_id = lag(f.request_id) OVER (ORDER BY f.event_number) THEN 0 ELSE octet_length(e.body) END AS bytes
        FROM (SELECT * FROM facts WHERE partition = $1 AND event_number > $2 ORDER BY event_number LIMIT $3) f
        CROSS JOIN LATERAL (SELECT body FROM evidence WHERE partition = $1 AND request_id = f.request_id OFFSET 0) e) AS sized) AS running
    WHERE total <= $4`;
  const values = [partition, eventNumber, maxEvents, maxBytes];
  const [row] = await query<{ count: number }>(database, 'count_events_within', text, values);
  return Math.max(1, row?.count ?? 0);
}

function toBookEvent(row: EventRow): BookEvent<number> {
  const isFirstOfRequest = row.evidence_event === row.event_number;
  return bookEvent(toCommittedFact(row), {
    feedNumber: row.feed_number,
    listedNumber: row.listed_number,
    evidence: isFirstOfRequest ? evidenceOf(row) : row.evidence_event,
  });
}

function toCommittedFact(row: EventRow): CommittedFact {
  return {
    tenantId: row.tenant_id,
    bookId: row.book_id,
    sequence: row.sequence,
    fact: {
      kind: row.kind,
      body: row.body,
      counts: row.counts,
      occurredOn: row.occurred_on,
      loanId: row.loan_id,
      eventId: row.event_id,
      merchantRef: row.merchant_ref,
      ...issuedLoan(row),
      ...listedFact(row),
    },
    versionCount: row.version_count,
    versionAt: row.version_at,
    reference: referenceOf(row),
    recordedAt: row.recorded_at,
    requestId: row.request_id,
    item: row.item,
    partition: row.partition,
    offset: row.offset,
    eventNumber: row.event_number,
  };
}

function issuedLoan({ configuration_id, configuration_version }: EventRow): Pick<CommittedFact['fact'], 'loan'> {
  if (configuration_id === null || configuration_version === null) return {};
  return { loan: { configurationId: configuration_id, configurationVersion: configuration_version } };
}

function listedFact({ listing, listed_id: id, listed_row: row }: EventRow): Pick<CommittedFact['fact'], 'listed'> {
  return listing === null || id === null || row === null ? {} : { listed: { listing, id, row } };
}

function referenceOf({ namespace, reference, digest, subject }: EventRow): EventReference | undefined {
  if (namespace === null || reference === null || digest === null || subject === null) return undefined;
  return { namespace, reference, digest, subject };
}

function evidenceOf(row: EventRow): EventEvidence<number> {
  return {
    method: row.method,
    target: row.target,
    ts: row.ts,
    fp: row.fp,
    signature: row.signature,
    idempotency_key: row.idempotency_key,
    body: row.evidence_body,
    body_encoding: row.body_encoding,
    actor: row.actor,
    caller_request_id: row.caller_request_id,
    taken_in_at: row.taken_in_at,
  };
}

/** The number of the last event of the partition that was recorded before the moment, in microseconds since 1970; else 0. */
export async function lastEventBefore(database: Queryable, partition: number, moment: number): Promise<number> {
  const text = `SELECT event_number AS event FROM facts WHERE partition = $1 AND recorded_at < $2
    ORDER BY event_number DESC LIMIT 1`;
  const [row] = await query<{ event: number }>(database, 'last_event_before', text, [partition, moment]);
  return row?.event ?? 0;
}
