/** Where books are found, for Prometheus. */
import { Counter } from 'prom-client';
import { metrics } from '#libs/runtime/metrics-registry.ts';

export type BookLayer = 'memory' | 'redis' | 'postgres';

const reads = new Counter({
  name: 'lending_book_reads_total',
  help: 'Books read, by the layer that had them: memory, redis or postgres.',
  labelNames: ['layer'],
  registers: [metrics],
});

export function countBookReads(layer: BookLayer, count = 1): void {
  if (count > 0) reads.inc({ layer }, count);
}
