/** The partitions of the stacks that tests run against. */
import { testPartitions } from '#deploy/dev/dev-files.ts';
import { setPartitionCount } from '#libs/database/partitions.ts';
import { openOwnerDatabase } from '#libs/database/pool.ts';
import * as books from '#libs/kafka/book-key-partition.ts';
import { servingSchema } from '#libs/verify/rebuild/shadow-schema.ts';

export const partitionCount = testPartitions;

export const allPartitions: readonly number[] = Array.from({ length: partitionCount }, (_, partition) => partition);

/** For a database of a test's own, which `lending prepare` does not prepare. Undivided as an earlier release prepared it. */
export async function createPartitions(
  ownerUrl: string,
  count = partitionCount,
  { isDivided = true } = {},
): Promise<void> {
  const owner = openOwnerDatabase({ url: ownerUrl, name: 'test', connections: 1 }, servingSchema);
  const create = isDivided
    ? setPartitionCount(owner, count)
    : owner.query('INSERT INTO partitions (partition) SELECT generate_series(0, $1::int - 1)', [count]);
  await create.finally(() => owner.end());
}

export function partitionOf(key: string): number {
  return books.partitionOf(key, partitionCount);
}
