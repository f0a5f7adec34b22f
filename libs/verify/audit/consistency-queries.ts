/** Checks across tables that no single book shows: each query selects rows that must not exist. */

import { type Queryable, query } from '#libs/database/database.ts';
import { maxPartitionCount } from '#libs/kafka/book-key-partition.ts';
import type { Json } from '#libs/schema/json.ts';
import type { Findings } from './findings.ts';

interface ConsistencyQuery {
  readonly what: string;
  /** Selects `place` and optionally `expected` and `found`, in order. */
  readonly text: string;
}

const consistencyQueries: readonly ConsistencyQuery[] = [
  {
    what: 'a fact belongs to a book that does not exist',
    text: `SELECT DISTINCT f.tenant_id || '/' || f.book_id AS place FROM facts f
      LEFT JOIN books b USING (tenant_id, book_id) WHERE b.book_id IS NULL ORDER BY 1`,
  },
  {
    what: 'the event numbers of a partition have a gap',
    text: `SELECT 'partition ' || p.partition AS place, p.next_event - 1 AS expected,
        json_build_object('facts', count(f.event_number), 'last', max(f.event_number)) AS found
      FROM partitions p LEFT JOIN facts f USING (partition) GROUP BY p.partition, p.next_event
      HAVING count(f.event_number) <> p.next_event - 1 OR coalesce(max(f.event_number), 0) <> p.next_event - 1 ORDER BY p.partition`,
  },
  {
    what: 'the partition has facts and is missing in its table',
    text: `SELECT 'partition ' || n AS place FROM generate_series(0, ${maxPartitionCount - 1}) n
      WHERE n NOT IN (SELECT partition FROM partitions) AND EXISTS (SELECT 1 FROM facts f WHERE f.partition = n::smallint) ORDER BY n`,
  },
  {
    what: 'a fact belongs to a submission that is not processed yet',
    text: `SELECT DISTINCT 'partition ' || f.partition AS place, p.next_offset AS expected, max(f."offset") AS found
      FROM facts f JOIN partitions p USING (partition) GROUP BY f.partition, p.next_offset HAVING max(f."offset") >= p.next_offset`,
  },
  {
    what: 'the feed has a gap',
    text: `SELECT tenant_id || ' feed' AS place, due AS expected, number AS found FROM (
        SELECT tenant_id, number, row_number() OVER (PARTITION BY tenant_id ORDER BY number) AS due FROM feed) n
      WHERE number <> due ORDER BY tenant_id, due`,
  },
  {
    what: 'an entry of the feed differs from its fact',
    text: `SELECT coalesce(f.tenant_id, d.tenant_id) || ' feed ' || coalesce(f.feed_number, d.number) AS place,
        json_build_array(f.event_id, f.loan_id, f.kind, f.occurred_on, f.recorded_at, f.merchant_ref) AS expected,
        json_build_array(d.event_id, d.loan_id, d.kind, d.occurred_on, d.recorded_at, d.merchant_ref) AS found
      FROM (SELECT * FROM facts WHERE feed_number IS NOT NULL) f
      FULL JOIN feed d ON d.tenant_id = f.tenant_id AND d.number = f.feed_number
      WHERE (f.event_id, f.loan_id, f.kind, f.occurred_on, f.recorded_at, f.merchant_ref)
        IS DISTINCT FROM (d.event_id, d.loan_id, d.kind, d.occurred_on, d.recorded_at, d.merchant_ref) ORDER BY 1`,
  },
  {
    what: 'a listing has a gap',
    text: `SELECT tenant_id || ' ' || listing AS place, due AS expected, number AS found FROM (
        SELECT tenant_id, listing, number, row_number() OVER (PARTITION BY tenant_id, listing ORDER BY number) AS due
        FROM listed_records) n WHERE number <> due ORDER BY 1, due`,
  },
  {
    what: 'an entry of a listing has no fact',
    text: `SELECT l.tenant_id || ' ' || l.listing || ' ' || l.id AS place FROM listed_records l
      LEFT JOIN facts f USING (tenant_id, book_id, sequence) WHERE f.sequence IS NULL ORDER BY 1`,
  },
  {
    what: 'a listed Loan has no issuing fact',
    text: `SELECT l.tenant_id || ' loan ' || l.loan_id AS place FROM loans l
      LEFT JOIN facts f ON f.tenant_id = l.tenant_id AND f.book_id = 'c/' || l.client_id AND f.loan_id = l.loan_id AND f.feed_number = l.number
      WHERE f.sequence IS NULL ORDER BY 1`,
  },
  {
    what: 'a reference points to a fact recorded under another one',
    text: `SELECT r.tenant_id || ' ' || r.namespace || ' ' || r.reference AS place,
        json_build_array(r.book_id, r.sequence) AS expected, json_build_array(f.namespace, f.reference) AS found
      FROM submission_references r LEFT JOIN facts f USING (tenant_id, book_id, sequence)
      WHERE f.reference IS DISTINCT FROM r.reference OR f.namespace IS DISTINCT FROM r.namespace ORDER BY 1`,
  },
  {
    what: 'several facts have the same reference',
    text: `SELECT tenant_id || ' ' || namespace || ' ' || reference AS place, 1 AS expected, count(*) AS found FROM facts
      WHERE reference IS NOT NULL GROUP BY tenant_id, namespace, reference HAVING count(*) > 1 ORDER BY 1`,
  },
  {
    what: 'a stored request has no fact',
    text: `SELECT 'request ' || e.request_id || ' in partition ' || e.partition AS place FROM evidence e
      WHERE NOT EXISTS (SELECT 1 FROM facts f WHERE f.partition = e.partition AND f.request_id = e.request_id) ORDER BY 1`,
  },
  {
    what: 'the body of a stored request is missing',
    text: `SELECT 'request ' || request_id || ' in partition ' || partition AS place FROM evidence WHERE body IS NULL ORDER BY 1`,
  },
  {
    what: 'a stored body belongs to no request',
    text: `SELECT 'request ' || b.request_id AS place FROM request_bodies b
      WHERE NOT EXISTS (SELECT 1 FROM request_evidence e WHERE e.request_id = b.request_id AND e.body IS NULL) ORDER BY 1`,
  },
  {
    what: 'a snapshot contains more facts than its book',
    text: `SELECT s.tenant_id || '/' || s.book_id AS place, b.sequence AS expected, s.sequence AS found
      FROM snapshots s LEFT JOIN books b USING (tenant_id, book_id) WHERE b.sequence IS NULL OR s.sequence > b.sequence ORDER BY 1`,
  },
];

const maxRowsPerQuery = 20;

interface InconsistentRow {
  readonly place: string;
  readonly expected?: Json;
  readonly found?: Json;
}

export async function checkConsistency(database: Queryable, findings: Findings): Promise<void> {
  for (const { what, text } of consistencyQueries) {
    const rows = await query<InconsistentRow>(
      database,
      `audit: ${what}`.slice(0, 60),
      `${text} LIMIT ${maxRowsPerQuery}`,
      [],
    );
    for (const { place, ...values } of rows) findings.add({ what, where: place, ...values });
  }
}
