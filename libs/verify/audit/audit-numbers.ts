/**
 * In a cell whose partitions were moved, the rows that one database numbered are in several: whether a number is missing is seen from
 * all of them together. While a database still has what a partition left there, a missing number may be hidden.
 */
import { query } from '#libs/database/database.ts';
import { numberRange, type PartitionDatabases } from '#libs/database/partition-databases.ts';
import { Findings } from './findings.ts';

interface Counted {
  readonly tenant_id: string;
  readonly listing: string;
  readonly range: number;
  readonly rows: number;
  readonly last: number;
}

const text = `
  SELECT tenant_id, 'feed' AS listing, (number / 1099511627776)::int AS range, count(*)::int AS rows, max(number) AS last
    FROM feed GROUP BY 1, 2, 3
  UNION ALL
  SELECT tenant_id, listing, (number / 1099511627776)::int, count(*)::int, max(number) FROM listed_records GROUP BY 1, 2, 3`;

export async function auditMovedNumbers(databases: PartitionDatabases, maxFindings: number): Promise<Findings> {
  const findings = new Findings(maxFindings);
  const [moved] = await databases.home
    .query('SELECT partition FROM partition_number_ranges LIMIT 1')
    .then(({ rows }) => rows);
  if (moved === undefined) return findings;
  const counted = (await databases.readAll((database) => query<Counted>(database, 'counted_numbers', text, []))).flat();
  const groups = Map.groupBy(counted, ({ tenant_id, listing, range }) => `${tenant_id} ${listing}, database ${range}`);
  for (const [where, counts] of groups) {
    const { firstNumber } = numberRange((counts[0] as Counted).range);
    const expected = Math.max(...counts.map(({ last }) => last)) - firstNumber;
    const found = counts.reduce((sum, { rows }) => sum + rows, 0);
    if (found < expected) findings.add({ what: 'numbers are missing in a listing or feed', where, expected, found });
  }
  return findings;
}
