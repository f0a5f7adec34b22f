/**
 * In a cell whose partitions were moved, the rows that one database numbered are in several: whether a number is missing or was
 * given twice is seen from all of them together. What a partition left in a former database is not counted.
 */
import { query } from '#libs/database/database.ts';
import { numberRange, type PartitionDatabases } from '#libs/database/partition-databases.ts';
import { Findings } from './findings.ts';

interface CountedRows {
  readonly tenant_id: string;
  readonly listing: string;
  readonly partition: number;
  readonly range: number;
  readonly rows: number;
  readonly last: number;
}

const text = `
  SELECT tenant_id, 'feed' AS listing, partition, (feed_number / 1099511627776)::int AS range, count(*)::int AS rows,
      max(feed_number) AS last
    FROM facts WHERE feed_number IS NOT NULL GROUP BY 1, 2, 3, 4
  UNION ALL
  SELECT tenant_id, listing, partition, (number / 1099511627776)::int, count(*)::int, max(number)
    FROM listed_records JOIN books USING (tenant_id, book_id) GROUP BY 1, 2, 3, 4`;

export async function auditMovedNumbers(databases: PartitionDatabases, maxFindings: number): Promise<Findings> {
  const findings = new Findings(maxFindings);
  const { rows: moved } = await databases.home.query('SELECT FROM partition_number_ranges LIMIT 1');
  if (moved.length === 0) return findings;
  const counted = await databases.readAll(async (database) => {
    const rows = await query<CountedRows>(database, 'counted_numbers', text, []);
    return rows.filter(({ partition }) => databases.ofPartition(partition) === database);
  });
  const groups = Map.groupBy(
    counted.flat(),
    ({ tenant_id, listing, range }) => `${tenant_id} ${listing}, database ${range}`,
  );
  for (const [where, counts] of groups) {
    const { firstNumber } = numberRange((counts[0] as CountedRows).range);
    const expected = Math.max(...counts.map(({ last }) => last)) - firstNumber;
    const found = counts.reduce((sum, { rows }) => sum + rows, 0);
    if (found < expected) findings.add({ what: 'numbers are missing in a listing or feed', where, expected, found });
    if (found > expected)
      findings.add({ what: 'numbers were given twice in a listing or feed', where, expected, found });
  }
  return findings;
}
