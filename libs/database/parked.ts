/** What waits with a parked book until a person releases it. */
import type { BookKey } from './books.ts';
import { type Queryable, query } from './database.ts';
import { byteaArray, int2Array, int4Array, int8Array, textArray, uuidArray } from './pg-array.ts';

/** Where it stands in the log: the order in which it is decided anew. */
export interface ParkedPlace extends BookKey {
  readonly partition: number;
  readonly offset: number;
  /** -1 for a record that could not be read. */
  readonly item: number;
}

export interface ParkedRow extends ParkedPlace {
  readonly requestId: string | null;
  readonly operation: string | null;
  readonly reference: string | null;
  readonly digest: Buffer | null;
  readonly fault: string | null;
}

/** The record of the log an item is of. */
export interface ParkedRecord {
  readonly partition: number;
  readonly offset: number;
  readonly value: Buffer;
}

/** How a person names one of a book's. */
export function placeText({ partition, offset, item }: Pick<ParkedPlace, 'partition' | 'offset' | 'item'>): string {
  return `${partition}/${offset}/${item}`;
}

/** What waits already under its reference is not kept again, however often its caller sends it. */
export async function keepParked(
  database: Queryable,
  rows: readonly ParkedRow[],
  records: readonly ParkedRecord[],
): Promise<void> {
  if (rows.length === 0) return;
  await query(
    database,
    'keep_parked',
    `INSERT INTO parked (tenant_id, book_id, partition, "offset", item, request_id, operation, reference, digest, fault)
       SELECT * FROM unnest($1::text[], $2::text[], $3::smallint[], $4::bigint[], $5::integer[], $6::uuid[], $7::text[],
           $8::text[], $9::bytea[], $10::text[])
         AS n (tenant_id, book_id, partition, "offset", item, request_id, operation, reference, digest, fault)
       WHERE NOT EXISTS (SELECT 1 FROM parked w WHERE w.tenant_id = n.tenant_id AND w.book_id = n.book_id
         AND w.reference = n.reference AND w.operation = n.operation AND w.digest = n.digest)`,
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
      textArray(rows.map((row) => row.fault)),
    ],
  );
  await query(
    database,
    'keep_parked_records',
    `INSERT INTO parked_records (partition, "offset", value)
       SELECT * FROM unnest($1::smallint[], $2::bigint[], $3::bytea[]) AS n (partition, "offset", value)
       WHERE EXISTS (SELECT 1 FROM parked w WHERE w.partition = n.partition AND w."offset" = n."offset")`,
    [
      int2Array(records.map((record) => record.partition)),
      int8Array(records.map((record) => record.offset)),
      byteaArray(records.map((record) => record.value)),
    ],
  );
}

export async function removeParked(database: Queryable, places: readonly ParkedPlace[]): Promise<void> {
  if (places.length === 0) return;
  const partitions = int2Array(places.map((place) => place.partition));
  const offsets = int8Array(places.map((place) => place.offset));
  await query(
    database,
    'remove_parked',
    `DELETE FROM parked w
       USING unnest($1::text[], $2::text[], $3::smallint[], $4::bigint[], $5::integer[])
         AS n (tenant_id, book_id, partition, "offset", item)
       WHERE w.tenant_id = n.tenant_id AND w.book_id = n.book_id AND w.partition = n.partition
         AND w."offset" = n."offset" AND w.item = n.item`,
    [
      textArray(places.map((place) => place.tenantId)),
      textArray(places.map((place) => place.bookId)),
      partitions,
      offsets,
      int4Array(places.map((place) => place.item)),
    ],
  );
  await query(
    database,
    'remove_parked_records',
    `DELETE FROM parked_records r USING unnest($1::smallint[], $2::bigint[]) AS n (partition, "offset")
       WHERE r.partition = n.partition AND r."offset" = n."offset"
         AND NOT EXISTS (SELECT 1 FROM parked w WHERE w.partition = r.partition AND w."offset" = r."offset")`,
    [partitions, offsets],
  );
}

export interface ParkedItem extends ParkedPlace {
  /** As it was parked; null for a record that could not be read. */
  readonly requestId: string | null;
}

/** How much is decided together. The record that reaches it is the last, and is not divided. */
export interface PortionLimit {
  readonly items: number;
  readonly bytes: number;
}

export interface ParkedPortion {
  /** With the book, in this portion and behind it. */
  readonly waiting: number;
  /** In the order of the log. */
  readonly items: readonly ParkedItem[];
}

interface ItemRow {
  partition: number;
  offset: number;
  item: number;
  request_id: string | null;
}

interface CountedRecord {
  readonly partition: number;
  readonly offset: number;
  readonly items: number;
  readonly bytes: number;
  readonly waiting: number;
}

