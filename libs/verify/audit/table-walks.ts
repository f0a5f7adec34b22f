/**
 * Walks over the tables whose rows name facts, books or requests, in the order of their primary keys: a bounded number of
 * rows at a time. What facts name is checked by their partitions (`event-checks.ts`).
 */
import { type Queryable, query } from '#libs/database/database.ts';
import { lowestUuid } from './audit-progress.ts';
import { type CheckedPage, findInconsistent, type RowCheck, withPage } from './consistency-queries.ts';
import type { Findings } from './findings.ts';
import type { SizedBook } from './read-stored-books.ts';

type Key = readonly (string | number)[];

export interface TableWalk {
  readonly table: string;
  /** The columns of the primary key with their types. */
  readonly key: readonly (readonly [column: string, type: string])[];
  readonly lowestKey: Key;
  /** Columns that the checks read, besides the key. */
  readonly columns: readonly string[];
  readonly checks: readonly RowCheck[];
}

const tenant = ['tenant_id', 'text'] as const;
export const lowestNumber = '-9223372036854775808';

/** Rows of a moved partition keep their numbers: `auditMovedNumbers` counts those of all databases. */
const isComplete = 'NOT EXISTS (SELECT FROM partition_number_ranges)';

/** Each database of a cell numbers its own rows. */
const numberBeforeFirst = `coalesce((SELECT number FROM database_identity), 0) * 1099511627776`;

/** The row of the book says in which partition the fact is, so it is read first. Without OFFSET 0 all facts might be read. */
const joinFact = (row: string): string => `LEFT JOIN LATERAL (
            SELECT f.* FROM books b JOIN LATERAL (SELECT * FROM facts WHERE tenant_id = b.tenant_id AND book_id = b.book_id
                AND partition = b.partition AND sequence = ${row}.sequence OFFSET 0) f ON true
              WHERE b.tenant_id = ${row}.tenant_id AND b.book_id = ${row}.book_id OFFSET 0) f ON true`;

