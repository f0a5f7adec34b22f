/** Reaches Postgres for health checks and metrics, which must not wait behind the statements of callers. */
import type { UrlSource } from '#libs/runtime/follow-setting.ts';
import type { Lifecycle } from '#libs/runtime/lifecycle.ts';
import type { Database } from './database.ts';
import { openDatabase } from './pool.ts';

const maxHoldMs = 2_500;

interface HealthConnectionOptions {
  readonly url: UrlSource;
  /** Shown in pg_stat_activity. */
  readonly name: string;
  readonly lifecycle: Pick<Lifecycle, 'onStop'>;
}

export function openHealthConnection({ url, name, lifecycle }: HealthConnectionOptions): Database {
  const database = openDatabase({ url, name, connections: 1, maxHoldMs });
  lifecycle.onStop('health connection', () => database.end());
  return database;
}
