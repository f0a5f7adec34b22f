/** Opens the databases of a cell as its placement names them. */
import { ConfigurationError } from '#libs/runtime/config.ts';
import { waitForDependency } from '#libs/runtime/dependency.ts';
import type { UrlSource } from '#libs/runtime/follow-setting.ts';
import type { Lifecycle } from '#libs/runtime/lifecycle.ts';
import type { Logger } from '#libs/runtime/logging.ts';
import type { Database } from './database.ts';
import { followPlacement } from './follow-placement.ts';
import { checkIdentities, PartitionDatabases, readPlacement } from './partition-databases.ts';
import type { NamedDatabase } from './placement-view.ts';
import { waitForMigrationsIfReachable } from './required-migrations.ts';

export interface DatabaseSource {
  /** By name, at the time of the call. */
  readonly urls: () => ReadonlyMap<string, string>;
  /** A pool like that of the home database. */
  readonly open: (url: UrlSource) => Database;
}

export interface PartitionDatabaseOptions extends DatabaseSource {
  readonly home: Database;
  readonly logger: Pick<Logger, 'warn'>;
  readonly lifecycle: Pick<Lifecycle, 'onStop'>;
}

/**
 * Waits until the home database is prepared. The others need not answer: what is on them is unavailable meanwhile. They are
 * closed with the service.
 */
export async function openPartitionDatabases(options: PartitionDatabaseOptions): Promise<PartitionDatabases> {
  const { home, urls, logger, lifecycle } = options;
  const open = (url: UrlSource): Database => {
    const pool = options.open(url);
    lifecycle.onStop('postgres', () => pool.end());
    return pool;
  };
  const openAll = () => openDatabasesOf(home, { urls, open });
  const databases = await waitForDependency('the placement of partitions', openAll, logger);
  for (const database of databases.all) {
    if (database !== home) await waitForMigrationsIfReachable(database, logger);
  }
  followPlacement(databases, { logger, lifecycle });
  return databases;
}

/** For a command, which does not wait. */
export async function openDatabasesOf(home: Database, { urls, open }: DatabaseSource): Promise<PartitionDatabases> {
  const named: [NamedDatabase, Database][] = [];
  const databases = new PartitionDatabases(home, await readPlacement(home), (database) => {
    const pool = open(urlOf(database.name, urls));
    named.push([database, pool]);
    return pool;
  });
  if (named.length > 0) await checkIdentities(home, named);
  return databases;
}

/** Throws where the setting does not name the database. */
export function urlOf(name: string, urls: () => ReadonlyMap<string, string>): UrlSource {
  const current = (): string => {
    const url = urls().get(name);
    if (url !== undefined) return url;
    const problem = `PARTITION_DATABASE_URLS has no address of the database ${name}, on which partitions are placed; add it`;
    throw new ConfigurationError([problem]);
  };
  current();
  return Object.assign(current, { setting: `PARTITION_DATABASE_URLS ${name}` });
}
