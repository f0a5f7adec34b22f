/** Reads Tenancies as they are stored. */
import type { RegisteredTenancy, TenancyBounds } from '#libs/auth/key-ring.ts';
import { type Database, query } from './database.ts';

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

export interface ListedTenancy {
  readonly tenant_id: string;
  readonly name: string;
  readonly live: boolean;
  readonly jurisdiction: string;
  readonly time_zone: string;
  /** Microseconds since 1970. */
  readonly created_at: number;
}

export interface TenancyPage {
  readonly tenancies: readonly ListedTenancy[];
  /** The id after which the next page begins; absent at the end. */
  readonly next?: string;
}

interface TenancyPageQuery {
  /** Only these; null for all. */
  readonly among: readonly string[] | null;
  readonly after: string;
  readonly limit: number;
}

/** Sorted by id. */
export async function readTenancyPage(
  database: Database,
  { among, after, limit }: TenancyPageQuery,
): Promise<TenancyPage> {
  const select =
    'SELECT tenant_id, name, live, jurisdiction, time_zone, created_at FROM tenancies WHERE tenant_id > $1';
  // Two statements: a plan for both would not use the list of ids.
  const [name, text, values] =
    among === null
      ? ['tenancy_page', `${select} ORDER BY tenant_id LIMIT $2`, [after, limit + 1]]
      : [
          'tenancy_page_among',
          `${select} AND tenant_id = ANY ($3::text[]) ORDER BY tenant_id LIMIT $2`,
          [after, limit + 1, [...among]],
        ];
  const rows = await query<ListedTenancy>(database, name, text, values);
  const tenancies = rows.slice(0, limit);
  const last = tenancies.at(-1);
  return rows.length > limit && last !== undefined ? { tenancies, next: last.tenant_id } : { tenancies };
}
