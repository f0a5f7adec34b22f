/** What waits with a parked book until a person releases it. */
import type { BookName } from './books.ts';
import { type Asked, ask } from './database.ts';

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
  readonly fault: string | null;
  readonly key: string;
  readonly value: Buffer | null;
}

interface Row {
  tenant_id: string;
  book_id: string;
  partition: number;
  offset: number;
  item: number;
  request_id: string | null;
  operation: string | null;
  reference: string | null;
  fault: string | null;
  key: string;
  value: Buffer | null;
  parked_at: Date;
}

/** How a person names one of a book's. */
export function placeText({ partition, offset, item }: Pick<ParkedPlace, 'partition' | 'offset' | 'item'>): string {
  return `${partition}/${offset}/${item}`;
}

export async function keepParked(database: Asked, rows: readonly ParkedRow[]): Promise<void> {
  for (const row of rows) {
    const { tenantId, bookId, partition, offset, item, requestId, operation, reference, fault, key, value } = row;
    await ask(
      database,
      'keep_parked',
      `INSERT INTO parked (tenant_id, book_id, partition, "offset", item, request_id, operation, reference, fault, key, value)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
      [tenantId, bookId, partition, offset, item, requestId, operation, reference, fault, key, value],
    );
  }
}

export async function removeParked(database: Asked, places: readonly ParkedPlace[]): Promise<void> {
  for (const { tenantId, bookId, partition, offset, item } of places) {
    await ask(
      database,
      'remove_parked',
      `DELETE FROM parked
         WHERE tenant_id = $1 AND book_id = $2 AND partition = $3 AND "offset" = $4 AND item = $5`,
      [tenantId, bookId, partition, offset, item],
    );
  }
}

/** In the order of the log. */
export async function parkedOf(database: Asked, { tenantId, bookId }: BookName): Promise<ParkedRow[]> {
  const rows = await ask<Row>(
    database,
    'parked_of',
    `SELECT tenant_id, book_id, partition, "offset", item, request_id, operation, reference, fault, key, value, parked_at
       FROM parked WHERE tenant_id = $1 AND book_id = $2 ORDER BY partition, "offset", item`,
    [tenantId, bookId],
  );
  return rows.map(({ tenant_id, book_id, request_id, parked_at: _, ...row }) => ({
    ...row,
    tenantId: tenant_id,
    bookId: book_id,
    requestId: request_id,
  }));
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
    const rows = await ask<Row>(
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
