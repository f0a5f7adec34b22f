/** What a move of a partition does where a database does not answer, or another command came between. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { listPartitions, movePartitionOfCell } from '#libs/cli/partitions.ts';
import { prepare } from '#libs/cli/prepare.ts';
import type { FactRow } from '#libs/database/commit-row-types.ts';
import type { Database } from '#libs/database/database.ts';
import { openDatabasesOf } from '#libs/database/open-partition-databases.ts';
import { PartitionDatabases } from '#libs/database/partition-databases.ts';
import { moveOwner } from '#libs/database/partitions.ts';
import { openOwnerDatabase } from '#libs/database/pool.ts';
import { findReferencesInCell, reserveReferences } from '#libs/database/reserved-references.ts';
import { findLeftRows, type LeftRows, removeMoved } from '#libs/verify/move/remove-moved.ts';
import { servingSchema } from '#libs/verify/rebuild/shadow-schema.ts';
import { createScratchDatabase, type ScratchDatabase } from '#test/support/scratch-database.ts';
import { eventually, testEnvironment } from '#test/support/tenant.ts';

let home: ScratchDatabase;
let north: ScratchDatabase;
let south: ScratchDatabase;
/** Of the home database. */
let owner: Database;
beforeAll(async () => {
  [home, north, south] = await Promise.all([scratch(), scratch(), scratch()]);
  owner = openOwnerDatabase({ url: home.ownerUrl, name: 'removal' }, servingSchema);
  await prepare(addresses());
  await prepare(addresses(), { addedDatabases: ['north', 'south'] });
}, 120_000);
afterAll(async () => {
  await owner.end();
  await Promise.all([home.drop(), north.drop(), south.drop()]);
});

const scratch = () => createScratchDatabase('move', { migrated: false });

function addresses(southUrl = south.ownerUrl) {
  const { stack } = testEnvironment();
  const partitionDatabases = new Map([
    ['north', { ownerUrl: north.ownerUrl, servicesUrl: north.servicesUrl }],
    ['south', { ownerUrl: southUrl, servicesUrl: southUrl }],
  ]);
  return { ...stack, databaseUrl: home.ownerUrl, servicesDatabaseUrl: home.servicesUrl, partitionDatabases };
}

const interruptAt = (text: string) => (line: string) => {
  if (line.includes(text)) throw new Error('interrupted');
};

async function databaseOf(partition: number): Promise<string | undefined> {
  return (await listPartitions(addresses())).find((each) => each.partition === partition)?.database;
}

async function ownerOf(partition: number): Promise<string | null> {
  const { rows } = await home.owner.query('SELECT owner FROM partitions WHERE partition = $1', [partition]);
  return rows[0].owner;
}

/** A book that waits, as it is parked before its first fact. */
async function addBook(partition: number): Promise<void> {
  await home.owner.query(
    `INSERT INTO books (tenant_id, book_id, partition, sequence, version_count, recorded_at, parked) VALUES ('lender', $1, $2, 0, 0, 0, true)`,
    [`c/${partition}`, partition],
  );
}

/** Of the book of `addBook`. Returns the request. */
async function addFact(partition: number): Promise<string> {
  const requestId = randomUUID();
  await home.owner.query(
    `INSERT INTO facts (tenant_id, book_id, sequence, kind, body, counts, version_count, recorded_at, request_id, item, partition, "offset", event_number)
     VALUES ('lender', $1, 1, 'receipt', '{}', true, 1, 1, $2, 0, $3, 0, 1)`,
    [`c/${partition}`, requestId, partition],
  );
  return requestId;
}

/** To north, without the removal of what is left. */
async function leave(partition: number): Promise<LeftRows> {
  const print = interruptAt('is on north');
  await expect(movePartitionOfCell(addresses(), { partition, to: 'north', print })).rejects.toThrow('interrupted');
  return (await findLeftRows({ database: owner, name: undefined, number: 0 }, partition)) as LeftRows;
}

