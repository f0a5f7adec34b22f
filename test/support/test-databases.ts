/** The databases of the cell that a test runs against: what is stored of a book is found on any number of them. */
import type { OwnedDatabase } from '#libs/cli/cell-databases.ts';
import { type Database, query } from '#libs/database/database.ts';
import { openDatabasesOf } from '#libs/database/open-partition-databases.ts';
import type { PartitionDatabases } from '#libs/database/partition-databases.ts';
import { type DatabaseOptions, openDatabase, openOwnerDatabase, openReadOnlyDatabase } from '#libs/database/pool.ts';
import { servingSchema } from '#libs/verify/rebuild/shadow-schema.ts';
import type { TestEnvironment } from './tenant.ts';

const openAs = {
  services: openDatabase,
  audit: openReadOnlyDatabase,
  owner: (options: DatabaseOptions): Database => openOwnerDatabase(options, servingSchema),
};

interface OpenOptions {
  readonly name: string;
  /** To each database. */
  readonly connections?: number;
  /** Whose rights the sessions have. */
  readonly as?: keyof typeof openAs;
}

export interface OpenedDatabases {
  readonly databases: PartitionDatabases;
  close(): Promise<void>;
}

export async function openTestDatabases(
  { stack }: TestEnvironment,
  { name, connections = 2, as = 'services' }: OpenOptions,
): Promise<OpenedDatabases> {
  const pools: Database[] = [];
  const open = (url: DatabaseOptions['url']): Database => {
    const pool = openAs[as]({ url, name, connections });
    pools.push(pool);
    return pool;
  };
  const urlOf = ({ ownerUrl, servicesUrl }: OwnedDatabase): string => (as === 'owner' ? ownerUrl : servicesUrl);
  const further = stack.partitionDatabases ?? new Map<string, OwnedDatabase>();
  const urls = new Map([...further].map(([name, addresses]) => [name, urlOf(addresses)]));
  const home = open(urlOf({ ownerUrl: stack.databaseUrl, servicesUrl: stack.servicesDatabaseUrl }));
  const databases = await openDatabasesOf(home, { urls: () => urls, open });
  return {
    databases,
    async close() {
      await Promise.all(pools.map((pool) => pool.end()));
    },
  };
}

/** The rows of all databases. */
export async function queryAll<Row>(
  databases: PartitionDatabases,
  name: string,
  text: string,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  return (await databases.readAll((database) => query<Row>(database, name, text, values))).flat();
}
