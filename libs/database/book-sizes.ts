/** How much memory books would take, known before they are loaded. */
import { encodedBookBytes } from '#libs/ledger/book-bytes.ts';
import { areManyBooks, type BookKey, bookKeyText, laterFactsSql } from './books.ts';
import { type Queryable, query } from './database.ts';
import { textArray } from './pg-binary.ts';

interface SizeRow {
  readonly tenant_id: string;
  readonly book_id: string;
  readonly sequence: number;
  readonly encoded_bytes: number;
}

const sizesSql = (bytesOfLaterFacts: string) => `
  SELECT b.tenant_id, b.book_id, b.sequence, coalesce(octet_length(s.data), 0) + ${bytesOfLaterFacts} AS encoded_bytes
  FROM unnest($1::text[], $2::text[]) AS wanted (tenant_id, book_id)
  JOIN books b USING (tenant_id, book_id)
  LEFT JOIN snapshots s USING (tenant_id, book_id)`;

const sizes = [
  'book_sizes',
  sizesSql('fact_bytes_after(b.partition, b.tenant_id, b.book_id, coalesce(s.sequence, 0))'),
] as const;
const sizesOfMany = [
  'many_book_sizes',
  sizesSql(`(SELECT coalesce(sum(octet_length(f.body::text)), 0) ${laterFactsSql})`),
] as const;

/** By `bookKeyText`. Books of which nothing is stored are absent. */
export async function readBookBytes(database: Queryable, keys: readonly BookKey[]): Promise<Map<string, number>> {
  const [name, text] = areManyBooks(keys) ? sizesOfMany : sizes;
  const rows = await query<SizeRow>(database, name, text, [
    textArray(keys.map(({ tenantId }) => tenantId)),
    textArray(keys.map(({ bookId }) => bookId)),
  ]);
  return new Map(
    rows.map(({ tenant_id, book_id, sequence, encoded_bytes }) => [
      bookKeyText({ tenantId: tenant_id, bookId: book_id }),
      encodedBookBytes(encoded_bytes, sequence),
    ]),
  );
}
