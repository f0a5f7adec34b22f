/** Placing the partitions of a new cell on a further database. */
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import pg from 'pg';
import { movePartitionOfCell } from '#libs/cli/partitions.ts';
import { planPreparation } from '#libs/cli/plan-preparation.ts';
import { prepare } from '#libs/cli/prepare.ts';
import type { Database } from '#libs/database/database.ts';
import { openDatabasesOf } from '#libs/database/open-partition-databases.ts';
import { requireOneDatabase } from '#libs/database/partition-databases.ts';
import { readAllPositions, readPartitions, takeOverPartitions } from '#libs/database/partitions.ts';
import { readReservedBooks } from '#libs/database/reserved-references.ts';
import { allPartitions, partitionCount } from '#test/support/partitions.ts';
import { createScratchDatabase, type ScratchDatabase } from '#test/support/scratch-database.ts';
import { testEnvironment } from '#test/support/tenant.ts';

let home: ScratchDatabase;
let north: ScratchDatabase;
beforeEach(async () => {
  home = await createScratchDatabase('placement', { migrated: false });
  north = await createScratchDatabase('placement', { migrated: false });
});
afterEach(async () => {
  await home.drop();
  await north.drop();
});

function addresses() {
  const { ownerUrl, servicesUrl } = north;
  return {
    ...testEnvironment().stack,
    databaseUrl: home.ownerUrl,
    servicesDatabaseUrl: home.servicesUrl,
    partitionDatabases: new Map([['north', { ownerUrl, servicesUrl }]]),
  };
}

const placementOn = (name: string, partitions: readonly number[]) =>
  new Map(partitions.map((partition) => [partition, name]));

function prepareCell(partitions: readonly number[], name = 'north') {
  return prepare(addresses(), { placement: placementOn(name, partitions) });
}

/** As a processor that knows several databases. */
const takeOver = (database: Database, partitions: readonly number[]) =>
  takeOverPartitions(database, 'processor', partitions, { reservesReferences: true });

const openCell = (url = north.servicesUrl, database: Database = north.database) =>
  openDatabasesOf(home.database, { urls: () => new Map([['north', url]]), open: () => database });

test('placed partitions are taken over in their database only, and the cell has as many as before', async () => {
  await prepareCell([1, 2]);
  await prepareCell([1, 2]);
  expect(await readPartitions(home.database)).toEqual(allPartitions);
  expect([...(await readAllPositions(north.database)).keys()]).toEqual([1, 2]);
  await expect(takeOver(home.database, [0, 1])).rejects.toThrow(
    'partition 1 is in another database, or not in this one yet',
  );
  expect([...(await takeOver(north.database, [1, 2])).keys()]).toEqual([1, 2]);
  const databases = await openCell();
  expect(allPartitions.filter((partition) => databases.ofPartition(partition) === north.database)).toEqual([1, 2]);
});

test('the plan of a preparation says what cannot be undone until it is done', async () => {
  const planned = async () =>
    (await planPreparation(addresses(), { placement: placementOn('north', [1, 2]) })).irreversible;
  expect(await planned()).toEqual([
    'Partitions are placed on other databases, and stay there once a processor has run: 1 on north, 2 on north.',
  ]);
  await prepareCell([1, 2]);
  expect(await planned()).toEqual([]);
});

test('nothing is placed after the first start, twice, or where there is no such partition or database', async () => {
  await expect(prepareCell([partitionCount])).rejects.toThrow(`there is no partition ${partitionCount}`);
  await expect(prepareCell([1], 'south')).rejects.toThrow('has no address of the database south');
  // Nothing of it is left, and the cell can be prepared.
  await prepareCell([1]);
  await expect(prepareCell([1], 'south')).rejects.toThrow('partition 1 is on the database north already, not on south');
  await takeOver(home.database, [0]);
  await prepareCell([1]);
  await expect(prepareCell([2])).rejects.toThrow('they can be placed only before the first start');
});

test('a database keeps no partition of an attempt that failed at another one', async () => {
  const south = await createScratchDatabase('placement');
  try {
    const owner = new pg.Client({ connectionString: south.ownerUrl });
    await owner.connect();
    await owner.query('UPDATE partitions SET epoch = 1 WHERE partition = 3');
    await owner.end();
    const owned = ({ ownerUrl, servicesUrl }: ScratchDatabase) => ({ ownerUrl, servicesUrl });
    const addresses = {
      ...testEnvironment().stack,
      databaseUrl: home.ownerUrl,
      servicesDatabaseUrl: home.servicesUrl,
      partitionDatabases: new Map([
        ['north', owned(north)],
        ['south', owned(south)],
      ]),
    };
    const placement = new Map([
      [1, 'north'],
      [3, 'south'],
    ]);
    await expect(prepare(addresses, { placement })).rejects.toThrow('south holds partitions that a processor has used');
  } finally {
    await south.drop();
  }
  await prepareCell([2]);
  expect([...(await readAllPositions(north.database)).keys()]).toEqual([2]);
  const databases = await openCell();
  expect(allPartitions.filter((partition) => databases.ofPartition(partition) === north.database)).toEqual([2]);
});

