/** What only Postgres knows, asked every five seconds, for Prometheus. While it does not answer, no figure is exported. */
import { Gauge } from 'prom-client';
import { metrics } from '#libs/runtime/metrics-registry.ts';
import type { Database } from './database.ts';
import { readServerStatus } from './server-status.ts';

const intervalMs = 5_000;

export function pollDatabase(database: Database, expectedStandbys: number): void {
  const expected = new Gauge({
    name: 'lending_database_standbys_expected',
    help: 'Standbys that Postgres should have (`DATABASE_STANDBYS`).',
    registers: [metrics],
    aggregator: 'max',
  });
  expected.set(expectedStandbys);
  const standbys = new Gauge({
    name: 'lending_database_standbys',
    help: 'Standbys that receive the log of Postgres.',
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
    const status = await readServerStatus(database);
    offset.set(Math.abs((before + Date.now()) / 2_000 - status.nowSeconds));
    standbys.set(status.standbys);
  };
  const forget = (): void => {
    for (const gauge of [standbys, offset]) gauge.remove();
  };
  forget();
  const start = (): void => void poll().catch(forget);
  start();
  setInterval(start, intervalMs).unref();
}
