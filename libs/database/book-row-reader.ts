/** Reads the rows of books, with one statement for all requests that wait. */
import type { BookKey, StoredBookRow } from './books.ts';
import { type Database, query } from './database.ts';
import type { PartitionDatabases } from './partition-databases.ts';
import { int8Array, textArray } from './pg-binary.ts';
import { type BatchedStatement, StatementBatcher } from './statement-batcher.ts';

export interface BookRowRequest extends BookKey {
  /** The facts after this sequence are read too, if there are at most `maxLaterFacts` and they are not too long. */
  readonly after: number;
  readonly maxLaterFacts: number;
}

/** Also about the memory of the bodies of all facts. Null where the row does not say it. */
export type RowWithSize = StoredBookRow & { readonly fact_bytes: number | null };

/** Longer facts are read with the book: a statement answers for many requests. */
const maxLaterBytes = 1024 * 1024;

const rowsSql = (isFenced: boolean) => `
  SELECT k.position, b.sequence, b.version_count, b.version_at, b.recorded_at, b.due_from, b.parked, b.fact_bytes,
    CASE WHEN k.after > 0 AND b.sequence > k.after AND b.sequence <= k.after + k.max_later_facts THEN
      (SELECT CASE WHEN octet_length(found.later::text) <= ${maxLaterBytes} THEN found.later END FROM (
        SELECT facts_after(b.partition, b.tenant_id, b.book_id, k.after) AS later OFFSET 0) found)
      END AS later_facts
  FROM unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[]) WITH ORDINALITY
    AS k(tenant_id, book_id, after, max_later_facts, position)
  JOIN books b ON b.tenant_id = k.tenant_id AND b.book_id = k.book_id${isFenced ? ` AND ${isHereSql}` : ''}`;

/** Of a partition that was moved away, the rows of the time before may still be there. */
const isHereSql = 'NOT EXISTS (SELECT FROM partition_placement p WHERE p.partition = b.partition)';

const plainRows = ['book_rows', rowsSql(false)] as const;
const fencedRows = ['book_rows_here', rowsSql(true)] as const;

type NumberedRow = RowWithSize & { readonly position: number };

const bookRows = (
  databases: Pick<PartitionDatabases, 'hasSeveral'>,
): BatchedStatement<BookRowRequest, RowWithSize> => ({
  async run(connection, requests) {
    const [name, text] = databases.hasSeveral ? fencedRows : plainRows;
    const rows = await query<NumberedRow>(connection, name, text, [
      textArray(requests.map(({ tenantId }) => tenantId)),
      textArray(requests.map(({ bookId }) => bookId)),
      int8Array(requests.map(({ after }) => after)),
      int8Array(requests.map(({ maxLaterFacts }) => maxLaterFacts)),
    ]);
    return new Map(rows.map((row) => [row.position, row]));
  },
  sizeOf: ({ maxLaterFacts }) => maxLaterFacts,
  maxSize: 4_096,
  // A statement takes less than a millisecond, unless it carries many facts.
  gatherMs: 5,
});

/**
 * A row is undefined where the book has no facts, and in a cell with several databases also where its partition was moved to
 * another one.
 */
export class BookRowReader extends StatementBatcher<BookRowRequest, RowWithSize> {
  constructor(database: Database, databases: Pick<PartitionDatabases, 'hasSeveral'> = { hasSeveral: false }) {
    super(database, bookRows(databases));
  }
}
