/** The number of partitions of a cell: its rows in the database say it, and it is fixed once the cell is used. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { prepare } from '#libs/cli/prepare.ts';
import { hasUsedPartitions, readAllPositions, readPartitions, setPartitionCount } from '#libs/database/partitions.ts';
import { PartitionOwnership } from '#services/processor/partition-ownership.ts';
import { partitionCount } from '#test/support/partitions.ts';
import { createScratchDatabase, type ScratchDatabase } from '#test/support/scratch-database.ts';
import { testEnvironment } from '#test/support/tenant.ts';

let scratch: ScratchDatabase;
beforeAll(async () => {
  scratch = await createScratchDatabase('partition-count');
});
afterAll(() => scratch.drop());

const numbers = (count: number) => Array.from({ length: count }, (_, partition) => partition);

test('the partitions of an unused database can be more or fewer than those it was created with', async () => {
  for (const count of [48, 5]) {
    await setPartitionCount(scratch.owner, count);
    expect(await readPartitions(scratch.database)).toEqual(numbers(count));
    expect([...(await readAllPositions(scratch.database)).keys()]).toEqual(numbers(count));
  }
});

test('a database is used as soon as a processor owned one of its partitions', async () => {
  expect(await hasUsedPartitions(scratch.database)).toBe(false);
  await new PartitionOwnership(scratch.database, 'first').takeOver([0]);
  expect(await hasUsedPartitions(scratch.database)).toBe(true);
});

test('a cell in use is not prepared with another number', async () => {
  const { stack } = testEnvironment();
  await expect(prepare(stack, { partitions: partitionCount + 1 })).rejects.toThrow(
    `the cell has ${partitionCount} partitions, not ${partitionCount + 1}`,
  );
  expect(await prepare(stack, { partitions: partitionCount })).toEqual({ migrations: [], partitions: partitionCount });
});
