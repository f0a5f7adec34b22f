/** The number of partitions of a cell: its rows in the database say it, and it is fixed once the cell is used. */
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { prepare } from '#libs/cli/prepare.ts';
import { migrate } from '#libs/database/migrate.ts';
import { hasBeenUsed, readAllPositions, readPartitions, takeOverPartitions } from '#libs/database/partitions.ts';
import { migrateUpTo } from '#test/support/migrate-up-to.ts';
import { createPartitions, partitionCount } from '#test/support/partitions.ts';
import { createScratchDatabase, type ScratchDatabase } from '#test/support/scratch-database.ts';
import { testEnvironment } from '#test/support/tenant.ts';

/** In place of the database of the cell. */
let scratch: ScratchDatabase;
beforeEach(async () => {
  scratch = await createScratchDatabase('partition-count', { migrated: false });
});
afterEach(() => scratch.drop());

const numbers = (count: number) => Array.from({ length: count }, (_, partition) => partition);

const takeOver = (partitions: readonly number[]) => takeOverPartitions(scratch.database, 'processor', partitions);

function prepareScratch(partitions?: number) {
  const addresses = { databaseUrl: scratch.ownerUrl, servicesDatabaseUrl: scratch.servicesUrl };
  return prepare({ ...testEnvironment().stack, ...addresses }, { partitions });
}

test('a database has no partitions before it is prepared, and no service starts on it', async () => {
  await migrate(scratch.ownerUrl);
  await expect(readPartitions(scratch.database)).rejects.toThrow('the number of partitions is unavailable');
});

test('the number can change until a processor owned a partition', async () => {
  await migrate(scratch.ownerUrl);
  for (const count of [48, 5]) {
    await createPartitions(scratch.ownerUrl, count);
    expect(await readPartitions(scratch.database)).toEqual(numbers(count));
    const parts = "SELECT FROM pg_inherits WHERE inhparent = 'facts'::regclass";
    expect((await scratch.owner.query(parts)).rowCount).toBe(count);
  }
  expect(hasBeenUsed(await readAllPositions(scratch.database))).toBe(false);
  await takeOver([0]);
  expect(hasBeenUsed(await readAllPositions(scratch.database))).toBe(true);
  await expect(createPartitions(scratch.ownerUrl, 6)).rejects.toThrow('a processor has just taken over a partition');
  expect(await readPartitions(scratch.database)).toEqual(numbers(5));
});

test('a processor does not take over a partition that was added to the topic', async () => {
  await migrate(scratch.ownerUrl);
  await createPartitions(scratch.ownerUrl, 5);
  await expect(takeOver([4, 5])).rejects.toThrow('has a partition 5, and the cell has 5 partitions');
});

test('a new database gets as many partitions as the topics have, and no others', async () => {
  const refused = `the cell has ${partitionCount} partitions, not ${partitionCount + 1}`;
  await expect(prepareScratch(partitionCount + 1)).rejects.toThrow(refused);
  expect(await prepareScratch()).toEqual({ migrations: [], partitions: partitionCount });
  expect(await readPartitions(scratch.database)).toEqual(numbers(partitionCount));
  await takeOver([0]);
  await expect(prepareScratch(partitionCount + 1)).rejects.toThrow(refused);
  expect(await prepareScratch(partitionCount)).toEqual({ migrations: [], partitions: partitionCount });
});

test('a database in use is not prepared with the topics of a cell with another number', async () => {
  await migrate(scratch.ownerUrl);
  await createPartitions(scratch.ownerUrl, partitionCount + 1);
  await takeOver([0]);
  await expect(prepareScratch()).rejects.toThrow(
    `the topics have ${partitionCount} partitions and the database has ${partitionCount + 1}`,
  );
});

test('an upgrade keeps the partitions of a database in use', async () => {
  // Before the number of partitions could be chosen there were always twelve.
  await migrateUpTo(scratch.ownerUrl, 13);
  await scratch.owner.query("UPDATE partitions SET epoch = 1, owner = 'processor' WHERE partition = 7");
  expect(await migrate(scratch.ownerUrl)).toContain('014_partitions_of_the_cell');
  expect(await readPartitions(scratch.database)).toEqual(numbers(12));
});