export const tableWalks: readonly TableWalk[] = [
  {
    table: 'feed',
    key: [tenant, ['number', 'bigint']],
    lowestKey: ['', lowestNumber],
    columns: [],
    checks: [
      {
        what: 'the feed has a gap',
        text: `SELECT tenant_id || ' feed' AS place, due AS expected, number AS found FROM (
            SELECT tenant_id, number, 1 + coalesce(lag(number) OVER (PARTITION BY tenant_id ORDER BY number),
              (SELECT max(f.number) FROM feed f WHERE f.tenant_id = r.tenant_id AND f.number < r.number), ${numberBeforeFirst}) AS due FROM page r) n
          WHERE number <> due AND ${isComplete} ORDER BY tenant_id, number`,
      },
    ],
  },
  {
    table: 'listed_records',
    key: [tenant, ['listing', 'text'], ['number', 'bigint']],
    lowestKey: ['', '', lowestNumber],
    columns: ['id', 'book_id', 'sequence'],
    checks: [
      {
        what: 'a listing has a gap',
        text: `SELECT tenant_id || ' ' || listing AS place, due AS expected, number AS found FROM (
            SELECT tenant_id, listing, number, 1 + coalesce(lag(number) OVER (PARTITION BY tenant_id, listing ORDER BY number),
              (SELECT max(l.number) FROM listed_records l
               WHERE l.tenant_id = r.tenant_id AND l.listing = r.listing AND l.number < r.number), ${numberBeforeFirst}) AS due FROM page r) n
          WHERE number <> due AND ${isComplete} ORDER BY tenant_id, listing, number`,
      },
      {
        what: 'an entry of a listing has no fact',
        text: `SELECT l.tenant_id || ' ' || l.listing || ' ' || l.id AS place FROM page l
          ${joinFact('l')} WHERE f.sequence IS NULL ORDER BY 1`,
      },
    ],
  },
  {
    table: 'loans',
    key: [tenant, ['loan_id', 'uuid']],
    lowestKey: ['', lowestUuid],
    columns: ['client_id'],
    checks: [
      {
        // The other Loans are compared with the facts of their book.
        what: 'a listed Loan has no issuing fact',
        text: `SELECT l.tenant_id || ' loan ' || l.loan_id AS place FROM page l
          LEFT JOIN books b ON b.tenant_id = l.tenant_id AND b.book_id = 'c/' || l.client_id WHERE b.book_id IS NULL ORDER BY 1`,
      },
    ],
  },
  {
    table: 'submission_references',
    key: [tenant, ['namespace', 'text'], ['reference', 'text']],
    lowestKey: ['', '', ''],
    columns: ['book_id', 'sequence'],
    checks: [
      {
        what: 'a reference points to a fact recorded under another one',
        text: `SELECT r.tenant_id || ' ' || r.namespace || ' ' || r.reference AS place,
            json_build_array(r.book_id, r.sequence) AS expected, json_build_array(f.namespace, f.reference) AS found
          FROM page r ${joinFact('r')}
          WHERE f.reference IS DISTINCT FROM r.reference OR f.namespace IS DISTINCT FROM r.namespace ORDER BY 1`,
      },
    ],
  },
  {
    table: 'reference_hashes',
    key: [['name_hash', 'uuid']],
    lowestKey: [lowestUuid],
    columns: ['partition', 'event_number'],
    checks: [
      {
        what: 'a reference points to a fact recorded under another one',
        text: `SELECT coalesce(f.tenant_id || ' ', '') || 'reference ' || r.name_hash AS place,
            json_build_array(r.partition, r.event_number) AS expected, json_build_array(f.namespace, f.reference) AS found
          FROM page r LEFT JOIN LATERAL (
            SELECT * FROM facts WHERE partition = r.partition AND event_number = r.event_number OFFSET 0) f ON true
          WHERE r.name_hash IS DISTINCT FROM reference_hash(f.tenant_id, f.namespace, f.reference) ORDER BY 1`,
      },
    ],
  },
  {
    table: 'request_evidence',
    key: [
      ['request_id', 'uuid'],
      ['partition', 'smallint'],
    ],
    lowestKey: [lowestUuid, -32_768],
    columns: ['body IS NULL AS has_other_body'],
    checks: [
      {
        what: 'the body of a stored request is missing',
        text: `SELECT 'request ' || e.request_id || ' in partition ' || e.partition AS place FROM page e
          LEFT JOIN request_bodies b USING (request_id) WHERE e.has_other_body AND b.request_id IS NULL ORDER BY 1`,
      },
      {
        // The requests of other partitions are compared with their facts.
        what: 'a stored request has no fact',
        text: `SELECT 'request ' || e.request_id || ' in partition ' || e.partition AS place FROM page e
          WHERE e.partition NOT IN (SELECT partition FROM partitions)
            AND NOT EXISTS (SELECT 1 FROM facts f WHERE f.partition = e.partition AND f.request_id = e.request_id) ORDER BY 1`,
      },
    ],
  },
  {
    table: 'request_bodies',
    key: [['request_id', 'uuid']],
    lowestKey: [lowestUuid],
    columns: [],
    checks: [
      {
        what: 'a stored body belongs to no request',
        text: `SELECT 'request ' || b.request_id AS place FROM page b
          WHERE NOT EXISTS (SELECT 1 FROM request_evidence e WHERE e.request_id = b.request_id AND e.body IS NULL OFFSET 0)
          ORDER BY 1`,
      },
    ],
  },
  {
    table: 'snapshots',
    key: [tenant, ['book_id', 'text']],
    lowestKey: ['', ''],
    columns: ['sequence'],
    checks: [
      {
        what: 'a snapshot contains more facts than its book',
        text: `SELECT s.tenant_id || '/' || s.book_id AS place, b.sequence AS expected, s.sequence AS found
          FROM page s LEFT JOIN books b USING (tenant_id, book_id) WHERE b.sequence IS NULL OR s.sequence > b.sequence ORDER BY 1`,
      },
    ],
  },
  {
    table: 'books',
    key: [tenant, ['book_id', 'text']],
    lowestKey: ['', ''],
    columns: ['sequence', 'partition'],
    checks: [],
  },
];

export interface TablePage {
  /** The key of the next page; null where this is the last. */
  readonly next: Key | null;
  /** By Tenancy, entries of the feed up to the start of the audit. */
  readonly feedEntries: readonly (readonly [tenantId: string, count: number])[];
  /** Books that no partition audits, because their first fact is not where it should be. */
  readonly books: readonly SizedBook[];
}

interface PageOptions {
  /** The key to continue at; undefined for the first page. */
  readonly from: Key | undefined;
  readonly maxRows: number;
  readonly feedEnds: Readonly<Record<string, number>>;
  readonly findings: Findings;
}

/** Checks one page, in one snapshot. */
export async function checkTablePage(
  database: Queryable,
  walk: TableWalk,
  { from, maxRows, feedEnds, findings }: PageOptions,
): Promise<TablePage> {
  const { table, columns, checks } = walk;
  const name = `${table} ${maxRows}`;
  const values = from ?? walk.lowestKey;
  const keyColumns = walk.key.map(([column]) => column);
  const rowsFrom = (selected: readonly string[]): string => `
    SELECT ${selected.join(', ')} FROM ${table}
    WHERE (${keyColumns.join(', ')}) >= (${walk.key.map(([, type], index) => `$${index + 1}::${type}`).join(', ')})
    ORDER BY ${keyColumns.join(', ')}`;
  const rows = `${rowsFrom([...keyColumns, ...columns])} LIMIT ${maxRows}`;
  await findInconsistent(database, { name, rows, values }, checks, findings);
  // As text: a number of the key may be beyond 2^53 in damaged data.
  const nextText = `SELECT array_to_json(ARRAY[${keyColumns.map((each) => `${each}::text`).join(', ')}]) AS key
    FROM (${rowsFrom(keyColumns)} LIMIT 1 OFFSET ${maxRows}) next`;
  const [next] = await query<{ key: Key }>(database, `${name} next`, nextText, values);
  const source = { name, rows, values };
  return {
    next: next?.key ?? null,
    feedEntries: table === 'feed' ? await countFeedEntries(database, source, feedEnds) : [],
    books: table === 'books' ? await booksWithoutFirstFact(database, source) : [],
  };
}

