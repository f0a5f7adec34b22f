/** Reads the Tenancies that a person may see, a page at a time. No route of the API lists Tenancies. */
import { type Database, query } from '#libs/database/database.ts';
import type { Rights } from '#libs/people/roles.ts';

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

const pageSize = 50;
const columns = 'tenant_id, name, live, jurisdiction, time_zone, created_at';

export async function listTenancies(database: Database, rights: Rights, after: string): Promise<TenancyPage> {
  const order = `ORDER BY tenant_id LIMIT ${pageSize + 1}`;
  const rows = rights.isOperator
    ? await query<ListedTenancy>(
        database,
        'console_all_tenancies',
        `SELECT ${columns} FROM tenancies WHERE tenant_id > $1 ${order}`,
        [after],
      )
    : await query<ListedTenancy>(
        database,
        'console_own_tenancies',
        `SELECT ${columns} FROM tenancies WHERE tenant_id = ANY ($2::text[]) AND tenant_id > $1 ${order}`,
        [after, [...rights.roles.keys()]],
      );
  const tenancies = rows.slice(0, pageSize);
  const last = tenancies.at(-1);
  return rows.length > pageSize && last !== undefined ? { tenancies, next: last.tenant_id } : { tenancies };
}
