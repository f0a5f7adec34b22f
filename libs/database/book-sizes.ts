/** How much memory books would take, known before they are loaded. */
import { estimatedBookBytes } from '#libs/ledger/book-bytes.ts';
import { type BookKey, bookKeyText } from './books.ts';
import { type Queryable, query } from './database.ts';
import { textArray } from './pg-binary.ts';

interface SizeRow {
  readonly tenant_id: string;
  readonly book_id: string;
  readonly sequence: number;
  readonly fact_bytes: number;
}

/** Where a row does not say it, the bytes of its snapshot and of the facts after it are counted: an estimate, too. */
const sizesSql = `
  SELECT b.tenant_id, b.book_id, b.sequence, coalesce(b.fact_bytes,
      (SELECT coalesce(max(octet_length(s.data)), 0)
          + fact_bytes_after(b.partition, b.tenant_id, b.book_id, coalesce(max(s.sequence), 0))
        FROM snapshots s WHERE s.tenant_id = b.tenant_id AND s.book_id = b.book_id)) AS fact_bytes
  FROM unnest($1::text[], $2::text[]) AS wanted (tenant_id, book_id) JOIN books b USING (tenant_id, book_id)`;

/** By `bookKeyText`. Books of which nothing is stored are absent. */
export async function readBookBytes(database: Queryable, keys: readonly BookKey[]): Promise<Map<string, number>> {
  const rows = await query<SizeRow>(database, 'book_sizes', sizesSql, [
    textArray(keys.map(({ tenantId }) => tenantId)),
    textArray(keys.map(({ bookId }) => bookId)),
  ]);
  return new Map(
    rows.map(({ tenant_id, book_id, sequence, fact_bytes }) => [
      bookKeyText({ tenantId: tenant_id, bookId: book_id }),
      estimatedBookBytes(fact_bytes, sequence),
    ]),
  );
}
