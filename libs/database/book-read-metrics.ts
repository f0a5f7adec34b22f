/** Where books are found, for Prometheus. */
import { Counter } from 'prom-client';
import { metrics } from '#libs/runtime/metrics-registry.ts';

export type BookLayer = 'memory' | 'redis' | 'standby' | 'postgres';

const reads = new Counter({
  name: 'lending_book_reads_total',
  help: 'Books read, by the layer that had them: memory, redis, standby or postgres.',
  labelNames: ['layer'],
  registers: [metrics],
});

export function countBookReads(layer: BookLayer, count = 1): void {
  if (count > 0) reads.inc({ layer }, count);
}

const fallbacks = new Counter({
  name: 'lending_standby_fallbacks_total',
  help: 'Books read from the primary because the standby was behind or unavailable.',
  labelNames: ['reason'],
  registers: [metrics],
});

export function countStandbyFallbacks(reason: 'behind' | 'unavailable', count: number): void {
  if (count > 0) fallbacks.inc({ reason }, count);
}
