/** Checks the rows of a range of events of one partition against the tables that they name, and finds the books born in it. */
import { type Queryable, query } from '#libs/database/database.ts';
import { maxPartitionCount } from '#libs/kafka/book-key-partition.ts';
import { findInconsistent, type RowCheck, withPage } from './consistency-queries.ts';
import type { Findings } from './findings.ts';
import type { SizedBook } from './read-stored-books.ts';
import type { RequestsOfFacts } from './requests-of-partition.ts';

/** Events of a partition after one, up to another or to the limit of a part. */
export interface EventRange {
  readonly partition: number;
  readonly after: number;
  readonly upTo: number;
}

export interface EventRangeContent {
  /** The number up to which the events were read. */
  readonly lastEvent: number;
  readonly facts: number;
  readonly requests: RequestsOfFacts;
  /** By Tenancy, facts that agree with their entry of the feed. */
  readonly feedEntries: readonly (readonly [tenantId: string, count: number])[];
  /** Books of Clients whose first fact is in the range. */
  readonly books: readonly SizedBook[];
}

const eventsText = `
  SELECT tenant_id, book_id, sequence, kind, occurred_on, loan_id, event_id, merchant_ref, recorded_at, namespace, reference,
    request_id, partition, "offset", event_number, feed_number
  FROM facts WHERE partition = $1 AND event_number > $2 AND event_number <= $3
  ORDER BY event_number`;

const feedColumns = ['event_id', 'loan_id', 'kind', 'occurred_on', 'recorded_at', 'merchant_ref'];
const columnsOf = (table: string): string => feedColumns.map((column) => `${table}.${column}`).join(', ');

const checks: readonly RowCheck[] = [
  {
    what: 'a fact belongs to a book that does not exist',
    text: `SELECT DISTINCT f.tenant_id || '/' || f.book_id AS place FROM page f
      LEFT JOIN books b USING (tenant_id, book_id) WHERE b.book_id IS NULL ORDER BY 1`,
  },
  {
    // Nothing else reads it: facts are read from the partition of their book.
    what: 'a fact is in another partition than its book',
    text: `SELECT f.tenant_id || '/' || f.book_id || ' fact ' || f.sequence AS place, b.partition AS expected, f.partition AS found
      FROM page f JOIN books b USING (tenant_id, book_id) WHERE f.partition <> b.partition ORDER BY f.event_number`,
  },
  {
    what: 'a fact belongs to a submission that is not processed yet',
    text: `SELECT 'partition ' || p.partition AS place, p.next_offset AS expected, f.last AS found
      FROM partitions p CROSS JOIN (SELECT max("offset") AS last FROM page) f WHERE p.partition = $1 AND f.last >= p.next_offset`,
  },
  {
    what: 'an entry of the feed differs from its fact',
    text: `SELECT f.tenant_id || ' feed ' || f.feed_number AS place, json_build_array(${columnsOf('f')}) AS expected,
        json_build_array(${columnsOf('d')}) AS found
      FROM page f LEFT JOIN feed d ON d.tenant_id = f.tenant_id AND d.number = f.feed_number
      WHERE f.feed_number IS NOT NULL AND (${columnsOf('f')}) IS DISTINCT FROM (${columnsOf('d')}) ORDER BY f.event_number`,
  },
  {
    // With OFFSET 0 each row is looked up: the reference first, which says where its fact is.
    what: 'several facts have the same reference',
    text: `SELECT f.tenant_id || ' ' || f.namespace || ' ' || f.reference AS place, 1 AS expected, 2 AS found FROM page f
      CROSS JOIN LATERAL (
        SELECT o.* FROM (SELECT partition, event_number FROM reference_hashes
            WHERE name_hash = reference_hash(f.tenant_id, f.namespace, f.reference)
              AND (partition, event_number) <> (f.partition, f.event_number) OFFSET 0) r
          CROSS JOIN LATERAL (SELECT * FROM facts WHERE partition = r.partition AND event_number = r.event_number OFFSET 0) o
        UNION ALL
        SELECT o.* FROM (SELECT book_id, sequence FROM submission_references
            WHERE tenant_id = f.tenant_id AND namespace = f.namespace AND reference = f.reference
              AND (book_id, sequence) <> (f.book_id, f.sequence) OFFSET 0) r
          CROSS JOIN LATERAL (SELECT partition FROM books WHERE tenant_id = f.tenant_id AND book_id = r.book_id OFFSET 0) b
          CROSS JOIN LATERAL (SELECT * FROM facts WHERE tenant_id = f.tenant_id AND book_id = r.book_id
            AND partition = b.partition AND sequence = r.sequence OFFSET 0) o) o
      WHERE o.tenant_id = f.tenant_id AND o.namespace = f.namespace AND o.reference = f.reference ORDER BY f.event_number`,
  },
];

