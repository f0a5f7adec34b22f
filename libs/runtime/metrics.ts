/** Prometheus's figures of a process. */
import cluster from 'node:cluster';
import { AggregatorRegistry, collectDefaultMetrics, Registry } from 'prom-client';

export const metrics = new Registry();

/** Names the service in every figure, and adds what Node tells of itself. */
export function measureProcess(service: string): void {
  metrics.setDefaultLabels({ service });
  collectDefaultMetrics({ register: metrics });
  // A worker answers its primary, which alone has a port for figures.
  AggregatorRegistry.setRegistries([metrics]);
  if (cluster.isWorker) new AggregatorRegistry();
}

/** The figures of all workers of a primary as one. */
export function workersMetrics(): () => Promise<string> {
  const aggregator = new AggregatorRegistry();
  return () => aggregator.clusterMetrics();
}
