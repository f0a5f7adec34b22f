/**
 * The new tables held to those that serve, in one moment of the database: of a book that holds as many facts here as
 * there, every row must be the same to the byte. The others are named, to be held again when both have stopped.
 */
import type { BookKey } from '#libs/database/books.ts';
import { type Queryable, query } from '#libs/database/database.ts';
import { textArray } from '#libs/database/pg-array.ts';
import { beside, serving } from './shadow-schema.ts';

export interface RowDifference {
  readonly table: string;
  /** What names the row. */
  readonly row: string;
  /** Texts of the rows; null where there is none. */
  readonly serving: string | null;
  readonly rebuilt: string | null;
}

export interface Compared {
  readonly differences: readonly RowDifference[];
  /** Books of which one side holds more facts than the other. */
  readonly unequal: readonly BookKey[];
}

interface Table {
  readonly keys: readonly string[];
  /** Rows of the books in `w`; SCHEMA is either side. */
  readonly rows: string;
}

const ofBook = (table: string): string => `SELECT t.* FROM SCHEMA.${table} t JOIN w USING (tenant_id, book_id)`;
const ofTenancy = (columns: string, table: string): string =>
  `SELECT ${columns} FROM SCHEMA.${table} t JOIN w USING (tenant_id) WHERE w.book_id = 't'`;

/** Not snapshots, which are a matter of when they were taken, nor revisions, which begin anew. */
const tables: { readonly [name: string]: Table } = {
  books: {
    keys: ['tenant_id', 'book_id'],
    rows: `SELECT t.tenant_id, t.book_id, t.partition, t.sequence, t.version_count, t.version_at, t.recorded_at, t.due_from
      FROM SCHEMA.books t JOIN w USING (tenant_id, book_id)`,
  },
  facts: { keys: ['tenant_id', 'book_id', 'sequence'], rows: ofBook('facts') },
  evidence: {
    keys: ['request_id', 'partition'],
    rows: `SELECT t.* FROM SCHEMA.evidence t WHERE (t.request_id, t.partition) IN
      (SELECT f.request_id, f.partition FROM SCHEMA.facts f JOIN w USING (tenant_id, book_id))`,
  },
  refs: { keys: ['tenant_id', 'namespace', 'reference'], rows: ofBook('refs') },
  feed: {
    keys: ['tenant_id', 'number'],
    rows: `SELECT t.* FROM SCHEMA.feed t JOIN SCHEMA.facts f ON f.tenant_id = t.tenant_id AND f.feed_no = t.number
      JOIN w ON w.tenant_id = f.tenant_id AND w.book_id = f.book_id`,
  },
  loans: {
    keys: ['tenant_id', 'loan_id'],
    rows: `SELECT t.* FROM SCHEMA.loans t JOIN w ON w.tenant_id = t.tenant_id AND w.book_id = 'c/' || t.client_id`,
  },
  listed: {
    keys: ['tenant_id', 'listing', 'number'],
    rows: `SELECT t.tenant_id, t.listing, t.number, t.id, t.book_id, t.sequence, t."row"
      FROM SCHEMA.listed t JOIN w USING (tenant_id, book_id)`,
  },
  due_spans: { keys: ['tenant_id', 'book_id', 'from_day'], rows: ofBook('due_spans') },
  tenancies: {
    keys: ['tenant_id'],
    rows: ofTenancy('t.tenant_id, name, live, jurisdiction, time_zone, bounds, created_at', 'tenancies'),
  },
  keys: {
    keys: ['fp'],
    rows: ofTenancy('fp, t.tenant_id, public_key, scope, holder, label, created_at, revoked_at', 'keys'),
  },
  configurations: {
    keys: ['tenant_id', 'configuration_id', 'version'],
    rows: ofTenancy(
      't.tenant_id, configuration_id, version, archetype, created_at, "values", answer',
      'configurations',
    ),
  },
};

/** Differences of one table that are told; the first is what whoever looks wants. */
const mostOfOne = 10;

/** All books, or those named. */
export async function compareTables(on: Queryable, names?: readonly BookKey[]): Promise<Compared> {
  const values =
    names === undefined
      ? []
      : [textArray(names.map(({ tenantId }) => tenantId)), textArray(names.map(({ bookId }) => bookId))];
  const differences: RowDifference[] = [];
  for (const [table, { keys, rows }] of Object.entries(tables)) {
    const text = differenceText(keys, rows, names !== undefined);
    const found = await query<Omit<RowDifference, 'table'>>(
      on,
      `compare_${table}_${names === undefined}`,
      text,
      values,
    );
    differences.push(...found.map((difference) => ({ table, ...difference })));
  }
  const unequal = await query<{ tenant_id: string; book_id: string }>(
    on,
    `unequal_books_${names === undefined}`,
    unequalText(names !== undefined),
    values,
  );
  return {
    differences,
    unequal: unequal.map(({ tenant_id, book_id }) => ({ tenantId: tenant_id, bookId: book_id })),
  };
}

const named = 'JOIN unnest($1::text[], $2::text[]) AS named (tenant_id, book_id) USING (tenant_id, book_id)';

function differenceText(keys: readonly string[], rows: string, isNamed: boolean): string {
  const key = keys.map((name) => `coalesce(o."${name}", n."${name}")`).join(', ');
  const using = keys.map((name) => `o."${name}" = n."${name}"`).join(' AND ');
  return `
    WITH w AS (SELECT DISTINCT tenant_id, book_id FROM ${serving}.books o JOIN ${beside}.books n USING (tenant_id, book_id)
      ${isNamed ? named : ''} WHERE o.sequence = n.sequence)
    SELECT concat_ws(' ', ${key}) AS "row", o::text AS serving, n::text AS rebuilt
    FROM (${rows.replaceAll('SCHEMA', serving)}) o FULL JOIN (${rows.replaceAll('SCHEMA', beside)}) n ON ${using}
    WHERE o::text IS DISTINCT FROM n::text ORDER BY 1 LIMIT ${mostOfOne}`;
}

function unequalText(isNamed: boolean): string {
  return `
    SELECT DISTINCT tenant_id, book_id FROM ${serving}.books o FULL JOIN ${beside}.books n USING (tenant_id, book_id)
    ${isNamed ? named : ''} WHERE coalesce(o.sequence, 0) <> coalesce(n.sequence, 0) ORDER BY 1, 2`;
}
