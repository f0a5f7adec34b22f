/**
 * The databases of a cell: the home database, and those on which partitions are placed (decision 0089). A cell with one
 * database has only the first, and nothing is looked up.
 */
import { isDeepStrictEqual } from 'node:util';
import { tenancyBookId } from '#libs/ledger/book-id.ts';
import { DependencyUnavailableError } from '#libs/runtime/dependency.ts';
import type { BookKey } from './books.ts';
import { type Database, type Queryable, query, type StageTimer, untimed } from './database.ts';
import { readPartitions } from './partitions.ts';
import { type NamedDatabase, type Placement, PlacementView } from './placement-view.ts';

/** A process that works has read the placement within this time. `lending partition move` removes nothing before twice as long. */
export const maxPlacementAgeMs = 30_000;
/** A second after the placement was changed, facts are recorded in the new database: a listing may miss none of them. */
const maxListingAgeMs = 750;

/** From the home database. Rejects while the cell is not prepared. The number of partitions never changes: it may be known. */
export async function readPlacement(home: Queryable, known?: number): Promise<Placement> {
  const partitionCount = known ?? (await readPartitions(home)).length;
  const databases = await readNamedDatabases(home);
  const placed = await query<{ partition: number; number: number }>(
    home,
    'partition_placement',
    'SELECT p.partition, d.number FROM partition_placement p JOIN cell_databases d ON d.name = p.database',
    [],
  );
  const earlier = await query<{ partition: number; numbers: number[] }>(
    home,
    'partition_number_ranges',
    'SELECT partition, array_agg(number ORDER BY number) AS numbers FROM partition_number_ranges GROUP BY partition',
    [],
  );
  return {
    partitionCount,
    databases,
    numbers: new Map(placed.map(({ partition, number }) => [partition, number])),
    earlierNumbers: new Map(earlier.map(({ partition, numbers }) => [partition, numbers])),
  };
}

/** Those of the cell beside the home database. None where the database has no tables yet. Rejects another one than the home database. */
export async function readNamedDatabases(home: Queryable): Promise<NamedDatabase[]> {
  const exists = "SELECT to_regclass('cell_databases') IS NOT NULL AS exists";
  const [table] = await query<{ exists: boolean }>(home, 'has_cell_databases', exists, []);
  if (table?.exists !== true) return [];
  // Empty in a database that replaces a lost one.
  const [identity] = await readIdentities(home);
  if (identity !== undefined && identity.number !== 0)
    throw new Error(
      `DATABASE_URL leads to database ${identity.number} of cell ${identity.cell}, not to the home database: its address belongs into PARTITION_DATABASE_URLS`,
    );
  return query<NamedDatabase>(home, 'cell_databases', 'SELECT name, number FROM cell_databases ORDER BY number', []);
}

export class PartitionDatabases {
  /** The home database first, the others in the order of their numbers. */
  readonly all: readonly Database[];
  readonly #opened: ReadonlyMap<number, Database>;
  #view: PlacementView;
  #refresh: Promise<boolean> | undefined;
  /** By `performance.now()`. */
  #readAt = performance.now();
  readonly #listeners: (() => void)[] = [];

  /** `open` is called once for each further database. */
  constructor(home: Database, placement: Placement, open: (database: NamedDatabase) => Database) {
    const others = placement.databases.map((named) => [named.number, open(named)] as const);
    this.all = [home, ...others.map(([, database]) => database)];
    this.#opened = new Map([[0, home], ...others]);
    this.#view = new PlacementView(placement, this.#opened);
  }

  /** For a process or a test that uses one database whatever the cell has. */
  static of(home: Database): PartitionDatabases {
    const placement = { partitionCount: 1, databases: [], numbers: new Map(), earlierNumbers: new Map() };
    return new PartitionDatabases(home, placement, () => home);
  }

  get home(): Database {
    return this.all[0] as Database;
  }

  /** Undefined for the home database. */
  nameOf(database: Database): string | undefined {
    return this.#view.placement.databases[this.all.indexOf(database) - 1]?.name;
  }

  /** Also where the only further one was added after the start of this process. */
  get hasSeveral(): boolean {
    return this.#view.hasSeveral;
  }

  /** For a read of all databases. Rejects where this process does not know one of them. */
  get view(): PlacementView {
    this.#view.requireAllKnown();
    return this.#view;
  }

  /** For a listing: also rejects where the placement was read too long ago and cannot be read now. */
  async currentView(): Promise<PlacementView> {
    const isOld = (): boolean => this.hasSeveral && performance.now() - this.#readAt > maxListingAgeMs;
    // A read that was under way may have begun long ago.
    for (let reads = 0; reads < 2 && isOld(); reads += 1) await this.refresh();
    if (isOld()) throw new DependencyUnavailableError('the placement of partitions');
    return this.view;
  }

