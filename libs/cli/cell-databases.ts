/** The databases of a cell as the commands of its operator open them. */
import type { Database } from '#libs/database/database.ts';
import { checkIdentities, readNamedDatabases } from '#libs/database/partition-databases.ts';
import { openDatabase, openOwnerDatabase } from '#libs/database/pool.ts';
import { ConfigurationError } from '#libs/runtime/config.ts';
import { servingSchema } from '#libs/verify/rebuild/shadow-schema.ts';

export interface OwnedDatabase {
  /** Logs in as the owner of the tables. */
  readonly ownerUrl: string;
  /** Logs in as the services do. */
  readonly servicesUrl: string;
}

export interface CellDatabaseAddresses {
  /** Of the home database: logs in as the owner of the tables. */
  readonly databaseUrl: string;
  /** Of the home database: logs in as the services do. */
  readonly servicesDatabaseUrl: string;
  /** Of the further databases, by name. */
  readonly partitionDatabases?: ReadonlyMap<string, OwnedDatabase>;
}

export interface CellDatabase {
  /** Undefined for the home database. */
  readonly name: string | undefined;
  readonly number: number;
  readonly ownerUrl: string;
  readonly owner: Database;
  /** One connection, with the login of the services. */
  readonly services: Database;
}

/** The home database first. A database without tables is the home database of a cell with one. */
export type CellDatabases = readonly [CellDatabase, ...CellDatabase[]];

/** Closes them afterwards. */
export async function withCellDatabases<T>(
  addresses: CellDatabaseAddresses,
  purpose: string,
  work: (databases: CellDatabases) => Promise<T>,
): Promise<T> {
  const pools: ReturnType<typeof openOwnerDatabase>[] = [];
  const open = (name: string | undefined, number: number, { ownerUrl, servicesUrl }: OwnedDatabase): CellDatabase => {
    const owner = openOwnerDatabase({ url: ownerUrl, name: purpose }, servingSchema);
    const services = openDatabase({ url: servicesUrl, name: purpose, connections: 1 });
    pools.push(owner, services);
    return { name, number, ownerUrl, owner, services };
  };
  try {
    const { databaseUrl: ownerUrl, servicesDatabaseUrl: servicesUrl, partitionDatabases } = addresses;
    const home = open(undefined, 0, { ownerUrl, servicesUrl });
    const named = await readNamedDatabases(home.owner);
    const others = named.map(({ name, number }) => {
      const address = partitionDatabases?.get(name);
      if (address === undefined) throw missingAddress(name);
      return open(name, number, address);
    });
    if (named.length > 0)
      await checkIdentities(
        home.owner,
        named.map((each, at) => [each, (others[at] as CellDatabase).owner] as const),
      );
    return await work([home, ...others]);
  } finally {
    await Promise.all(pools.map((pool) => pool.end()));
  }
}

export function missingAddress(name: string): ConfigurationError {
  return new ConfigurationError([
    `PARTITION_DATABASE_URLS has no address of the database ${name}; add it, and that of its owner to PARTITION_DATABASE_OWNER_URLS`,
  ]);
}
