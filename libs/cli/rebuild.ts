/** Rebuilds the database of a cell from the topic for `lending rebuild`, and prints the result. */

import { requireOneDatabase } from '#libs/database/partition-databases.ts';
import { openDatabase, openOwnerDatabase } from '#libs/database/pool.ts';
import { deleteCachedSnapshots } from '#libs/database/snapshot-cache.ts';
import { AvroCodec } from '#libs/kafka/avro-codec.ts';
import { connectKafka } from '#libs/kafka/kafka-client.ts';
import { type MovementRecord, movementSchema } from '#libs/kafka/movement.ts';
import { SchemaRegistry } from '#libs/kafka/schema-registry.ts';
import { openRedis, waitUntilReady } from '#libs/redis/redis.ts';
import { silentLogger } from '#libs/runtime/logging.ts';
import {
  planRestore,
  type RebuildOptions,
  type RebuildResult,
  type RestorePlan,
  rebuild,
} from '#libs/verify/rebuild/rebuild.ts';
import {
  type MovementsPlan,
  planRebuildOfMovements,
  rebuildMovements,
} from '#libs/verify/rebuild/rebuild-movements.ts';
import { servingSchema } from '#libs/verify/rebuild/shadow-schema.ts';
import { formatCount } from './output/text-table.ts';

export type CellToRebuild = Pick<
  RebuildOptions,
  'ownerUrl' | 'databaseLost' | 'acceptDifferences' | 'secretsUrl' | 'compareOnly' | 'onFacts'
> & {
  readonly kafkaBrokers: string;
  readonly schemaRegistryUrl: string;
  readonly redisUrl: string;
};

/** `isReplaced` where the new tables serve now. */
export async function rebuildCell(
  { kafkaBrokers, redisUrl, ...cell }: CellToRebuild,
  print: (line: string) => void,
): Promise<RebuildResult & { readonly isReplaced: boolean }> {
  await refuseSeveralDatabases(cell.ownerUrl);
  const kafka = connectKafka(kafkaBrokers, 'rebuild');
  const result = await rebuild({ ...cell, kafka, logger: silentLogger, onProgress: print });
  const isReplaced = result.previousSchema !== undefined;
  const hasChanged = result.differences.length > 0 || result.restored !== undefined;
  // Redis holds snapshots of the old tables, which readers must not get any more.
  if (isReplaced && hasChanged) await deleteSnapshots(redisUrl, print);
  printResult(result, print);
  if (cell.compareOnly === true && result.differences.length === 0) print('the new tables equal the serving ones');
  return { ...result, isReplaced };
}

/** For `--lost --dry-run`. */
export async function planRestoreOfCell(
  { kafkaBrokers, ownerUrl }: Pick<CellToRebuild, 'kafkaBrokers' | 'ownerUrl'>,
  print: (line: string) => void,
): Promise<RestorePlan> {
  await refuseSeveralDatabases(ownerUrl);
  const plan = await planRestore({ kafka: connectKafka(kafkaBrokers, 'rebuild'), ownerUrl });
  print('the database holds no facts');
  print(`${formatCount(plan.events)} records of lending.book-events would be written to it`);
  print(
    `submissions behind the last fact would be submitted again, of ${formatCount(plan.submissions)} in their topic`,
  );
  print('nothing was changed');
  return plan;
}

export interface CellWithMovements {
  readonly kafkaBrokers: string;
  readonly schemaRegistryUrl: string;
  readonly ownerUrl: string;
  readonly servicesUrl: string;
  readonly onMovements: (published: number, total: number) => void;
}

/** For `--movements --dry-run`. Opens no schema registry: nothing is decoded. */
export async function planRebuildOfMovementsOfCell(
  { kafkaBrokers, ownerUrl }: Pick<CellWithMovements, 'kafkaBrokers' | 'ownerUrl'>,
  print: (line: string) => void,
): Promise<MovementsPlan> {
  const database = openOwnerDatabase({ url: ownerUrl, name: 'rebuild', connections: 1 }, servingSchema);
  try {
    await requireOneDatabase(database, 'lending rebuild');
    const plan = await planRebuildOfMovements({ kafka: connectKafka(kafkaBrokers, 'rebuild'), database });
    print(`${formatCount(plan.records)} records of lending.movements would be removed`);
    print(`the running processors would write ${formatCount(plan.movements)} movements`);
    print('nothing was changed');
    return plan;
  } finally {
    await database.end();
  }
}

/** For `--movements`. Returns when the processors have published all of them again. */
export async function rebuildMovementsOfCell(
  { kafkaBrokers, schemaRegistryUrl, ownerUrl, servicesUrl, onMovements }: CellWithMovements,
  print: (line: string) => void,
): Promise<{ readonly movements: number }> {
  const database = openOwnerDatabase({ url: ownerUrl, name: 'rebuild', connections: 1 }, servingSchema);
  const lockDatabase = openDatabase({ url: servicesUrl, name: 'rebuild', connections: 1 });
  try {
    await requireOneDatabase(database, 'lending rebuild');
    const registry = new SchemaRegistry(schemaRegistryUrl);
    const codec = await AvroCodec.open<MovementRecord, MovementRecord<number>>(registry, movementSchema);
    const kafka = connectKafka(kafkaBrokers, 'rebuild');
    const movements = await rebuildMovements({ kafka, codec, database, lockDatabase, onProgress: print, onMovements });
    print(`${formatCount(movements)} movements are published`);
    return { movements };
  } finally {
    await database.end();
    await lockDatabase.end();
  }
}

async function refuseSeveralDatabases(ownerUrl: string): Promise<void> {
  const owner = openOwnerDatabase({ url: ownerUrl, name: 'rebuild', connections: 1 }, servingSchema);
  await requireOneDatabase(owner, 'lending rebuild').finally(() => owner.end());
}

async function deleteSnapshots(redisUrl: string, print: (line: string) => void): Promise<void> {
  const redis = openRedis(redisUrl, 'rebuild');
  try {
    if (await waitUntilReady(redis)) print(`${await deleteCachedSnapshots(redis)} snapshots deleted from Redis`);
    else print('Redis does not answer and holds old snapshots; flush it before the services are started');
  } finally {
    redis.disconnect();
  }
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
