/** Reads Tenancies as they are stored. */
import type { RegisteredTenancy, TenancyBounds } from '#libs/auth/key-ring.ts';
import { tenancyBookId } from '#libs/ledger/book-id.ts';
import type { BookKey } from './books.ts';
import { type Database, query } from './database.ts';
import type { PartitionDatabases } from './partition-databases.ts';

/** The book whose partition says where a Tenancy is. */
export function tenancyBook(tenantId: string): BookKey {
  return { tenantId, bookId: tenancyBookId };
}

/** As the column `bounds` holds them. */
export interface BoundsSettings {
  readonly concurrent: number;
  readonly patience_ms: number;
  readonly per_second: number;
  readonly burst: number;
}

export function boundsFromColumn({ concurrent, patience_ms, per_second, burst }: BoundsSettings): TenancyBounds {
  return { maxConcurrent: concurrent, maxWaitMs: patience_ms, requestsPerSecond: per_second, burst };
}

interface TenancyRow extends Omit<RegisteredTenancy, 'bounds'> {
  readonly bounds: BoundsSettings | null;
}

/** Undefined where there is no such Tenancy. */
export async function findTenancy(database: Database, tenantId: string): Promise<RegisteredTenancy | undefined> {
  const text = `SELECT tenant_id AS id, live, jurisdiction, time_zone AS "timeZone", bounds FROM tenancies
    WHERE tenant_id = $1`;
  const [row] = await query<TenancyRow>(database, 'find_tenancy', text, [tenantId]);
  if (row === undefined) return undefined;
  const { bounds, ...tenancy } = row;
  return bounds === null ? tenancy : { ...tenancy, bounds: boundsFromColumn(bounds) };
}

/** The newest facts of its book that are read to see whether a Tenancy without a valid key is closed. */
const examinedFacts = 5_000;

/**
 * Of the Tenancy `t`: the moment at which it was closed, null while it is open. Facts of a Tenancy with a valid key are
 * not read: closing revokes all keys, and a closed Tenancy gets none.
 */
export const closedAtSql = `
  CASE WHEN NOT EXISTS (SELECT FROM keys k WHERE k.tenant_id = t.tenant_id AND revoked_at IS NULL) THEN
    (SELECT CASE kind WHEN 'tenancy_closed' THEN recorded_at END FROM (
      SELECT f.* FROM books b CROSS JOIN LATERAL (SELECT sequence, kind, recorded_at FROM facts f
        WHERE f.tenant_id = b.tenant_id AND f.book_id = b.book_id AND f.partition = b.partition
        ORDER BY sequence DESC LIMIT ${examinedFacts}) f
      WHERE b.tenant_id = t.tenant_id AND b.book_id = '${tenancyBookId}') newest
    WHERE kind IN ('tenancy_closed', 'tenancy_reopened') ORDER BY sequence DESC LIMIT 1) END`;

export interface ListedTenancy {
  readonly tenant_id: string;
  readonly name: string;
  readonly live: boolean;
  readonly jurisdiction: string;
  readonly time_zone: string;
  /** Microseconds since 1970. */
  readonly created_at: number;
  /** Null while it is open. */
  readonly closed_at: number | null;
}

export interface TenancyPage {
  readonly tenancies: readonly ListedTenancy[];
  /** The id after which the next page begins; absent at the end. */
  readonly next?: string;
}

const listedColumns = `tenant_id, name, live, jurisdiction, time_zone, created_at, ${closedAtSql} AS closed_at`;

interface TenancyPageQuery {
  /** Only these; null for all. */
  readonly among: readonly string[] | null;
  readonly after: string;
  readonly limit: number;
}

/** Sorted by id. */
export async function readTenancyPage(
  databases: PartitionDatabases,
  { among, after, limit }: TenancyPageQuery,
): Promise<TenancyPage> {
  // Pages of several databases are merged in the order of the bytes, whatever order a database has.
  const id = databases.hasSeveral ? 'tenant_id COLLATE "C"' : 'tenant_id';
  const select = `SELECT ${listedColumns} FROM tenancies t WHERE ${id} > $1`;
  // Two statements: a plan for both would not use the list of ids.
  const [name, text, values] =
    among === null
      ? ['tenancy_page', `${select} ORDER BY ${id} LIMIT $2`, [after, limit + 1]]
      : [
          'tenancy_page_among',
          `${select} AND tenant_id = ANY ($3::text[]) ORDER BY ${id} LIMIT $2`,
          [after, limit + 1, [...among]],
        ];
  const { view } = databases;
  const pages = await databases.readAll(async (database) => {
    const rows = await query<ListedTenancy>(database, name, text, values);
    return { rows, ofDatabase: rows.filter((row) => view.isHere(database, tenancyBook(row.tenant_id))) };
  });
  const ends = pages.flatMap(({ rows }) => (rows.length > limit ? rows.slice(-1) : [])).map((row) => row.tenant_id);
  // What follows the end of a full page was not read.
  const end = ends.sort()[0];
  const rows = pages.flatMap(({ ofDatabase }) => ofDatabase).filter((row) => end === undefined || row.tenant_id <= end);
  if (pages.length > 1) rows.sort((one, other) => (one.tenant_id < other.tenant_id ? -1 : 1));
  const tenancies = rows.slice(0, limit);
  const next = rows.length > limit ? tenancies.at(-1)?.tenant_id : end;
  return next === undefined ? { tenancies } : { tenancies, next };
}

/** Undefined where there is no such Tenancy. */
export async function readListedTenancy(database: Database, tenantId: string): Promise<ListedTenancy | undefined> {
  const text = `SELECT ${listedColumns} FROM tenancies t WHERE tenant_id = $1`;
  const [tenancy] = await query<ListedTenancy>(database, 'listed_tenancy', text, [tenantId]);
  return tenancy;
}
