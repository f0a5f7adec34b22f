/** Rebuilds the database of a cell from the topic for `lending rebuild`, and prints the result. */

import type { Database } from '#libs/database/database.ts';
import { readIdentity, readPlacement, requireOneDatabase } from '#libs/database/partition-databases.ts';
import { readOwnPositions } from '#libs/database/partitions.ts';
import { openDatabase, openOwnerDatabase } from '#libs/database/pool.ts';
import { createServiceLogin, usesOwnerLogin } from '#libs/database/service-login.ts';
import { AvroCodec } from '#libs/kafka/avro-codec.ts';
import { connectKafka } from '#libs/kafka/kafka-client.ts';
import { type MovementRecord, movementSchema } from '#libs/kafka/movement.ts';
import { SchemaRegistry } from '#libs/kafka/schema-registry.ts';
import { silentLogger } from '#libs/runtime/logging.ts';
import {
  planRestore,
  type RebuildOptions,
  type RebuildResult,
  type RestorePlan,
  rebuild,
} from '#libs/verify/rebuild/rebuild.ts';
import { RebuildError } from '#libs/verify/rebuild/rebuild-error.ts';
import {
  type MovementsPlan,
  planRebuildOfMovements,
  rebuildMovements,
} from '#libs/verify/rebuild/rebuild-movements.ts';
import { type CellMember, readRemovedNumbers } from '#libs/verify/rebuild/restore-from-topic.ts';
import { hasFacts, servingSchema } from '#libs/verify/rebuild/shadow-schema.ts';
import { withStoppedProcessors } from '#libs/verify/repair/stopped-processors.ts';
import { type CellDatabaseAddresses, missingAddress, withCellDatabases } from './cell-databases.ts';
import { deleteSnapshots } from './delete-snapshots.ts';
import { formatCount } from './output/text-table.ts';
import { recordCommand, recordCommandAt } from './record-command.ts';

export type CellToRebuild = Pick<
  RebuildOptions,
  'databaseLost' | 'acceptDifferences' | 'secretsUrl' | 'compareOnly' | 'onFacts'
> &
  CellDatabaseAddresses & {
    readonly kafkaBrokers: string;
    readonly schemaRegistryUrl: string;
    readonly redisUrl: string;
  };

/** `isReplaced` where the new tables serve now, in every database of the cell. */
type RebuiltCell = RebuildResult & { readonly isReplaced: boolean };

export async function rebuildCell(cell: CellToRebuild, print: (line: string) => void): Promise<RebuiltCell> {
  const { kafkaBrokers, schemaRegistryUrl, redisUrl, partitionDatabases: _, ...options } = cell;
  const { databaseLost = false, compareOnly = false, databaseUrl } = cell;
  const names = await withCellDatabases(cell, 'rebuild', async (databases) => {
    if (databaseLost) await requireOneDatabase(databases[0].owner, 'lending rebuild --lost without --database');
    const filled: { readonly name: string | undefined; readonly ownerUrl: string }[] = [];
    for (const { name, ownerUrl, owner } of databases) {
      // Where all are empty, the rebuild says so.
      if (databases.length === 1 || (await hasFacts(owner)) === true) filled.push({ name, ownerUrl });
      else print(`${placeOf(name)} holds no facts`);
    }
    if (filled.length === 0) throw new RebuildError('no database of the cell contains facts');
    // Without tables the rebuild is refused below.
    const hasTables = (await hasFacts(databases[0].owner)) !== undefined;
    if (hasTables && !databaseLost && !compareOnly) await recordCommand(databases[0].owner, 'rebuild', '');
    return filled;
  });
  const results: RebuildResult[] = [];
  for (const { name, ownerUrl } of names) {
    if (names.length > 1) print(placeOf(name));
    const kafka = connectKafka(kafkaBrokers, 'rebuild');
    const rebuilding = { ...options, ownerUrl, schemaRegistryUrl, kafka, logger: silentLogger, onProgress: print };
    const result = await rebuild(rebuilding);
    const hasChanged = result.differences.length > 0 || result.restored !== undefined;
    // Redis holds snapshots of the old tables, which readers must not get any more.
    if (result.previousSchema !== undefined && hasChanged) await deleteSnapshots(redisUrl, print);
    printResult(result, print);
    if (compareOnly && result.differences.length === 0) print('the new tables equal the serving ones');
    results.push(result);
  }
  // Before, the database had no tables.
  if (databaseLost) await recordCommandAt(databaseUrl, 'rebuild --lost', '');
  const sumOf = (figure: 'eventCount' | 'seconds'): number => results.reduce((sum, result) => sum + result[figure], 0);
  const restored = results.find((result) => result.restored !== undefined)?.restored;
  return {
    ...(restored === undefined ? {} : { restored }),
    eventCount: sumOf('eventCount'),
    seconds: sumOf('seconds'),
    differences: results.flatMap(({ differences }) => differences),
    previousSchema: results[0]?.previousSchema,
    isReplaced: results.every(({ previousSchema }) => previousSchema !== undefined),
  };
}

