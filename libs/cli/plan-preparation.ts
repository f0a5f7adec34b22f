/** What `lending prepare` would do to a cell, and what of it cannot be undone. Changes nothing. */
import { type Queryable, query } from '#libs/database/database.ts';
import { readPlacement } from '#libs/database/partition-databases.ts';
import type { RequestedPlacement } from '#libs/database/place-partitions.ts';
import { openOwnerDatabase } from '#libs/database/pool.ts';
import { missingMigrations } from '#libs/database/required-migrations.ts';
import { defaultPartitionCount } from '#libs/kafka/book-key-partition.ts';
import { connectKafka } from '#libs/kafka/kafka-client.ts';
import { SchemaRegistry } from '#libs/kafka/schema-registry.ts';
import { findTopics } from '#libs/kafka/topics.ts';
import { servingSchema } from '#libs/verify/rebuild/shadow-schema.ts';
import { choosePartitionCount } from './choose-partition-count.ts';
import { type CellToPrepare, type PrepareOptions, requireSchemasOfRecords } from './prepare.ts';

export interface PreparationPlan {
  /** Those of a further database begin with its name. */
  readonly migrations: readonly string[];
  readonly partitions: number;
  readonly missingTopics: readonly string[];
  /** In full sentences. */
  readonly irreversible: readonly string[];
}

export async function planPreparation(
  { kafkaBrokers, schemaRegistryUrl, databaseUrl, partitionDatabases = new Map() }: CellToPrepare,
  { partitions: requested, placement = new Map() }: Pick<PrepareOptions, 'partitions' | 'placement'>,
): Promise<PreparationPlan> {
  const kafka = connectKafka(kafkaBrokers, 'lending-prepare');
  await requireSchemasOfRecords(kafka, new SchemaRegistry(schemaRegistryUrl));
  const inTopics = await findTopics(kafka);
  const home = await readPreparedState(databaseUrl, { isHome: true, placement });
  const partitions = choosePartitionCount({
    requested,
    defaultPartitions: defaultPartitionCount,
    inTopics,
    inTables: home,
  });
  const migrations = [...home.migrations];
  for (const [name, { ownerUrl }] of partitionDatabases) {
    const found = await readPreparedState(ownerUrl, { isHome: false, placement: new Map() });
    migrations.push(...found.migrations.map((migration) => `${name}: ${migration}`));
  }
  const { isUsed, unplaced } = home;
  const isFixed = inTopics.partitions !== undefined || isUsed;
  const irreversible = irreversibleSteps({ partitions, isFixed, isUsed, migrations, unplaced });
  return { migrations, partitions, missingTopics: inTopics.missing, irreversible };
}

interface PlannedSteps extends Pick<PreparedState, 'isUsed' | 'migrations' | 'unplaced'> {
  readonly partitions: number;
  /** The number of partitions. */
  readonly isFixed: boolean;
}

/** An empty list where the command may be run without a question. */
export function irreversibleSteps({ partitions, isFixed, isUsed, migrations, unplaced }: PlannedSteps): string[] {
  return [
    ...(isFixed ? [] : [`The cell gets ${partitions} partitions. This number is fixed for its life.`]),
    ...(isUsed && migrations.length > 0 ? [migrationText(migrations)] : []),
    ...(unplaced.length > 0 ? [placementText(unplaced)] : []),
  ];
}

function migrationText(migrations: readonly string[]): string {
  return `The database is in use, and these migrations, which only go forward, are applied to it:\n  ${migrations.join('\n  ')}`;
}

function placementText(unplaced: readonly (readonly [partition: number, name: string])[]): string {
  const places = unplaced.map(([partition, name]) => `${partition} on ${name}`);
  return `Partitions are placed on other databases, and stay there once a processor has run: ${places.join(', ')}.`;
}

interface PreparedState {
  readonly migrations: readonly string[];
  readonly partitions: number;
  readonly isUsed: boolean;
  /** Of the requested placement. */
  readonly unplaced: readonly (readonly [partition: number, name: string])[];
}

async function readPreparedState(
  ownerUrl: string,
  { isHome, placement }: { readonly isHome: boolean; readonly placement: RequestedPlacement },
): Promise<PreparedState> {
  const owner = openOwnerDatabase({ url: ownerUrl, name: 'prepare', connections: 1 }, servingSchema);
  try {
    const migrations = await missingMigrations(owner);
    const { partitions, isUsed } = await readPartitionUse(owner);
    const isMigrated = migrations.length === 0 && partitions > 0;
    const { numbers, databases } = isHome && isMigrated ? await readPlacement(owner) : unplacedCell;
    const nameOf = new Map(databases.map(({ number, name }) => [number, name]));
    const isPlaced = ([partition, name]: readonly [number, string]) => nameOf.get(numbers.get(partition) ?? 0) === name;
    // A database in use has its placement, which cannot be read before it is migrated.
    const unplaced = isUsed && !isMigrated ? [] : [...placement].filter((wanted) => !isPlaced(wanted));
    return { migrations, partitions, isUsed: isUsed || numbers.size > 0, unplaced };
  } finally {
    await owner.end();
  }
}

const unplacedCell = { numbers: new Map<number, number>(), databases: [] };

/** By the columns of the first release: the tables may be those of any release, or missing. */
async function readPartitionUse(owner: Queryable): Promise<{ readonly partitions: number; readonly isUsed: boolean }> {
  const tableText = `SELECT to_regclass('${servingSchema}.partitions') IS NOT NULL AS exists`;
  const [table] = await query<{ exists: boolean }>(owner, 'partitions_table', tableText, []);
  if (table?.exists !== true) return { partitions: 0, isUsed: false };
  const text = `SELECT count(*)::int AS partitions,
    coalesce(bool_or(epoch > 0 OR next_offset > 0 OR next_event > 1), false) AS "isUsed" FROM partitions`;
  const [row] = await query<{ partitions: number; isUsed: boolean }>(owner, 'partition_use', text, []);
  return row ?? { partitions: 0, isUsed: false };
}
