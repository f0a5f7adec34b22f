/**
 * In a cell whose partitions were moved, the rows that one database numbered are in several: whether a number is missing or was
 * given twice is seen from all of them together. What a partition left in a former database is not counted.
 */
import { query } from '#libs/database/database.ts';
import type { PartitionDatabases } from '#libs/database/partition-databases.ts';
import { Findings } from './findings.ts';

interface CountedRows {
  readonly tenant_id: string;
  readonly listing: string;
  readonly partition: number;
  readonly range: number;
  readonly rows: number;
  /** The numbers are those after the first one of the range. */
  readonly last: number;
  readonly sum: string;
}

const rangeSql = '(number / 1099511627776)::int';
const text = `
  SELECT tenant_id, listing, partition, ${rangeSql} AS range, count(*)::int AS rows,
    max(number % 1099511627776) AS last, sum(number % 1099511627776)::text AS sum
  FROM (
    SELECT tenant_id, 'feed' AS listing, partition, feed_number AS number FROM facts WHERE feed_number IS NOT NULL
    UNION ALL
    SELECT tenant_id, listing, partition, number FROM listed_records JOIN books USING (tenant_id, book_id)) AS numbered
  GROUP BY 1, 2, 3, 4`;

export async function auditMovedNumbers(databases: PartitionDatabases, maxFindings: number): Promise<Findings> {
  const findings = new Findings(maxFindings);
  const { rows: moved } = await databases.home.query('SELECT FROM partition_number_ranges LIMIT 1');
  if (moved.length === 0) return findings;
  const { view } = databases;
  const counted = await databases.readAll(async (database) => {
    const rows = await query<CountedRows>(database, 'counted_numbers', text, []);
    return rows.filter(({ partition }) => view.ofPartition(partition) === database);
  });
  const groups = Map.groupBy(
    counted.flat(),
    ({ tenant_id, listing, range }) => `${tenant_id} ${listing}, database ${range}`,
  );
  for (const [where, counts] of groups) {
    const last = Math.max(...counts.map((each) => each.last));
    const found = counts.reduce((sum, { rows }) => sum + rows, 0);
    const sum = counts.reduce((total, each) => total + BigInt(each.sum), 0n);
    if (found < last) findings.add({ what: 'numbers are missing in a listing or feed', where, expected: last, found });
    else if (found > last || sum !== (BigInt(last) * BigInt(last + 1)) / 2n)
      findings.add({ what: 'numbers were given twice in a listing or feed', where, expected: last, found });
  }
  return findings;
}
