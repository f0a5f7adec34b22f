/**
 * Compares the shadow tables with the serving tables in one transaction. All rows of a book with equally many facts on
 * both sides must be equal. Books with different numbers of facts are still changing and are listed for a later comparison.
 */
import type { BookKey } from '#libs/database/books.ts';
import { type Queryable, query } from '#libs/database/database.ts';
import { textArray } from '#libs/database/pg-binary.ts';
import { servingSchema, shadowSchema } from './shadow-schema.ts';

export interface RowDifference {
  readonly table: string;
  /** The key of the row. */
  readonly row: string;
  /** The rows as text; null for a missing row. */
  readonly serving: string | null;
  readonly rebuilt: string | null;
}

export interface TableComparison {
  readonly differences: readonly RowDifference[];
  /** Books with more facts on one side than on the other. */
  readonly movingBooks: readonly BookKey[];
}

interface ComparedTable {
  readonly keys: readonly string[];
  /** Selects the rows of the books in `w`, which says in which partition their facts are; SCHEMA stands for either side, LOOKUP for how they are found. */
  readonly rows: string;
  /** The same for few books, where `rows` would read the whole table. */
  readonly rowsOfFewBooks?: string;
}

const bookRows = (table: string): string => `SELECT t.* FROM SCHEMA.${table} t JOIN w USING (tenant_id, book_id)`;
const tenancyRows = (columns: string, table: string): string =>
  `SELECT ${columns} FROM SCHEMA.${table} t JOIN w USING (tenant_id) WHERE w.book_id = 't'`;

/** Without snapshots, which depend on when they were taken, and without revisions, which start over. */
const comparedTables: { readonly [name: string]: ComparedTable } = {
  books: {
    keys: ['tenant_id', 'book_id'],
    rows: `SELECT t.tenant_id, t.book_id, t.partition, t.sequence, t.version_count, t.version_at, t.recorded_at, t.due_from
      FROM SCHEMA.books t JOIN w USING (tenant_id, book_id)`,
  },
  facts: {
    keys: ['tenant_id', 'book_id', 'sequence'],
    rows: `SELECT t.* FROM w CROSS JOIN LATERAL (SELECT * FROM SCHEMA.facts
      WHERE tenant_id = w.tenant_id AND book_id = w.book_id AND partition = w.partition LOOKUP) t`,
  },
  evidence: {
    keys: ['request_id', 'partition'],
    rows: `SELECT t.* FROM (SELECT DISTINCT f.request_id, w.partition FROM w CROSS JOIN LATERAL (SELECT request_id FROM SCHEMA.facts
        WHERE tenant_id = w.tenant_id AND book_id = w.book_id AND partition = w.partition LOOKUP) f) r
      CROSS JOIN LATERAL (SELECT * FROM SCHEMA.evidence e WHERE e.request_id = r.request_id AND e.partition = r.partition LOOKUP) t`,
  },
  // One side may have them by their names, and the other by hashes.
  recorded_references: {
    keys: ['tenant_id', 'namespace', 'reference'],
    rows: bookRows('recorded_references'),
    rowsOfFewBooks: `SELECT f.tenant_id, f.namespace, f.reference, coalesce(s.digest, h.digest), coalesce(s.book_id, o.book_id),
        coalesce(s.kind, o.kind), coalesce(s.subject, h.subject, SCHEMA.subject_of_fact(f.body::text, f.event_id)), coalesce(s.sequence, o.sequence)
      FROM w CROSS JOIN LATERAL (SELECT * FROM SCHEMA.facts
        WHERE tenant_id = w.tenant_id AND book_id = w.book_id AND partition = w.partition AND reference IS NOT NULL LOOKUP) f
      LEFT JOIN LATERAL (SELECT * FROM SCHEMA.submission_references
        WHERE tenant_id = f.tenant_id AND namespace = f.namespace AND reference = f.reference LOOKUP) s ON true
      LEFT JOIN LATERAL (SELECT * FROM SCHEMA.reference_hashes
        WHERE name_hash = SCHEMA.reference_hash(f.tenant_id, f.namespace, f.reference) LOOKUP) h ON true
      LEFT JOIN LATERAL (SELECT f.book_id, f.kind, f.sequence) o ON h.partition = f.partition AND h.event_number = f.event_number
      WHERE s.digest IS NOT NULL OR h.digest IS NOT NULL`,
  },
  feed: {
    keys: ['tenant_id', 'number'],
    rows: `SELECT t.* FROM w CROSS JOIN LATERAL (SELECT feed_number FROM SCHEMA.facts
        WHERE tenant_id = w.tenant_id AND book_id = w.book_id AND partition = w.partition LOOKUP) f
      JOIN SCHEMA.feed t ON t.tenant_id = w.tenant_id AND t.number = f.feed_number`,
  },
  loans: {
    keys: ['tenant_id', 'loan_id'],
    rows: `SELECT t.* FROM SCHEMA.loans t JOIN w ON w.tenant_id = t.tenant_id AND w.book_id = 'c/' || t.client_id`,
  },
  listed_records: {
    keys: ['tenant_id', 'listing', 'number'],
    rows: `SELECT t.tenant_id, t.listing, t.number, t.id, t.book_id, t.sequence, t."row"
      FROM SCHEMA.listed_records t JOIN w USING (tenant_id, book_id)`,
  },
  due_spans: { keys: ['tenant_id', 'book_id', 'from_day'], rows: bookRows('due_spans') },
  tenancies: {
    keys: ['tenant_id'],
    rows: tenancyRows('t.tenant_id, name, live, jurisdiction, time_zone, bounds, created_at', 'tenancies'),
  },
  keys: {
    keys: ['fp'],
    rows: tenancyRows('fp, t.tenant_id, public_key, scope, holder, label, created_at, revoked_at', 'keys'),
  },
  configurations: {
    keys: ['tenant_id', 'configuration_id', 'version'],
    rows: tenancyRows(
      't.tenant_id, configuration_id, version, archetype, created_at, "values", answer',
      'configurations',
    ),
  },
};