const rangeText = `
  SELECT count(*)::int AS facts, coalesce(array_agg(DISTINCT request_id::text), '{}') AS request_ids,
    (array_agg(request_id::text ORDER BY event_number DESC))[1] AS last_request,
    percentile_disc(0.5) WITHIN GROUP (ORDER BY recorded_at) AS recorded_at FROM page`;

const feedEntriesText = `
  SELECT f.tenant_id, count(*)::int AS count FROM page f
  JOIN feed d ON d.tenant_id = f.tenant_id AND d.number = f.feed_number
  WHERE (${columnsOf('f')}) IS NOT DISTINCT FROM (${columnsOf('d')}) GROUP BY f.tenant_id`;

const bornBooksText = `
  SELECT b.tenant_id, b.book_id, b.sequence FROM page f
  JOIN books b ON b.tenant_id = f.tenant_id AND b.book_id = f.book_id AND b.partition = f.partition
  WHERE f.sequence = 1 AND b.book_id <> 't' ORDER BY f.event_number`;

interface RangeRow {
  readonly facts: number;
  readonly request_ids: readonly string[];
  readonly last_request: string | null;
  readonly recorded_at: number | null;
}

/** In one snapshot. */
export async function checkEvents(
  database: Queryable,
  { partition, after, upTo }: EventRange,
  { maxEvents, findings }: { readonly maxEvents: number; readonly findings: Findings },
): Promise<EventRangeContent> {
  const name = `events ${maxEvents}`;
  const rows = `${eventsText} LIMIT ${maxEvents}`;
  const lastEvent = Math.min(upTo, after + maxEvents);
  const values = [partition, after, lastEvent];
  const read = <Row>(what: string, text: string): Promise<Row[]> =>
    query<Row>(database, `${name} ${what}`, withPage(rows, text), values);
  await findInconsistent(database, { name, rows, values }, checks, findings);
  const [range] = await read<RangeRow>('requests', rangeText);
  const feed = await read<{ tenant_id: string; count: number }>('feed', feedEntriesText);
  return {
    lastEvent,
    facts: range?.facts ?? 0,
    requests: {
      requestIds: range?.request_ids ?? [],
      lastRequest: range?.last_request ?? null,
      recordedAtMs: Math.floor((range?.recorded_at ?? 0) / 1_000),
    },
    feedEntries: feed.map(({ tenant_id, count }) => [tenant_id, count]),
    books: await read<SizedBook>('books', bornBooksText),
  };
}

const unknownPartitions: RowCheck = {
  what: 'the partition has facts and is missing in its table',
  text: `SELECT 'partition ' || n.partition AS place FROM page n
    WHERE n.partition NOT IN (SELECT partition FROM partitions)
      AND EXISTS (SELECT 1 FROM facts f WHERE f.partition = n.partition) ORDER BY n.partition`,
};

/** The events of a partition without a row are read by no part of the audit. */
export async function checkPartitionRows(database: Queryable, findings: Findings): Promise<void> {
  const rows = `SELECT generate_series(0, ${maxPartitionCount - 1})::smallint AS partition`;
  await findInconsistent(database, { name: 'partitions', rows, values: [] }, [unknownPartitions], findings);
}

const outsideText = `
  SELECT ((SELECT count(*) FROM facts WHERE partition = $1 AND event_number < 1) +
    (SELECT count(*) FROM facts WHERE partition = $1 AND event_number > $2))::int AS facts,
    (SELECT coalesce(max(event_number), 0) FROM facts WHERE partition = $1) AS last`;

/** `facts` were found from the first event to the last one of the partition, in this snapshot or before. */
export async function checkEventNumbers(
  database: Queryable,
  { partition, lastEvent, facts }: { readonly partition: number; readonly lastEvent: number; readonly facts: number },
  findings: Findings,
): Promise<void> {
  const values = [partition, lastEvent];
  const [outside] = await query<{ facts: number; last: number }>(
    database,
    'audited_event_numbers',
    outsideText,
    values,
  );
  const found = { facts: facts + (outside?.facts ?? 0), last: outside?.last ?? 0 };
  if (found.facts === lastEvent && found.last === lastEvent) return;
  const what = 'the event numbers of a partition have a gap';
  findings.add({ what, where: `partition ${partition}`, expected: lastEvent, found });
}
