/** What waits with a parked book until a person releases it. */
import type { BookName } from './books.ts';
import { type Asked, ask } from './database.ts';
import { byteaArray, int2Array, int4Array, int8Array, textArray, uuidArray } from './pg-array.ts';

/** Where it stands in the log: the order in which it is decided anew. */
export interface ParkedPlace extends BookName {
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
  database: Asked,
  rows: readonly ParkedRow[],
  records: readonly ParkedRecord[],
): Promise<void> {
  if (rows.length === 0) return;
  await ask(
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
  await ask(
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

export async function removeParked(database: Asked, places: readonly ParkedPlace[]): Promise<void> {
  if (places.length === 0) return;
  const partitions = int2Array(places.map((place) => place.partition));
  const offsets = int8Array(places.map((place) => place.offset));
  await ask(
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
  await ask(
    database,
    'remove_parked_records',
    `DELETE FROM parked_records r USING unnest($1::smallint[], $2::bigint[]) AS n (partition, "offset")
       WHERE r.partition = n.partition AND r."offset" = n."offset"
         AND NOT EXISTS (SELECT 1 FROM parked w WHERE w.partition = r.partition AND w."offset" = r."offset")`,
    [partitions, offsets],
  );
}

export type ParkedItem = ParkedPlace & Pick<ParkedRecord, 'value'>;

interface ItemRow {
  partition: number;
  offset: number;
  item: number;
  value: Buffer;
}

/** In the order of the log. */
export async function parkedOf(database: Asked, { tenantId, bookId }: BookName): Promise<ParkedItem[]> {
  const rows = await ask<ItemRow>(
    database,
    'parked_of',
    `SELECT partition, "offset", item, value FROM parked JOIN parked_records USING (partition, "offset")
       WHERE tenant_id = $1 AND book_id = $2 ORDER BY partition, "offset", item`,
    [tenantId, bookId],
  );
  return rows.map((row) => ({ ...row, tenantId, bookId }));
}

export interface ParkedBook extends BookName {
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
export async function parkedBooks(database: Asked, tenantId: string | undefined): Promise<ParkedBook[]> {
  const books = await ask<{ tenant_id: string; book_id: string }>(
    database,
    'parked_books',
    `SELECT tenant_id, book_id FROM books WHERE parked AND ($1::text IS NULL OR tenant_id = $1)
       ORDER BY tenant_id, book_id`,
    [tenantId ?? null],
  );
  const found: ParkedBook[] = [];
  for (const { tenant_id, book_id } of books) {
    const rows = await ask<ShownRow>(
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