async function countFeedEntries(
  database: Queryable,
  { name, rows, values }: CheckedPage,
  feedEnds: PageOptions['feedEnds'],
): Promise<TablePage['feedEntries']> {
  const text = `SELECT tenant_id, count(*)::int AS count FROM page
    JOIN unnest($3::text[], $4::bigint[]) AS ends (tenant_id, last) USING (tenant_id) WHERE number <= last GROUP BY tenant_id`;
  const ends = [Object.keys(feedEnds), Object.values(feedEnds)];
  const counted = await query<{ tenant_id: string; count: number }>(database, `${name} count`, withPage(rows, text), [
    ...values,
    ...ends,
  ]);
  return counted.map(({ tenant_id, count }) => [tenant_id, count]);
}

/** Without those of Tenancies, which are all audited first. */
function booksWithoutFirstFact(database: Queryable, { name, rows, values }: CheckedPage): Promise<SizedBook[]> {
  const text = `SELECT b.tenant_id, b.book_id, b.sequence FROM page b LEFT JOIN partitions p USING (partition)
    WHERE b.book_id <> 't' AND NOT EXISTS (
      SELECT 1 FROM facts f WHERE f.tenant_id = b.tenant_id AND f.book_id = b.book_id AND f.sequence = 1
        AND f.partition = b.partition AND f.event_number >= 1 AND f.event_number < p.next_event OFFSET 0)
    ORDER BY b.tenant_id, b.book_id`;
  return query<SizedBook>(database, `${name} without first fact`, withPage(rows, text), values);
}

/** Tenancies whose feed has another number of entries than its facts. */
export function tenanciesWithOtherFeed(
  ofFeed: Readonly<Record<string, number>>,
  ofPartitions: readonly Readonly<Record<string, number>>[],
): string[] {
  const ofFacts = new Map<string, number>();
  for (const counts of ofPartitions) {
    for (const [tenantId, count] of Object.entries(counts)) ofFacts.set(tenantId, (ofFacts.get(tenantId) ?? 0) + count);
  }
  return Object.keys(ofFeed).filter((tenantId) => ofFeed[tenantId] !== ofFacts.get(tenantId));
}

const nothing = `json_build_array(${Array.from({ length: 6 }, () => 'NULL::text').join(', ')})`;

const withoutFact: RowCheck = {
  what: 'an entry of the feed differs from its fact',
  text: `SELECT d.tenant_id || ' feed ' || d.number AS place, ${nothing} AS expected,
      json_build_array(d.event_id, d.loan_id, d.kind, d.occurred_on, d.recorded_at, d.merchant_ref) AS found
    FROM page d LEFT JOIN loans l USING (tenant_id, loan_id)
    LEFT JOIN books b ON b.tenant_id = d.tenant_id AND b.book_id = 'c/' || l.client_id
    WHERE NOT EXISTS (SELECT 1 FROM facts f
      WHERE f.tenant_id = d.tenant_id AND f.book_id = b.book_id AND f.partition = b.partition AND f.feed_number = d.number OFFSET 0)
    ORDER BY d.number`,
};

/**
 * Entries of the feed of one Tenancy without a fact, from a number on, in one snapshot. Returns the next number; null at the
 * end. Each entry is searched in the whole book of its Loan.
 */
export async function findFeedEntriesWithoutFact(
  database: Queryable,
  [tenantId, from]: readonly [tenantId: string, from: string],
  { maxRows, findings }: Pick<PageOptions, 'maxRows' | 'findings'>,
): Promise<string | null> {
  const name = `feed search ${maxRows}`;
  const values = [tenantId, from];
  const rowsFrom = (columns: string): string =>
    `SELECT ${columns} FROM feed WHERE tenant_id = $1 AND number >= $2::bigint ORDER BY number`;
  await findInconsistent(
    database,
    { name, rows: `${rowsFrom('*')} LIMIT ${maxRows}`, values },
    [withoutFact],
    findings,
  );
  const text = `${rowsFrom('number::text AS number')} LIMIT 1 OFFSET ${maxRows}`;
  const [next] = await query<{ number: string }>(database, `${name} next`, text, values);
  return next?.number ?? null;
}
