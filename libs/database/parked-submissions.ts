/** Stores and reads the submissions of parked books, until an operator releases the book. */
import type { BookKey } from './books.ts';
import { type Queryable, query } from './database.ts';
import { byteaArray, int2Array, int4Array, int8Array, textArray, uuidArray } from './pg-binary.ts';

/** A submission's place in the log. Submissions of a released book are decided in this order. */
export interface ParkedPosition extends BookKey {
  readonly partition: number;
  readonly offset: number;
  /** -1 for a log entry that could not be decoded. */
  readonly item: number;
}

export interface ParkedRow extends ParkedPosition {
  readonly requestId: string | null;
  readonly operation: string | null;
  readonly reference: string | null;
  readonly digest: Buffer | null;
  /** Null on a submission that only waits behind one that failed. */
  readonly error: string | null;
}

export interface ParkedLogEntry {
  readonly partition: number;
  readonly offset: number;
  readonly value: Buffer;
}

/** The position as operators state it. */
export function positionText({
  partition,
  offset,
  item,
}: Pick<ParkedPosition, 'partition' | 'offset' | 'item'>): string {
  return `${partition}/${offset}/${item}`;
}

/** Each of these books waits for an operator. One that a repair parked again has no parked submissions here. */
export async function countParkedBooks(database: Queryable, partitions: readonly number[]): Promise<number> {
  const rows = await query<{ books: number }>(
    database,
    'count_parked_books',
    'SELECT count(*)::integer AS books FROM books WHERE parked AND partition = ANY ($1::smallint[])',
    [int2Array(partitions)],
  );
  return rows[0]?.books ?? 0;
}

export async function isParked(database: Queryable, { tenantId, bookId }: BookKey): Promise<boolean> {
  const text = 'SELECT FROM books WHERE tenant_id = $1 AND book_id = $2 AND parked';
  return (await query(database, 'is_parked', text, [tenantId, bookId])).length > 0;
}

/** A submission that is already parked under its reference is not stored again. */
export async function insertParked(
  database: Queryable,
  rows: readonly ParkedRow[],
  logEntries: readonly ParkedLogEntry[],
): Promise<void> {
  if (rows.length === 0) return;
  await query(
    database,
    'insert_parked',
    `INSERT INTO parked_submissions
         (tenant_id, book_id, partition, "offset", item, request_id, operation, reference, digest, error)
       SELECT * FROM unnest($1::text[], $2::text[], $3::smallint[], $4::bigint[], $5::integer[], $6::uuid[], $7::text[],
           $8::text[], $9::bytea[], $10::text[])
         AS n (tenant_id, book_id, partition, "offset", item, request_id, operation, reference, digest, error)
       WHERE NOT EXISTS (SELECT 1 FROM parked_submissions p WHERE p.tenant_id = n.tenant_id AND p.book_id = n.book_id
         AND p.reference = n.reference AND p.operation = n.operation AND p.digest = n.digest)`,
    [
      textArray(rows.map((row) => row.tenantId)),
      textArray(rows.map((row) => row.bookId)),
      int2Array(rows.map((row) => row.partition)),
      int8Array(rows.map((row) => row.offset)),
      int4Array(rows.map((row) => row.item)),
      uuidArray(rows.map((row) => row.requestId)),
      textArray(rows.map((row) => row.operation)),
      textArray(rows.map((row) => row.reference)),
      byteaArray(rows.map((row) => row.digest)),
      textArray(rows.map((row) => row.error)),
    ],
  );
  await query(
    database,
    'insert_parked_log_entries',
    `INSERT INTO parked_log_entries (partition, "offset", value)
       SELECT * FROM unnest($1::smallint[], $2::bigint[], $3::bytea[]) AS n (partition, "offset", value)
       WHERE EXISTS (SELECT 1 FROM parked_submissions p WHERE p.partition = n.partition AND p."offset" = n."offset")`,
    [
      int2Array(logEntries.map((entry) => entry.partition)),
      int8Array(logEntries.map((entry) => entry.offset)),
      byteaArray(logEntries.map((entry) => entry.value)),
    ],
  );
}

