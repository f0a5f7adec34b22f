/** The Prometheus metrics of a process. */
import cluster from 'node:cluster';
import { AggregatorRegistry, collectDefaultMetrics, Registry } from 'prom-client';

export const metrics = new Registry();

/** Labels every metric with the service and adds Node's own metrics. */
export function collectProcessMetrics(service: string): void {
  metrics.setDefaultLabels({ service });
  collectDefaultMetrics({ register: metrics });
  // A worker has no metrics port: it sends its metrics to its primary on request.
  AggregatorRegistry.setRegistries([metrics]);
  if (cluster.isWorker) new AggregatorRegistry();
}

/** The metrics of all workers of a primary, added up. */
export function workersMetrics(): () => Promise<string> {
  const aggregator = new AggregatorRegistry();
  return () => aggregator.clusterMetrics();
}
