/** How busy the connections to Postgres are, for Prometheus. */
import type { Pool } from 'pg';
import { Gauge } from 'prom-client';
import { metrics } from '#libs/runtime/metrics-registry.ts';

export function reportPool(pool: Pick<Pool, 'totalCount' | 'idleCount' | 'waitingCount'>): void {
  new Gauge({
    name: 'lending_database_connections',
    help: 'Connections to Postgres by state.',
    labelNames: ['state'],
    registers: [metrics],
    collect() {
      this.set({ state: 'idle' }, pool.idleCount);
      this.set({ state: 'busy' }, pool.totalCount - pool.idleCount);
    },
  });
  new Gauge({
    name: 'lending_database_waiting',
    help: 'Statements and transactions that wait for a connection to Postgres.',
    registers: [metrics],
    collect() {
      // A statement waits for its turn for a moment beside an idle connection.
      this.set(Math.max(pool.waitingCount - pool.idleCount, 0));
    },
  });
}