export async function deleteParked(database: Queryable, positions: readonly ParkedPosition[]): Promise<void> {
  if (positions.length === 0) return;
  const partitions = int2Array(positions.map((position) => position.partition));
  const offsets = int8Array(positions.map((position) => position.offset));
  await query(
    database,
    'delete_parked',
    `DELETE FROM parked_submissions p
       USING unnest($1::text[], $2::text[], $3::smallint[], $4::bigint[], $5::integer[])
         AS n (tenant_id, book_id, partition, "offset", item)
       WHERE p.tenant_id = n.tenant_id AND p.book_id = n.book_id AND p.partition = n.partition
         AND p."offset" = n."offset" AND p.item = n.item`,
    [
      textArray(positions.map((position) => position.tenantId)),
      textArray(positions.map((position) => position.bookId)),
      partitions,
      offsets,
      int4Array(positions.map((position) => position.item)),
    ],
  );
  await query(
    database,
    'delete_parked_log_entries',
    `DELETE FROM parked_log_entries e USING unnest($1::smallint[], $2::bigint[]) AS n (partition, "offset")
       WHERE e.partition = n.partition AND e."offset" = n."offset"
         AND NOT EXISTS (SELECT 1 FROM parked_submissions p WHERE p.partition = e.partition AND p."offset" = e."offset")`,
    [partitions, offsets],
  );
}

export interface ParkedItem extends ParkedPosition {
  /** Null for a log entry that could not be decoded. */
  readonly requestId: string | null;
}

/** How much is decided together. The log entry that reaches the limit is the last one, and is not divided. */
export interface ParkedPortionLimit {
  readonly items: number;
  readonly bytes: number;
}

export interface ParkedPortion {
  /** All submissions of the book, in this portion and after it. */
  readonly waitingCount: number;
  /** In the order of the log. */
  readonly items: readonly ParkedItem[];
}

interface ItemRow {
  readonly partition: number;
  readonly offset: number;
  readonly item: number;
  readonly request_id: string | null;
}

interface LogEntrySize {
  readonly partition: number;
  readonly offset: number;
  readonly items: number;
  readonly bytes: number;
  readonly waiting: number;
}

/** The first parked submissions of a book, without their log entries. */
export async function readParkedPortion(
  database: Queryable,
  book: BookKey,
  limit: ParkedPortionLimit,
): Promise<ParkedPortion> {
  const sizes = await query<LogEntrySize>(
    database,
    'parked_first',
    `SELECT partition, "offset", items,
         coalesce((SELECT octet_length(e.value) FROM parked_log_entries e
           WHERE e.partition = f.partition AND e."offset" = f."offset"), 0) AS bytes,
         (SELECT count(*) FROM parked_submissions WHERE tenant_id = $1 AND book_id = $2) AS waiting
       FROM (SELECT partition, "offset", count(*) AS items FROM parked_submissions WHERE tenant_id = $1 AND book_id = $2
         GROUP BY partition, "offset" ORDER BY partition, "offset" LIMIT $3) f
       ORDER BY partition, "offset"`,
    [book.tenantId, book.bookId, limit.items],
  );
  const last = lastWithinLimit(sizes, limit);
  if (last === undefined) return { waitingCount: 0, items: [] };
  const rows = await query<ItemRow>(
    database,
    'parked_portion',
    `SELECT partition, "offset", item, request_id FROM parked_submissions
       WHERE tenant_id = $1 AND book_id = $2 AND (partition, "offset") <= ($3::smallint, $4::bigint)
       ORDER BY partition, "offset", item`,
    [book.tenantId, book.bookId, last.partition, last.offset],
  );
  return { waitingCount: last.waiting, items: rows.map((row) => toItem(row, book)) };
}

function lastWithinLimit(sizes: readonly LogEntrySize[], limit: ParkedPortionLimit): LogEntrySize | undefined {
  let items = 0;
  let bytes = 0;
  return sizes.find((size, index) => {
    items += size.items;
    bytes += size.bytes;
    return items >= limit.items || bytes >= limit.bytes || index === sizes.length - 1;
  });
}

/** Submissions of the same requests after a position: a send that was retried is in the log twice. */
export async function readRepeatedSubmissions(
  database: Queryable,
  after: ParkedPosition,
  requestIds: readonly string[],
): Promise<ParkedItem[]> {
  if (requestIds.length === 0) return [];
  const rows = await query<ItemRow>(
    database,
    'parked_again',
    `SELECT partition, "offset", item, request_id FROM parked_submissions
       WHERE tenant_id = $1 AND book_id = $2 AND (partition, "offset") > ($3::smallint, $4::bigint)
         AND request_id = ANY ($5::uuid[])
       ORDER BY partition, "offset", item`,
    [after.tenantId, after.bookId, after.partition, after.offset, uuidArray(requestIds)],
  );
  return rows.map((row) => toItem(row, after));
}