  /** Called after a partition was moved, or a database was added. */
  onChanged(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** Reads the placement again. Calls at the same time share one read. Returns whether something has changed. */
  refresh(): Promise<boolean> {
    this.#refresh ??= this.#readAgain().finally(() => {
      this.#refresh = undefined;
    });
    return this.#refresh;
  }

  async #readAgain(): Promise<boolean> {
    const readAt = performance.now();
    const placement = await readPlacement(this.home, this.#view.placement.partitionCount);
    this.#readAt = readAt;
    if (isDeepStrictEqual(placement, this.#view.placement)) return false;
    this.#view = new PlacementView(placement, this.#opened);
    for (const listener of this.#listeners) listener();
    return true;
  }

  /**
   * For a book that a database does not have. Undefined where its partition is in this database: then there is no such book.
   * Otherwise the database of now. Rejects while the partition is being moved.
   */
  async afterMove(key: BookKey, database: Database): Promise<Database | undefined> {
    if (!this.hasSeveral) return undefined;
    const partition = this.partitionOf(key);
    const text = 'SELECT partition FROM partition_placement WHERE partition = $1';
    if ((await query(database, 'is_elsewhere', text, [partition])).length === 0) return undefined;
    await this.refresh();
    const present = this.ofPartition(partition);
    if (present !== database) return present;
    throw new DependencyUnavailableError(`partition ${partition}, which is being moved`);
  }

  partitionOf(key: BookKey): number {
    return this.#view.partitionOf(key);
  }

  /** False for one on a database that was added after the start of this process. */
  isKnown(partition: number): boolean {
    return this.#view.isKnown(partition);
  }

  ofPartition(partition: number): Database {
    return this.#view.ofPartition(partition);
  }

  ofBook(key: BookKey): Database {
    return this.#view.ofBook(key);
  }

  isHere(database: Database, key: BookKey): boolean {
    return this.#view.isHere(database, key);
  }

  /** Where its own book is: its keys, bounds and products. */
  ofTenancy(tenantId: string): Database {
    return this.ofBook({ tenantId, bookId: tenancyBookId });
  }

  /** By database; in each the keys in their order. */
  groupByBook<Key extends BookKey>(keys: readonly Key[]): Map<Database, Key[]> {
    return Map.groupBy(keys, (key) => this.ofBook(key));
  }

  /** Without those on a database that was added after the start of this process. */
  groupByPartition(partitions: Iterable<number>): Map<Database, number[]> {
    const known = [...partitions].filter((partition) => this.isKnown(partition));
    return Map.groupBy(known, (partition) => this.ofPartition(partition));
  }

  /** In the order of `all`. Rejects where one database does not answer. */
  async readAll<Result>(read: (database: Database, index: number) => Promise<Result>): Promise<Result[]> {
    this.#view.requireAllKnown();
    return Promise.all(this.all.map(read));
  }

  /** The same for a request whose time is measured: reads of several databases at once count as one. */
  readAllTimed<Result>(
    timer: StageTimer,
    read: (database: Database, timer: StageTimer, index: number) => Promise<Result>,
  ): Promise<Result[]> {
    if (!this.hasSeveral) return this.readAll((database, index) => read(database, timer, index));
    return timer.measure('db', () => this.readAll((database, index) => read(database, untimed, index)));
  }

  /** What at most one database has. Rejects where none of those that answer has it and another does not answer. */
  async find<Result>(read: (database: Database) => Promise<Result | undefined>): Promise<Result | undefined> {
    if (!this.hasSeveral) return read(this.home);
    this.#view.requireAllKnown();
    const searches = this.all.map((database) => read(database));
    const found = Promise.any(
      searches.map(async (search) => {
        const result = await search;
        if (result === undefined) throw new NotHereError();
        return result;
      }),
    );
    return found.catch(async () => {
      const failed = (await Promise.allSettled(searches)).find((search) => search.status === 'rejected');
      if (failed !== undefined) throw failed.reason;
      return undefined;
    });
  }
}

class NotHereError extends Error {
  override readonly name = 'NotHereError';
}

/** For what is not built yet for a cell with several databases. A database without tables passes. */
export async function requireOneDatabase(home: Queryable, what: string): Promise<void> {
  const others = await readNamedDatabases(home);
  if (others.length === 0) return;
  throw new Error(
    `${what} does not know several databases yet, and this cell has partitions on ${others.map(({ name }) => name).join(', ')}`,
  );
}

interface Identity {
  readonly cell: string;
  readonly number: number;
}

function readIdentities(database: Queryable): Promise<Identity[]> {
  return query<Identity>(database, 'identity', 'SELECT cell, number FROM database_identity', []);
}

export async function readIdentity(database: Queryable): Promise<Identity> {
  const [row] = await readIdentities(database);
  if (row === undefined) throw new Error('table database_identity is empty: are all migrations applied?');
  return row;
}

/** Whether every reference that was recorded in the cell is reserved in its home database. */
export async function areReferencesReserved(home: Queryable): Promise<boolean> {
  const rows = await query(home, 'references_reserved', 'SELECT FROM database_identity WHERE references_reserved', []);
  return rows.length > 0;
}

/**
 * Rejects where an address leads to another database than the one that the cell knows under its name: facts would be
 * recorded there. A database that does not answer is checked at the next start.
 */
export async function checkIdentities(
  home: Database,
  named: Iterable<readonly [NamedDatabase, Database]>,
): Promise<void> {
  const { cell } = await readIdentity(home);
  for (const [{ name, number }, database] of named) {
    const found = await readIdentity(database).catch((cause: unknown) => {
      if (cause instanceof DependencyUnavailableError) return undefined;
      throw cause;
    });
    if (found === undefined || (found.cell === cell && found.number === number)) continue;
    throw new Error(
      `the address of ${name} in PARTITION_DATABASE_URLS leads to another database: expected number ${number} of cell ${cell}, ` +
        `found number ${found.number} of cell ${found.cell}`,
    );
  }
}
