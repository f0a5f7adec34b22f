/** Creates the partitions of a new cell, and places them on further databases (decision 0089). */
import { type Database, inTransaction, type Queryable, query } from './database.ts';
import { divideTables } from './divide-tables.ts';
import { readIdentity, readNamedDatabases, readPlacement } from './partition-databases.ts';
import { hasBeenUsed, insertPartitions, readAllPositions } from './partitions.ts';

/** By partition the name of its database. Those that it leaves out are in the home database. */
export type RequestedPlacement = ReadonlyMap<number, string>;

export interface PlacementOptions {
  /** The home database, as the owner of its tables. */
  readonly home: Database;
  /** Another one by its name, as the owner of its tables, which are migrated. Throws where it is not known. */
  readonly ownerOf: (name: string) => Database;
  /** How many partitions the cell has, or gets. */
  readonly partitionCount: number;
}

interface Member {
  readonly name: string;
  readonly number: number;
  readonly database: Database;
  /** All of it, also those that were placed before. */
  readonly partitions: readonly number[];
}

/**
 * Safe to repeat, and after a failure with another placement: nothing is placed until every database has joined. What is
 * placed already, and what a processor has used, cannot be placed elsewhere.
 */
export async function placePartitions(options: PlacementOptions, requested: RequestedPlacement): Promise<void> {
  const { home, ownerOf, partitionCount } = options;
  const placed = await readPlaced(home);
  const missing = findUnplaced(placed, requested, partitionCount);
  if (missing.size === 0) return;
  await requireUnused(home);
  const members = await findMembers(home, ownerOf, [...placed, ...missing]);
  const { cell } = await readIdentity(home);
  for (const member of members) await requireJoinable(home, cell, member);
  for (const member of members) await joinCell(cell, partitionCount, member);
  await inTransaction(home, async (transaction) => {
    await transaction.query('SET LOCAL synchronous_commit = on');
    // A takeover waits, and is refused afterwards.
    await transaction.query('LOCK TABLE partitions IN EXCLUSIVE MODE');
    await requireUnused(transaction);
    for (const { name, number } of members)
      await query(
        transaction,
        'add_database',
        'INSERT INTO cell_databases (name, number) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING',
        [name, number],
      );
    // With the placement: a service starts when it finds partitions, and reads their placement once.
    await insertPartitions(transaction, partitionCount);
    await transaction.query('UPDATE database_identity SET must_reserve = true, references_reserved = true');
    for (const [partition, name] of missing) {
      const text = 'INSERT INTO partition_placement (partition, database) VALUES ($1, $2)';
      await query(transaction, 'place_partition', text, [partition, name]);
    }
  });
}

/** Without partitions, which are moved there afterwards. Safe to repeat. The services use it from their next start on. */
export async function addDatabase({ home, ownerOf, partitionCount }: PlacementOptions, name: string): Promise<void> {
  if ((await readNamedDatabases(home)).some((known) => known.name === name)) return;
  const { cell } = await readIdentity(home);
  const [member] = await findMembers(home, ownerOf, [[0, name]]);
  const joining = { ...(member as Member), partitions: [] };
  await requireJoinable(home, cell, joining);
  await joinCell(cell, partitionCount, joining);
  const text = 'INSERT INTO cell_databases (name, number) VALUES ($1, $2)';
  await query(home, 'add_database', text, [name, joining.number]);
}

async function readPlaced(home: Queryable): Promise<Map<number, string>> {
  if ((await readAllPositions(home)).size === 0) return new Map();
  const { databases, numbers } = await readPlacement(home);
  const nameOf = new Map(databases.map(({ name, number }) => [number, name]));
  return new Map([...numbers].map(([partition, number]) => [partition, nameOf.get(number) as string]));
}

function findUnplaced(
  placed: RequestedPlacement,
  requested: RequestedPlacement,
  partitionCount: number,
): Map<number, string> {
  const unplaced = new Map<number, string>();
  for (const [partition, name] of requested) {
    if (partition >= partitionCount)
      throw new Error(`there is no partition ${partition}; the cell has partitions 0 to ${partitionCount - 1}`);
    const present = placed.get(partition);
    if (present === undefined) unplaced.set(partition, name);
    else if (present !== name)
      throw new Error(`partition ${partition} is on the database ${present} already, not on ${name}`);
  }
  return unplaced;
}

async function requireUnused(home: Queryable): Promise<void> {
  if (!hasBeenUsed(await readAllPositions(home))) return;
  throw new Error('a processor has used the partitions of this cell: they can be placed only before the first start');
}

async function findMembers(
  home: Queryable,
  ownerOf: PlacementOptions['ownerOf'],
  placement: readonly (readonly [number, string])[],
): Promise<Member[]> {
  const known = new Map((await readNamedDatabases(home)).map(({ name, number }) => [name, number]));
  let highest = Math.max(0, ...known.values());
  return [...Map.groupBy(placement, ([, name]) => name)].map(([name, placed]) => {
    const number = known.get(name) ?? highest + 1;
    highest = Math.max(highest, number);
    return { name, number, database: ownerOf(name), partitions: placed.map(([partition]) => partition) };
  });
}

/** A database that joined in an attempt that failed afterwards may have another number. */
async function requireJoinable(home: Queryable, cell: string, { name, database }: Member): Promise<void> {
  const found = await readIdentity(database);
  const isNew = found.cell !== cell && found.number === 0;
  const named = (await readNamedDatabases(home)).find(({ number }) => number === found.number)?.name ?? name;
  if (!isNew && (found.cell !== cell || found.number === 0 || named !== name))
    throw new Error(`the database ${name} belongs to a cell already: number ${found.number} of cell ${found.cell}`);
}

/** The database states whose it is, and has the rows of its partitions only. Any partition may be moved to it later. */
function joinCell(cell: string, partitionCount: number, { name, number, database, partitions }: Member): Promise<void> {
  return inTransaction(database, async (transaction) => {
    await transaction.query('SET LOCAL synchronous_commit = on');
    await transaction.query('LOCK TABLE partitions IN EXCLUSIVE MODE');
    if (hasBeenUsed(await readAllPositions(transaction)))
      throw new Error(`the database ${name} holds partitions that a processor has used; expected an empty one`);
    await transaction.query('UPDATE database_identity SET cell = $1, number = $2', [cell, number]);
    await transaction.query('DELETE FROM partitions');
    await transaction.query('INSERT INTO partitions (partition) SELECT unnest($1::smallint[])', [partitions]);
    await divideTables(transaction, partitionCount);
  });
}