/** For `--lost --database NAME`: the home database says which partitions it had. */
export async function rebuildLostDatabase(
  cell: CellToRebuild,
  name: string,
  print: (line: string) => void,
): Promise<RebuiltCell> {
  const address = cell.partitionDatabases?.get(name);
  if (address === undefined) throw missingAddress(name);
  const { member, others } = await readMember(cell, name);
  const rebuildStopped = async (): Promise<RebuiltCell> => {
    const result = await rebuild({
      databaseLost: true,
      member,
      ownerUrl: address.ownerUrl,
      schemaRegistryUrl: cell.schemaRegistryUrl,
      kafka: connectKafka(cell.kafkaBrokers, 'rebuild'),
      logger: silentLogger,
      onProgress: print,
      ...(cell.onFacts === undefined ? {} : { onFacts: cell.onFacts }),
    });
    if (!usesOwnerLogin(address.ownerUrl, address.servicesUrl))
      await createServiceLogin(address.ownerUrl, address.servicesUrl);
    await deleteSnapshots(cell.redisUrl, print);
    printResult(result, print);
    await recordCommandAt(cell.databaseUrl, 'rebuild --lost', name);
    return { ...result, isReplaced: true };
  };
  const stopAll = others.reduceRight((work: () => Promise<RebuiltCell>, { servicesUrl, partitions }) => {
    return async () => {
      const database = openDatabase({ url: servicesUrl, name: 'rebuild', connections: 1 });
      try {
        return await withStoppedProcessors(database, partitions, work);
      } finally {
        await database.end();
      }
    };
  }, rebuildStopped);
  return stopAll();
}

interface RemainingDatabase {
  readonly servicesUrl: string;
  /** One process works for all databases, so the processors of these must be stopped as well. */
  readonly partitions: readonly number[];
}

/** What the lost database was, from the home database and the further ones. */
async function readMember(
  { databaseUrl, servicesDatabaseUrl, partitionDatabases }: CellToRebuild,
  name: string,
): Promise<{ readonly member: CellMember; readonly others: readonly RemainingDatabase[] }> {
  const pools: ReturnType<typeof openOwnerDatabase>[] = [];
  const open = (url: string): Database => {
    const pool = openOwnerDatabase({ url, name: 'rebuild', connections: 1 }, servingSchema);
    pools.push(pool);
    return pool;
  };
  try {
    const home = open(databaseUrl);
    const { databases, numbers, earlierNumbers } = await readPlacement(home);
    const number = databases.find((each) => each.name === name)?.number;
    if (number === undefined) throw new RebuildError(`the cell has no database ${name}`);
    const remaining = [{ owner: home, servicesUrl: servicesDatabaseUrl }];
    for (const each of databases) {
      if (each.name === name) continue;
      const address = partitionDatabases?.get(each.name);
      if (address === undefined) throw missingAddress(each.name);
      remaining.push({ owner: open(address.ownerUrl), servicesUrl: address.servicesUrl });
    }
    const others: RemainingDatabase[] = [];
    for (const { owner, servicesUrl } of remaining)
      others.push({ servicesUrl, partitions: [...(await readOwnPositions(owner)).keys()] });
    const owners = remaining.map(({ owner }) => owner);
    const removedNumbers = await readRemovedNumbers(owners, number);
    const { cell } = await readIdentity(home);
    const partitions = new Set([...numbers].filter(([, at]) => at === number).map(([partition]) => partition));
    return { member: { cell, number, partitions, earlierNumbers, removedNumbers }, others };
  } finally {
    await Promise.all(pools.map((pool) => pool.end()));
  }
}

