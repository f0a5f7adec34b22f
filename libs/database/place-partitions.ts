/** Places partitions of a new cell on further databases (decision 0089). */
import { type Database, inTransaction, type Queryable, query } from './database.ts';
import { readIdentity, readPlacement } from './partition-databases.ts';
import { hasBeenUsed, readAllPositions } from './partitions.ts';

/** By partition the name of its database. Those that it leaves out are in the home database. */
export type RequestedPlacement = ReadonlyMap<number, string>;

export interface PlacementOwners {
  /** The home database, as the owner of its tables. */
  readonly home: Database;
  /** Another one by its name, as the owner of its tables, which are migrated. */
  readonly ownerOf: (name: string) => Database;
}

/** Safe to repeat. What is placed already, and what a processor has used, cannot be placed elsewhere. */
export async function placePartitions(
  { home, ownerOf }: PlacementOwners,
  requested: RequestedPlacement,
): Promise<void> {
  const missing = await findUnplaced(home, requested);
  if (missing.size === 0) return;
  await requireUnused(home);
  for (const [name, partitions] of Map.groupBy(missing.keys(), (partition) => missing.get(partition) as string)) {
    const number = await addDatabase(home, name);
    await joinCell({ home, other: ownerOf(name) }, { name, number, partitions });
  }
  await inTransaction(home, async (transaction) => {
    await transaction.query('SET LOCAL synchronous_commit = on');
    // A takeover waits, and is refused afterwards.
    await transaction.query('LOCK TABLE partitions IN EXCLUSIVE MODE');
    await requireUnused(transaction);
    for (const [partition, name] of missing) {
      const text = 'INSERT INTO partition_placement (partition, database) VALUES ($1, $2)';
      await query(transaction, 'place_partition', text, [partition, name]);
    }
  });
}

async function findUnplaced(home: Queryable, requested: RequestedPlacement): Promise<Map<number, string>> {
  const { partitionCount, databases, numbers } = await readPlacement(home);
  const nameOf = new Map(databases.map(({ name, number }) => [number, name]));
  const unplaced = new Map<number, string>();
  for (const [partition, name] of requested) {
    if (partition >= partitionCount)
      throw new Error(`there is no partition ${partition}; the cell has partitions 0 to ${partitionCount - 1}`);
    const number = numbers.get(partition);
    if (number === undefined) unplaced.set(partition, name);
    else if (nameOf.get(number) !== name)
      throw new Error(`partition ${partition} is on the database ${nameOf.get(number)} already, not on ${name}`);
  }
  return unplaced;
}

async function requireUnused(home: Queryable): Promise<void> {
  if (!hasBeenUsed(await readAllPositions(home))) return;
  throw new Error('a processor has used the partitions of this cell: they can be placed only before the first start');
}

/** Returns its number. */
async function addDatabase(home: Queryable, name: string): Promise<number> {
  const text = `INSERT INTO cell_databases (name, number)
    SELECT $1, 1 + coalesce((SELECT max(number) FROM cell_databases), 0) ON CONFLICT DO NOTHING`;
  await query(home, 'add_database', text, [name]);
  const rows = await query<{ number: number }>(
    home,
    'number_of_database',
    'SELECT number FROM cell_databases WHERE name = $1',
    [name],
  );
  return (rows[0] as { number: number }).number;
}

interface NewMember {
  readonly name: string;
  readonly number: number;
  readonly partitions: readonly number[];
}

/** The database states whose it is, and has the rows of its partitions only. */
async function joinCell(
  { home, other }: { readonly home: Database; readonly other: Database },
  { name, number, partitions }: NewMember,
): Promise<void> {
  const { cell } = await readIdentity(home);
  const found = await readIdentity(other);
  const isMember = found.cell === cell && found.number === number;
  if (!isMember && (found.cell === cell || found.number !== 0))
    throw new Error(`the database ${name} belongs to a cell already: number ${found.number} of cell ${found.cell}`);
  await inTransaction(other, async (transaction) => {
    await transaction.query('SET LOCAL synchronous_commit = on');
    await transaction.query('LOCK TABLE partitions IN EXCLUSIVE MODE');
    if (hasBeenUsed(await readAllPositions(transaction)))
      throw new Error(`the database ${name} holds partitions that a processor has used; expected an empty one`);
    await transaction.query('UPDATE database_identity SET cell = $1, number = $2', [cell, number]);
    if (!isMember) await transaction.query('DELETE FROM partitions');
    await transaction.query('INSERT INTO partitions (partition) SELECT unnest($1::smallint[]) ON CONFLICT DO NOTHING', [
      partitions,
    ]);
  });
}