/** Each entry once; missing ones are left out. */
export async function readParkedLogEntries(
  database: Queryable,
  positions: readonly Pick<ParkedPosition, 'partition' | 'offset'>[],
): Promise<ParkedLogEntry[]> {
  if (positions.length === 0) return [];
  return query<ParkedLogEntry>(
    database,
    'parked_values',
    `SELECT partition, "offset", value FROM parked_log_entries
       JOIN unnest($1::smallint[], $2::bigint[]) AS n (partition, "offset") USING (partition, "offset")`,
    [int2Array(positions.map(({ partition }) => partition)), int8Array(positions.map(({ offset }) => offset))],
  );
}

function toItem({ partition, offset, item, request_id }: ItemRow, { tenantId, bookId }: BookKey): ParkedItem {
  return { tenantId, bookId, partition, offset, item, requestId: request_id };
}

/** A parked book as operators see it. */
export interface ParkedBook extends BookKey {
  readonly submissions: readonly {
    readonly place: string;
    readonly parkedAt: Date;
    readonly requestId: string | null;
    readonly operation: string | null;
    readonly reference: string | null;
    readonly fault: string | null;
  }[];
}

interface ParkedSubmissionRow extends ItemRow {
  readonly operation: string | null;
  readonly reference: string | null;
  readonly error: string | null;
  readonly parked_at: Date;
}

/** The parked books of one Tenancy, or of all. */
export async function readParkedBooks(database: Queryable, tenantId: string | undefined): Promise<ParkedBook[]> {
  const books = await query<{ tenant_id: string; book_id: string }>(
    database,
    'parked_books',
    `SELECT tenant_id, book_id FROM books WHERE parked AND ($1::text IS NULL OR tenant_id = $1)
       ORDER BY tenant_id, book_id`,
    [tenantId ?? null],
  );
  const parkedBooks: ParkedBook[] = [];
  for (const { tenant_id, book_id } of books) {
    const submissions = await readSubmissions(database, { tenantId: tenant_id, bookId: book_id }, null);
    parkedBooks.push({ tenantId: tenant_id, bookId: book_id, submissions });
  }
  return parkedBooks;
}

/** A parked book in a list: how much waits in it, and since when. */
export interface ParkedBookSummary extends BookKey {
  /** At most `maxCounted`. */
  readonly waiting: number;
  readonly parkedAt: Date | null;
  readonly fault: string | null;
}

export const maxCounted = 1_000;

/** At most `limit` books, in the order of their names. */
export async function readParkedBookSummaries(database: Queryable, limit: number): Promise<ParkedBookSummary[]> {
  const text = `SELECT b.tenant_id AS "tenantId", b.book_id AS "bookId", w.waiting, w.parked_at AS "parkedAt", w.fault
    FROM (SELECT tenant_id, book_id FROM books WHERE parked ORDER BY tenant_id, book_id LIMIT $1) b
    CROSS JOIN LATERAL (
      SELECT count(*)::integer AS waiting, min(parked_at) AS parked_at,
        (array_agg(error ORDER BY partition, "offset", item) FILTER (WHERE error IS NOT NULL))[1] AS fault
      FROM (SELECT * FROM parked_submissions p WHERE p.tenant_id = b.tenant_id AND p.book_id = b.book_id
        ORDER BY partition, "offset", item LIMIT ${maxCounted}) first) w
    ORDER BY b.tenant_id, b.book_id`;
  return query<ParkedBookSummary>(database, 'parked_book_summaries', text, [limit]);
}

/** The first submissions of one parked book; undefined where it is not parked. */
export async function readParkedBook(
  database: Queryable,
  { tenantId, bookId }: BookKey,
  limit: number,
): Promise<ParkedBook | undefined> {
  if (!(await isParked(database, { tenantId, bookId }))) return undefined;
  return { tenantId, bookId, submissions: await readSubmissions(database, { tenantId, bookId }, limit) };
}

async function readSubmissions(
  database: Queryable,
  { tenantId, bookId }: BookKey,
  limit: number | null,
): Promise<ParkedBook['submissions']> {
  const rows = await query<ParkedSubmissionRow>(
    database,
    'parked_submissions_of_book',
    `SELECT partition, "offset", item, request_id, operation, reference, error, parked_at
       FROM parked_submissions WHERE tenant_id = $1 AND book_id = $2 ORDER BY partition, "offset", item LIMIT $3`,
    [tenantId, bookId, limit],
  );
  return rows.map((row) => ({
    place: positionText(row),
    parkedAt: row.parked_at,
    requestId: row.request_id,
    operation: row.operation,
    reference: row.reference,
    fault: row.error,
  }));
}