function placeOf(name: string | undefined): string {
  return name === undefined ? 'the home database' : `the database ${name}`;
}

/** For `--lost --dry-run`. */
export async function planRestoreOfCell(
  { kafkaBrokers, ...addresses }: Pick<CellToRebuild, 'kafkaBrokers' | keyof CellDatabaseAddresses>,
  print: (line: string) => void,
): Promise<RestorePlan> {
  const plan = await withCellDatabases(addresses, 'rebuild', async ([home]) => {
    await requireOneDatabase(home.owner, 'lending rebuild --lost without --database');
    return planRestore({ kafka: connectKafka(kafkaBrokers, 'rebuild'), ownerUrl: home.ownerUrl });
  });
  print('the database holds no facts');
  print(`${formatCount(plan.events)} records of lending.book-events would be written to it`);
  print(
    `submissions behind the last fact would be submitted again, of ${formatCount(plan.submissions)} in their topic`,
  );
  print('nothing was changed');
  return plan;
}

export interface CellWithMovements extends CellDatabaseAddresses {
  readonly kafkaBrokers: string;
  readonly schemaRegistryUrl: string;
  readonly onMovements: (published: number, total: number) => void;
}

/** For `--movements --dry-run`. Opens no schema registry: nothing is decoded. */
export function planRebuildOfMovementsOfCell(
  { kafkaBrokers, ...addresses }: Omit<CellWithMovements, 'schemaRegistryUrl' | 'onMovements'>,
  print: (line: string) => void,
): Promise<MovementsPlan> {
  return withCellDatabases(addresses, 'rebuild', async (databases) => {
    const kafka = connectKafka(kafkaBrokers, 'rebuild');
    const plan = { records: 0, movements: 0 };
    for (const { owner } of databases) {
      const { records, movements } = await planRebuildOfMovements({ kafka, database: owner });
      plan.records += records;
      plan.movements += movements;
    }
    print(`${formatCount(plan.records)} records of lending.movements would be removed`);
    print(`the running processors would write ${formatCount(plan.movements)} movements`);
    print('nothing was changed');
    return plan;
  });
}

/** For `--movements`. Returns when the processors have published all of them again. */
export function rebuildMovementsOfCell(
  { kafkaBrokers, schemaRegistryUrl, onMovements, ...addresses }: CellWithMovements,
  print: (line: string) => void,
): Promise<{ readonly movements: number }> {
  return withCellDatabases(addresses, 'rebuild', async (databases) => {
    const registry = new SchemaRegistry(schemaRegistryUrl);
    const codec = await AvroCodec.open<MovementRecord, MovementRecord<number>>(registry, movementSchema);
    const kafka = connectKafka(kafkaBrokers, 'rebuild');
    await recordCommand(databases[0].owner, 'rebuild --movements', '');
    let movements = 0;
    for (const { owner, services } of databases) {
      const options = { kafka, codec, database: owner, lockDatabase: services, onProgress: print, onMovements };
      movements += await rebuildMovements(options);
    }
    print(`${formatCount(movements)} movements are published`);
    return { movements };
  });
}

function printResult(result: RebuildResult, print: (line: string) => void): void {
  const { eventCount, seconds, differences, previousSchema, restored } = result;
  for (const { table, row, serving, rebuilt } of differences) {
    print(`${table} ${row}: serving ${formatRow(serving)}, rebuilt ${formatRow(rebuilt)}`);
  }
  print(`${eventCount} facts in ${seconds.toFixed(1)} s, ${Math.round(eventCount / seconds)} facts/s`);
  if (restored !== undefined) {
    print(`${restored.resubmitted} submissions behind the end of the topic were submitted again`);
    for (const partition of restored.partitionsWithGap) {
      print(`partition ${partition}: the submissions after its last event are no longer in the topic of submissions`);
    }
    for (const book of restored.parkedBooks)
      print(`${book} is in lending.parked; release it if it was released before`);
  }
  if (previousSchema === undefined) {
    print(`nothing was changed${differences.length > 0 ? ', because the serving tables differ from the topic' : ''}`);
  } else print(`the new tables serve; the old ones are kept in the schema ${previousSchema}`);
}

const maxRowLength = 400;

function formatRow(row: string | null): string {
  if (row === null) return 'nothing';
  return row.length > maxRowLength ? `${row.slice(0, maxRowLength)}…` : row;
}
