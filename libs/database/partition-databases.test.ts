import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
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

describe('a listing', () => {
  let now = 0;
  beforeEach(() => {
    now = 0;
    jest.spyOn(performance, 'now').mockImplementation(() => now);
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });

  /** Where the partition 2 has moved to the home database. `onRead` is called when the placement is read. */
  function afterMove(onRead: () => void | Promise<void> = () => undefined) {
    let reads = 0;
    const answers: Readonly<Record<string, readonly object[]>> = {
      has_cell_databases: [{ exists: true }],
      identity: [{ cell: 'cell', number: 0 }],
      cell_databases: placement.databases,
      partition_placement: [{ partition: 1, number: 3 }],
      partition_number_ranges: [],
    };
    const query = async ({ name }: { readonly name: string }) => {
      if (name === 'partition_placement') {
        reads += 1;
        await onRead();
      }
      return { rows: answers[name] };
    };
    const moved = new PartitionDatabases({ query } as unknown as Database, placement, () => north);
    return { moved, countReads: () => reads };
  }

  test('uses a placement that was just read, and reads it again where it is older', async () => {
    const { moved, countReads } = afterMove();
    now = 700;
    expect([(await moved.currentView()).ofPartition(2) === north, countReads()]).toEqual([true, 0]);
    now = 800;
    expect([(await moved.currentView()).ofPartition(2) === north, countReads()]).toEqual([false, 1]);
  });

  test('does not use a read that began long ago', async () => {
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { moved, countReads } = afterMove(() => (countReads() === 1 ? held : undefined));
    const earlier = moved.refresh();
    now = 2_000;
    const view = moved.currentView();
    release();
    await Promise.all([earlier, view]);
    expect(countReads()).toBe(2);
  });

  test('is unavailable where reading the placement takes too long', async () => {
    const { moved } = afterMove(() => {
      now += 1_000;
    });
    now = 2_000;
    await expect(moved.currentView()).rejects.toThrow('the placement of partitions is unavailable');
  });
});
