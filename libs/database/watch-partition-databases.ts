/** Health and metrics of the databases beside the home database. What is on one that does not answer is unavailable. */
import type { Health } from '#libs/runtime/health.ts';
import type { Lifecycle } from '#libs/runtime/lifecycle.ts';
import { openHealthConnection } from './health-connection.ts';
import { urlOf } from './open-partition-databases.ts';
import type { PartitionDatabases } from './partition-databases.ts';
import { pollDatabase } from './poll-database.ts';

export interface WatchOptions {
  readonly databases: PartitionDatabases;
  readonly urls: () => ReadonlyMap<string, string>;
  /** Shown in pg_stat_activity, before the name of the database. */
  readonly instance: string;
  readonly expectedStandbys: number;
  readonly health: Pick<Health, 'addCheck'>;
  readonly lifecycle: Pick<Lifecycle, 'onStop'>;
}

/** The service stays ready without one of them: it serves the others. */
export function watchPartitionDatabases({ databases, urls, instance, ...options }: WatchOptions): void {
  const { expectedStandbys, health, lifecycle } = options;
  for (const pool of databases.all) {
    const name = databases.nameOf(pool);
    if (name === undefined) continue;
    const database = openHealthConnection({ url: urlOf(name, urls), name: `${instance} ${name}`, lifecycle });
    pollDatabase({ database, expectedStandbys, name });
    health.addCheck(`postgres ${name}`, () => database.query('SELECT 1'), 'nothing');
  }
}
