/** Ownership of partitions against a real database: takeover, advance and refresh. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Database } from '#libs/database/database.ts';
import { DatabaseSetBackError, PartitionOwnership } from '#services/processor/partition-ownership.ts';
import { createScratchDatabase, type ScratchDatabase } from '#test/support/scratch-database.ts';

let scratch: ScratchDatabase;
let database: Database;
beforeAll(async () => {
  scratch = await createScratchDatabase('partition-ownership');
  ({ database } = scratch);
});
afterAll(() => scratch.drop());

function fence(ownership: PartitionOwnership, partition: number, nextOffset: number) {
  const { epoch, nextOffset: fromOffset } = ownership.position(partition);
  return { partition, epoch, fromOffset, nextOffset, nextEvent: 1 };
}

test('cached books stay current only where no other instance owned the partition in between', async () => {
  const first = new PartitionOwnership(database, 'first');
  const second = new PartitionOwnership(database, 'second');
  expect(await first.takeOver([0, 1])).toEqual(new Set());
  expect(await first.takeOver([0, 1])).toEqual(new Set([0, 1]));
  await second.takeOver([1]);
  expect(await first.takeOver([0, 1])).toEqual(new Set([0]));
});

test('a refresh drops a partition that another instance took over', async () => {
  const first = new PartitionOwnership(database, 'first');
  await first.takeOver([2, 3]);
  await new PartitionOwnership(database, 'second').takeOver([3]);
  expect(await first.refresh()).toEqual(new Set([3]));
  expect([first.owns(2), first.owns(3)]).toEqual([true, false]);
});

test('a refresh moves on where a commit succeeded although its answer was lost', async () => {
  const ownership = new PartitionOwnership(database, 'first');
  await ownership.takeOver([4]);
  await database.query('UPDATE partitions SET next_offset = 7, next_event = 3 WHERE partition = 4');
  expect(await ownership.refresh()).toEqual(new Set([4]));
  expect(ownership.position(4)).toMatchObject({ nextOffset: 7, nextEvent: 3 });
});

test('a database that was set back to an earlier offset stops the instance', async () => {
  const ownership = new PartitionOwnership(database, 'first');
  await ownership.takeOver([5]);
  ownership.advance([fence(ownership, 5, 9)]);
  await expect(ownership.refresh()).rejects.toThrow(DatabaseSetBackError);
});

test('a database that is behind what the group has processed stops the takeover, and nothing is owned', async () => {
  const ownership = new PartitionOwnership(database, 'first');
  ownership.learnProcessed(new Map([[7, 1]]));
  await expect(ownership.takeOver([6, 7])).rejects.toThrow(
    'was processed up to offset 1, but the database only knows of 0',
  );
  expect(ownership.partitions.size).toBe(0);
});

test('a partition of another instance is not taken over from a database that is behind what that one processed', async () => {
  const first = new PartitionOwnership(database, 'first');
  const second = new PartitionOwnership(database, 'second');
  await first.takeOver([8]);
  await second.takeOver([9]);
  second.learnProcessed(new Map([[8, 5]]));
  second.learnProcessed(new Map([[8, 4]]));
  await expect(second.takeOver([8, 9])).rejects.toThrow('was processed up to offset 5');
});