test('another database in place of the home database is refused', async () => {
  await prepareCell([1]);
  await expect(openDatabasesOf(north.database, { urls: () => new Map(), open: () => home.database })).rejects.toThrow(
    'DATABASE_URL leads to database 1',
  );
});

test('a cell is not migrated where the address of one of its databases is missing', async () => {
  await prepareCell([1]);
  const addresses = { databaseUrl: home.ownerUrl, servicesDatabaseUrl: home.servicesUrl };
  await expect(prepare({ ...testEnvironment().stack, ...addresses })).rejects.toThrow(
    'PARTITION_DATABASE_URLS has no address of the database north',
  );
});

test('an address that leads to another database is refused', async () => {
  await prepareCell([1]);
  const other = await createScratchDatabase('another cell');
  try {
    await expect(openCell(other.servicesUrl, other.database)).rejects.toThrow('leads to another database');
  } finally {
    await other.drop();
  }
  await expect(openDatabasesOf(home.database, { urls: () => new Map(), open: () => north.database })).rejects.toThrow(
    'PARTITION_DATABASE_URLS has no address of the database north',
  );
});

test('a database that belongs to a cell, or is in use, is not placed on', async () => {
  await prepareCell([1]);
  const another = await createScratchDatabase('placement', { migrated: false });
  try {
    const partitionDatabases = new Map([['north', { ownerUrl: north.ownerUrl, servicesUrl: north.servicesUrl }]]);
    const addresses = { databaseUrl: another.ownerUrl, servicesDatabaseUrl: another.servicesUrl, partitionDatabases };
    const placement = new Map([[1, 'north']]);
    await expect(prepare({ ...testEnvironment().stack, ...addresses }, { placement })).rejects.toThrow(
      'the database north belongs to a cell already',
    );
  } finally {
    await another.drop();
  }
});

test('commands that do not know several databases refuse such a cell', async () => {
  await prepareCell([1]);
  await expect(requireOneDatabase(home.database, 'lending audit')).rejects.toThrow(
    'lending audit does not know several databases yet, and this cell has partitions on north',
  );
});

test('a cell in use gets another database, without partitions and once', async () => {
  await prepareCell([]);
  await takeOverPartitions(home.database, 'processor', [0]);
  const added = { addedDatabases: ['north'] };
  await prepare(addresses(), added);
  await prepare(addresses(), added);
  expect((await readAllPositions(north.database)).size).toBe(0);
  const databases = await openCell();
  expect(databases.nameOf(databases.all[1] as Database)).toBe('north');
  expect(allPartitions.every((partition) => databases.ofPartition(partition) === home.database)).toBe(true);
});

test('before the first move of a cell that had one database, all its references are reserved, and by every processor', async () => {
  await prepareCell([]);
  await takeOverPartitions(home.database, 'processor', [0]);
  await home.owner.query(
    `INSERT INTO facts (tenant_id, book_id, sequence, kind, body, counts, version_count, namespace, reference, recorded_at, request_id,
       item, partition, "offset", event_number)
     VALUES ('lender', 'c/anna', 1, 'receipt', '{}', true, 1, 'receipts', 'r-1', 1, gen_random_uuid(), 0, 0, 0, 1)`,
  );
  await prepare(addresses(), { addedDatabases: ['north'] });
  const move = () => movePartitionOfCell(addresses(), { partition: 5, to: 'north', keptMs: 0 });
  await expect(move()).rejects.toThrow('the processor of partition 0 does not reserve references yet');
  await takeOver(home.database, [0]);
  await move();
  const reference = { tenantId: 'lender', namespace: 'receipts', reference: 'r-1' } as const;
  expect(await readReservedBooks(home.database, [reference])).toEqual(['c/anna']);
  await expect(takeOverPartitions(home.database, 'processor', [0])).rejects.toThrow('take_over is unavailable');
  // As a processor of an earlier release does.
  const earlier = 'UPDATE partitions SET epoch = epoch + 1, owner = $1 WHERE partition = $2';
  await expect(home.database.query(earlier, ['processor', 5])).rejects.toThrow('partition 5 is in another database');
  expect((await openCell()).ofPartition(5)).toBe(north.database);
});

test('a process that was started before a database was added learns of it, and answers for the partitions that stay', async () => {
  await prepareCell([]);
  const databases = await openDatabasesOf(home.database, { urls: () => new Map(), open: () => north.database });
  expect(databases.hasSeveral).toBe(false);
  await prepare(addresses(), { addedDatabases: ['north'] });
  expect(await databases.refresh()).toBe(true);
  expect(databases.hasSeveral).toBe(true);
  await movePartitionOfCell(addresses(), { partition: 5, to: 'north', keptMs: 0 });
  await databases.refresh();
  expect(databases.ofPartition(4)).toBe(home.database);
  expect(() => databases.ofPartition(5)).toThrow('a database that was added after the start');
  await expect(databases.currentView()).rejects.toThrow('a database that was added after the start');
  expect([...databases.groupByPartition([4, 5])]).toEqual([[home.database, [4]]]);
  // Back again: the home database has rows that north numbered.
  await movePartitionOfCell(addresses(), { partition: 5, to: 'home', keptMs: 0 });
  await databases.refresh();
  expect(databases.ofPartition(5)).toBe(home.database);
  await expect(databases.currentView()).rejects.toThrow('a database that was added after the start');
});