/** A transaction of another session that has executed the statement. */
async function holding(url: string, statement: string): Promise<pg.Client> {
  const session = new pg.Client({ connectionString: url });
  await session.connect();
  await session.query('BEGIN');
  await session.query(statement);
  return session;
}

test('the rows of a partition that came back are not removed by a removal that was decided before', async () => {
  await addBook(1);
  const left = await leave(1);
  await movePartitionOfCell(addresses(), { partition: 1, to: 'home', keptMs: 0 });
  await expect(removeMoved(left)).rejects.toThrow('partition 1 came back to the home database');
  const { rows } = await home.owner.query(`SELECT parked FROM books WHERE book_id = 'c/1'`);
  expect([rows, await ownerOf(1), await databaseOf(1)]).toEqual([[{ parked: true }], null, 'home']);
});

test('a removal that was decided before the partition came back and left again does not begin', async () => {
  const left = await leave(0);
  await movePartitionOfCell(addresses(), { partition: 0, to: 'home', keptMs: 0 });
  await leave(0);
  await expect(removeMoved(left)).rejects.toThrow('partition 0 came back to the home database');
});

test('a removal that another one has taken over does not go on', async () => {
  const left = await leave(2);
  const interrupt = (): void => {
    throw new Error('interrupted');
  };
  await addBook(2);
  await addFact(2);
  await expect(removeMoved((await findLeftRows(left.from, 2)) as LeftRows, interrupt)).rejects.toThrow('interrupted');
  await expect(removeMoved(left)).rejects.toThrow('or another command removes its former rows');
  await removeMoved((await findLeftRows(left.from, 2)) as LeftRows);
  expect(await ownerOf(2)).toBe(null);
});

test('the placement is changed by the session that holds the lock of moves', async () => {
  const blocking = await holding(home.ownerUrl, 'LOCK TABLE partition_number_ranges IN SHARE MODE');
  const moving = movePartitionOfCell(addresses(), { partition: 3, to: 'north', keptMs: 0 });
  const isWaiting = `SELECT FROM pg_locks w JOIN pg_locks a USING (pid)
    WHERE w.relation = 'partition_number_ranges'::regclass AND NOT w.granted AND a.locktype = 'advisory' AND a.granted`;
  await eventually(async () => (await home.owner.query(isWaiting)).rows.length > 0);
  await blocking.end();
  await moving;
  expect(await databaseOf(3)).toBe('north');
});

test('a partition goes on where it is while the database that it is to come to does not answer', async () => {
  const blocking = await holding(north.ownerUrl, 'LOCK TABLE parked_submissions');
  const moving = movePartitionOfCell(addresses(), { partition: 4, to: 'north', keptMs: 0 });
  const failed = expect(moving).rejects.toThrow('was not copied within 10 s');
  await eventually(async () => (await ownerOf(4)) === moveOwner);
  await eventually(async () => (await ownerOf(4)) === null);
  await blocking.end();
  await failed;
  expect(await databaseOf(4)).toBe('home');
});

test('a move ends although another database does not answer, and says so', async () => {
  const url = new URL(south.ownerUrl);
  url.port = '1';
  const move = () => movePartitionOfCell(addresses(url.href), { partition: 5, to: 'north', keptMs: 0 });
  const message = 'partition 5 is on north, but south cannot be read and may have rows of it';
  await expect(move()).rejects.toThrow(message);
  await expect(move()).rejects.toThrow(message);
  const { rows } = await north.owner.query('SELECT owner FROM partitions WHERE partition = 5');
  expect([rows, await databaseOf(5)]).toEqual([[{ owner: null }], 'north']);
});