/** What waits first, without the records it is of. */
export async function parkedPortion(database: Queryable, book: BookKey, limit: PortionLimit): Promise<ParkedPortion> {
  const records = await query<CountedRecord>(
    database,
    'parked_first',
    `SELECT partition, "offset", items,
         coalesce((SELECT octet_length(r.value) FROM parked_records r
           WHERE r.partition = f.partition AND r."offset" = f."offset"), 0) AS bytes,
         (SELECT count(*) FROM parked WHERE tenant_id = $1 AND book_id = $2) AS waiting
       FROM (SELECT partition, "offset", count(*) AS items FROM parked WHERE tenant_id = $1 AND book_id = $2
         GROUP BY partition, "offset" ORDER BY partition, "offset" LIMIT $3) f
       ORDER BY partition, "offset"`,
    [book.tenantId, book.bookId, limit.items],
  );
  const last = lastWithin(records, limit);
  if (last === undefined) return { waiting: 0, items: [] };
  const rows = await query<ItemRow>(
    database,
    'parked_portion',
    `SELECT partition, "offset", item, request_id FROM parked
       WHERE tenant_id = $1 AND book_id = $2 AND (partition, "offset") <= ($3::smallint, $4::bigint)
       ORDER BY partition, "offset", item`,
    [book.tenantId, book.bookId, last.partition, last.offset],
  );
  return { waiting: last.waiting, items: rows.map((row) => itemOf(row, book)) };
}

function lastWithin(records: readonly CountedRecord[], limit: PortionLimit): CountedRecord | undefined {
  let items = 0;
  let bytes = 0;
  return records.find((record, at) => {
    items += record.items;
    bytes += record.bytes;
    return items >= limit.items || bytes >= limit.bytes || at === records.length - 1;
  });
}

/** Behind a place, what waits of the same requests: a send that was retried stands in the log twice. */
export async function parkedAgain(
  database: Queryable,
  behind: ParkedPlace,
  requestIds: string[],
): Promise<ParkedItem[]> {
  if (requestIds.length === 0) return [];
  const rows = await query<ItemRow>(
    database,
    'parked_again',
    `SELECT partition, "offset", item, request_id FROM parked
       WHERE tenant_id = $1 AND book_id = $2 AND (partition, "offset") > ($3::smallint, $4::bigint)
         AND request_id = ANY ($5::uuid[])
       ORDER BY partition, "offset", item`,
    [behind.tenantId, behind.bookId, behind.partition, behind.offset, uuidArray(requestIds)],
  );
  return rows.map((row) => itemOf(row, behind));
}

/** Each once; one that is lost is left out. */
export async function readParkedRecords(
  database: Queryable,
  places: readonly Pick<ParkedPlace, 'partition' | 'offset'>[],
): Promise<ParkedRecord[]> {
  if (places.length === 0) return [];
  return query<ParkedRecord>(
    database,
    'parked_values',
    `SELECT partition, "offset", value FROM parked_records
       JOIN unnest($1::smallint[], $2::bigint[]) AS n (partition, "offset") USING (partition, "offset")`,
    [int2Array(places.map(({ partition }) => partition)), int8Array(places.map(({ offset }) => offset))],
  );
}

function itemOf({ partition, offset, item, request_id }: ItemRow, { tenantId, bookId }: BookKey): ParkedItem {
  return { tenantId, bookId, partition, offset, item, requestId: request_id };
}

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

interface ShownRow {
  partition: number;
  offset: number;
  item: number;
  request_id: string | null;
  operation: string | null;
  reference: string | null;
  fault: string | null;
  parked_at: Date;
}

/** Of one Tenancy, or of all. */
export async function parkedBooks(database: Queryable, tenantId: string | undefined): Promise<ParkedBook[]> {
  const books = await query<{ tenant_id: string; book_id: string }>(
    database,
    'parked_books',
    `SELECT tenant_id, book_id FROM books WHERE parked AND ($1::text IS NULL OR tenant_id = $1)
       ORDER BY tenant_id, book_id`,
    [tenantId ?? null],
  );
  const found: ParkedBook[] = [];
  for (const { tenant_id, book_id } of books) {
    const rows = await query<ShownRow>(
      database,
      'parked_shown',
      `SELECT partition, "offset", item, request_id, operation, reference, fault, parked_at
         FROM parked WHERE tenant_id = $1 AND book_id = $2 ORDER BY partition, "offset", item`,
      [tenant_id, book_id],
    );
    const submissions = rows.map((row) => ({
      place: placeText(row),
      parkedAt: row.parked_at,
      requestId: row.request_id,
      operation: row.operation,
      reference: row.reference,
      fault: row.fault,
    }));
    found.push({ tenantId: tenant_id, bookId: book_id, submissions });
  }
  return found;
}
