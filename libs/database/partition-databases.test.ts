import { expect, test } from '@jest/globals';
import { partitionOf } from '#libs/kafka/book-key-partition.ts';
import { DependencyUnavailableError } from '#libs/runtime/dependency.ts';
import type { Database } from './database.ts';
import { PartitionDatabases } from './partition-databases.ts';

const home = {} as Database;
const north = {} as Database;
const placement = {
  partitionCount: 4,
  databases: [{ name: 'north', number: 3 }],
  numbers: new Map([
    [1, 3],
    [2, 3],
  ]),
  earlierNumbers: new Map(),
};
const databases = new PartitionDatabases(home, placement, () => north);

test('a book is in the database on which its partition is placed, and a Tenancy where its own book is', () => {
  expect([0, 1, 2, 3].map((partition) => databases.ofPartition(partition) === north)).toEqual([
    false,
    true,
    true,
    false,
  ]);
  for (const bookId of ['c/ana', 'c/bea', 'c/eva', 'c/zoe', 't']) {
    const partition = partitionOf(`lender/${bookId}`, 4);
    expect(databases.ofBook({ tenantId: 'lender', bookId })).toBe(databases.ofPartition(partition));
  }
  expect(databases.ofTenancy('lender')).toBe(databases.ofBook({ tenantId: 'lender', bookId: 't' }));
});

test('what one database has is found while another is down; what none has is not known then', async () => {
  const down = async (database: Database) => {
    if (database === north) throw new DependencyUnavailableError('north');
    return undefined;
  };
  await expect(databases.find(async (each) => (each === home ? 'found' : down(each)))).resolves.toBe('found');
  await expect(databases.find(down)).rejects.toThrow('north is unavailable');
  await expect(databases.find(async () => undefined)).resolves.toBeUndefined();
});