test('a reference that a stopped partition may record is contended at once', async () => {
  const urls = () =>
    new Map([
      ['north', north.servicesUrl],
      ['south', south.servicesUrl],
    ] as const);
  const further = [north.database, south.database];
  const open = () => further.shift() as Database;
  const databases = await openDatabasesOf(home.database, { urls, open });
  const name = { tenantId: 'lender', namespace: 'receipts', reference: 'r-1' } as const;
  const reserve = (partition: number) => {
    const reference = { ...name, bookId: `c/${partition}` };
    return reserveReferences(databases, home.database, [{ reference, partition, offset: 10 } as unknown as FactRow]);
  };
  expect(await reserve(7)).toEqual({ isTaken: false, unreachable: [] });
  await expect(reserve(8)).rejects.toThrow('a reference is unavailable');
  const setOwner = 'UPDATE partitions SET owner = $1 WHERE partition = 7';
  await home.owner.query(setOwner, [moveOwner]);
  expect(await reserve(8)).toMatchObject({ isTaken: false, unreachable: [name] });
  await home.owner.query(setOwner, [null]);
  await expect(reserve(8)).rejects.toThrow('a reference is unavailable');
});

test('a reference on a database that was added since is contended, and the batch goes on', async () => {
  const partition = 9;
  const placement = {
    partitionCount: 12,
    databases: [{ name: 'north', number: 1 }],
    // Of a database that was not opened.
    numbers: new Map([[partition, 3]]),
    earlierNumbers: new Map(),
  };
  const databases = new PartitionDatabases(home.database, placement, () => north.database);
  const name = { tenantId: 'lender', namespace: 'receipts', reference: 'r-2' } as const;
  const reserve = (from: number) => {
    const reference = { ...name, bookId: `c/${from}` };
    return reserveReferences(databases, home.database, [
      { reference, partition: from, offset: 10 } as unknown as FactRow,
    ]);
  };
  expect(await reserve(partition)).toEqual({ isTaken: false, unreachable: [] });
  expect(await reserve(8)).toMatchObject({ isTaken: false, unreachable: [name] });
  const unreachable: unknown[] = [];
  const found = findReferencesInCell(databases, [name], { onUnreachable: (names) => unreachable.push(...names) });
  expect([await found, unreachable]).toEqual([new Map(), [name]]);
});

test('a partition stays where processors use it while one of them is not connected to the other database', async () => {
  const connect = async (url: string, name: string): Promise<pg.Client> => {
    const session = new pg.Client({ connectionString: url, application_name: name });
    await session.connect();
    return session;
  };
  const move = () => movePartitionOfCell(addresses(), { partition: 10, to: 'south', keptMs: 0 });
  const toHome = () => connect(home.servicesUrl, 'processor health/0.0.0');
  const toSouth = () => connect(south.servicesUrl, 'processor health south/0.0.0');
  const sessions = [await toHome(), await toHome(), await toSouth()];
  await expect(move()).rejects.toThrow('not every processor is connected to south');
  expect(await databaseOf(10)).toBe('home');
  sessions.push(await toSouth());
  await move();
  expect(await databaseOf(10)).toBe('south');
  await Promise.all(sessions.map((session) => session.end()));
});

test('commits do not wait for a removal that waits for a vacuum', async () => {
  await addBook(6);
  const left = await leave(6);
  const requestId = await addFact(6);
  await home.owner.query(
    `INSERT INTO request_evidence (request_id, partition, tenant_id, target, received_at) VALUES ('${requestId}', 6, 'lender', '/', 1)`,
  );
  const insertBody = `INSERT INTO request_bodies (request_id, body) VALUES ($1, '')`;
  await home.owner.query(insertBody, [requestId]);
  const vacuum = await holding(home.ownerUrl, 'LOCK TABLE request_bodies IN SHARE UPDATE EXCLUSIVE MODE');
  const removing = removeMoved(left);
  const isTried = `SELECT FROM pg_locks WHERE relation = 'request_bodies'::regclass AND mode = 'ShareRowExclusiveLock'`;
  // It is waited for in short turns, which a pause would miss.
  while ((await home.owner.query(isTried)).rows.length === 0);
  await home.owner.query(`SET lock_timeout = '1s'`);
  await home.owner.query(insertBody, [randomUUID()]);
  await vacuum.end();
  await removing;
  const { rows } = await home.owner.query('SELECT FROM request_bodies WHERE request_id = $1', [requestId]);
  expect([rows, await ownerOf(6)]).toEqual([[], null]);
});