const maxDifferencesPerTable = 10;

/** Of all books, or of the given ones. */
export async function compareTables(transaction: Queryable, books?: readonly BookKey[]): Promise<TableComparison> {
  const isFiltered = books !== undefined;
  const values = isFiltered
    ? [textArray(books.map(({ tenantId }) => tenantId)), textArray(books.map(({ bookId }) => bookId))]
    : [];
  const differences: RowDifference[] = [];
  for (const [table, { keys, rows, rowsOfFewBooks = rows }] of Object.entries(comparedTables)) {
    const text = differencesText(keys, isFiltered ? rowsOfFewBooks : rows, isFiltered);
    const found = await query<Omit<RowDifference, 'table'>>(
      transaction,
      `compare_${table}_${!isFiltered}`,
      text,
      values,
    );
    differences.push(...found.map((difference) => ({ table, ...difference })));
  }
  const unequal = await query<{ tenant_id: string; book_id: string }>(
    transaction,
    `unequal_books_${!isFiltered}`,
    unequalBooksText(isFiltered),
    values,
  );
  return {
    differences,
    movingBooks: unequal.map(({ tenant_id, book_id }) => ({ tenantId: tenant_id, bookId: book_id })),
  };
}

const bookFilter = 'JOIN unnest($1::text[], $2::text[]) AS named (tenant_id, book_id) USING (tenant_id, book_id)';

function differencesText(keys: readonly string[], rows: string, isFiltered: boolean): string {
  const key = keys.map((name) => `coalesce(o."${name}", n."${name}")`).join(', ');
  const using = keys.map((name) => `o."${name}" = n."${name}"`).join(' AND ');
  // Few books are looked up one by one: commits may wait meanwhile. All books are compared by joins of whole tables.
  const looked = rows.replaceAll('LOOKUP', isFiltered ? 'OFFSET 0' : '');
  return `
    WITH w AS (SELECT DISTINCT tenant_id, book_id, o.partition FROM ${servingSchema}.books o JOIN ${shadowSchema}.books n USING (tenant_id, book_id)
      ${isFiltered ? bookFilter : ''} WHERE o.sequence = n.sequence)
    SELECT concat_ws(' ', ${key}) AS "row", o::text AS serving, n::text AS rebuilt
    FROM (${looked.replaceAll('SCHEMA', servingSchema)}) o FULL JOIN (${looked.replaceAll('SCHEMA', shadowSchema)}) n ON ${using}
    WHERE o::text IS DISTINCT FROM n::text ORDER BY 1 LIMIT ${maxDifferencesPerTable}`;
}

function unequalBooksText(isFiltered: boolean): string {
  return `
    SELECT DISTINCT tenant_id, book_id FROM ${servingSchema}.books o FULL JOIN ${shadowSchema}.books n USING (tenant_id, book_id)
    ${isFiltered ? bookFilter : ''} WHERE coalesce(o.sequence, 0) <> coalesce(n.sequence, 0) ORDER BY 1, 2`;
}
