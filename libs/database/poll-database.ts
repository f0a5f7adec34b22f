/** What only Postgres knows, asked every five seconds, for Prometheus. Without its answer the last figure stays. */
import { Gauge } from 'prom-client';
import { metrics } from '#libs/runtime/metrics-registry.ts';
import { type Database, query } from './database.ts';

const intervalMs = 5_000;

interface Row {
  readonly now: number;
  readonly standbys: number;
}

export function pollDatabase(database: Database): void {
  const standbys = new Gauge({
    name: 'lending_database_standbys',
    help: 'Servers that receive the log of Postgres.',
    registers: [metrics],
    aggregator: 'min',
  });
  const offset = new Gauge({
    name: 'lending_clock_offset_seconds',
    help: 'Difference between the clock of the process and that of Postgres.',
    registers: [metrics],
    aggregator: 'max',
  });
  const poll = async (): Promise<void> => {
    const before = Date.now();
    const [row] = await query<Row>(
      database,
      'poll_database',
      `SELECT extract(epoch FROM clock_timestamp())::float8 AS now,
         (SELECT count(*)::integer FROM pg_stat_replication) AS standbys`,
      [],
    );
    if (row === undefined) return;
    standbys.set(row.standbys);
    offset.set(Math.abs((before + Date.now()) / 2_000 - row.now));
  };
  const start = (): void => void poll().catch(() => undefined);
  start();
  setInterval(start, intervalMs).unref();
}
