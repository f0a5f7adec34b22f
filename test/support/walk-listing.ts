/** Reads a listing of the API to its end, by pages. */
import { requireStatus } from './lender.ts';
import type { Tenant } from './tenant.ts';

/** `path` ends with ? or &. */
export async function walkListing<Row>(tenant: Tenant, path: string, name: string, limit: number): Promise<Row[]> {
  const rows: Row[] = [];
  let cursor = '';
  do {
    const page = requireStatus(await tenant.get(`${path}limit=${limit}${cursor}`), 200).body;
    rows.push(...page[name]);
    cursor = page.cursor === undefined ? '' : `&cursor=${page.cursor}`;
  } while (cursor !== '');
  return rows;
}
