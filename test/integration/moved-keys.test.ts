/** The keys of a Tenancy whose own partition is moved to another database. */
import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { Redis } from 'ioredis';
import nacl from 'tweetnacl';
import { fingerprint } from '#libs/auth/signing-scheme.ts';
import { prepare } from '#libs/cli/prepare.ts';
import { CellKeyRing } from '#libs/database/cell-key-ring.ts';
import type { Database } from '#libs/database/database.ts';
import { PartitionDatabases } from '#libs/database/partition-databases.ts';
import { PolledKeyRing } from '#libs/database/polled-key-ring.ts';
import { openDatabase } from '#libs/database/pool.ts';
import { bookKey, partitionOf } from '#libs/kafka/book-key-partition.ts';
import { tenancyBookId } from '#libs/ledger/book-id.ts';
import { openToolRedis } from '#libs/redis/redis.ts';
import { silentLogger } from '#libs/runtime/logging.ts';
import { createScratchDatabase, type ScratchDatabase } from '#test/support/scratch-database.ts';
import { eventually, testEnvironment } from '#test/support/tenant.ts';

const partitionCount = 12;
const tenancy = randomUUID();
const partition = partitionOf(bookKey(tenancy, tenancyBookId), partitionCount);
const publicKey = Buffer.from(nacl.sign.keyPair().publicKey);
const fp = fingerprint(publicKey);

let home: ScratchDatabase;
let north: ScratchDatabase;
let redis: Redis;
let rings: PolledKeyRing[] = [];
beforeAll(async () => {
  const scratch = () => createScratchDatabase('keys', { migrated: false });
  [home, north] = await Promise.all([scratch(), scratch()]);
  const { stack } = testEnvironment();
  const partitionDatabases = new Map([['north', { ownerUrl: north.ownerUrl, servicesUrl: north.servicesUrl }]]);
  const addresses = { databaseUrl: home.ownerUrl, servicesDatabaseUrl: home.servicesUrl, partitionDatabases };
  await prepare({ ...stack, ...addresses });
  await prepare({ ...stack, ...addresses }, { addedDatabases: ['north'] });
  for (const { owner } of [home, north])
    await owner.query(
      `WITH t AS (INSERT INTO tenancies (tenant_id, name, live, jurisdiction, time_zone, created_at, revision)
         VALUES ($1, 'lender', false, 'PL', 'Europe/Warsaw', 0, 1))
       INSERT INTO keys (fp, tenant_id, public_key, scope, holder, label, created_at, revision)
         VALUES ($2, $1, $3, 'write', 'service', 'test', 0, 1)`,
      [tenancy, fp, publicKey],
    );
  redis = openToolRedis(stack.redisUrl, 'keys');
}, 120_000);
afterEach(async () => {
  for (const ring of rings) ring.close();
  for (const { owner } of [home, north]) await owner.query('DELETE FROM partition_placement');
});
afterAll(async () => {
  await redis.quit();
  await Promise.all([home.drop(), north.drop()]);
});

function placed(number: number) {
  const databases = [{ name: 'north', number: 1 }];
  return { partitionCount, databases, numbers: new Map([[partition, number]]), earlierNumbers: new Map() };
}

async function openKeyRing(databases: PartitionDatabases): Promise<CellKeyRing> {
  const open = (database: Database) => PolledKeyRing.open(database, redis, silentLogger);
  rings = await Promise.all(databases.all.map(open));
  return new CellKeyRing(databases, rings);
}

test('are not taken from a database that the partition has left, however old the known placement is', async () => {
  // It does not answer: the placement is never read again.
  const unreachable = openDatabase({ url: 'postgres://127.0.0.1:1/none', name: 'unreachable', connections: 1 });
  const databases = new PartitionDatabases(unreachable, placed(1), () => north.database);
  const keyRing = await openKeyRing(databases);
  const holder = (): string | undefined => {
    try {
      return keyRing.find(fp)?.tenancy.id;
    } catch (cause) {
      return (cause as Error).message;
    }
  };
  try {
    expect(holder()).toBe(tenancy);
    await north.owner.query(`INSERT INTO partition_placement (partition, database) VALUES ($1, 'home')`, [partition]);
    await eventually(() => holder() === 'the placement of partitions is unavailable');
  } finally {
    await unreachable.end();
  }
});

test('are known to every request that waits until placement and keys are both read', async () => {
  const databases = new PartitionDatabases(home.database, placed(0), () => north.database);
  const keyRing = await openKeyRing(databases);
  await home.owner.query(`INSERT INTO partition_placement (partition, database) VALUES ($1, 'north')`, [partition]);
  while (databases.ofPartition(partition) !== north.database || rings[0]?.hasPartition(partition) === true) {
    for (let read = keyRing.refreshed(); read !== undefined; read = keyRing.refreshed()) await read;
    expect(keyRing.find(fp)?.tenancy.id).toBe(tenancy);
    await nextTurn();
  }
});
