/** The Prometheus metrics of a process. */
import cluster from 'node:cluster';
import { AggregatorRegistry, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { readBuild } from './build.ts';
import type { Health } from './health.ts';

export const metrics = new Registry();

/** Labels every metric with the service and adds Node's own metrics. */
export function collectProcessMetrics(service: string): void {
  metrics.setDefaultLabels({ service });
  collectDefaultMetrics({ register: metrics });
  reportBuild();
  // A worker has no metrics port: it sends its metrics to its primary on request.
  AggregatorRegistry.setRegistries([metrics]);
  if (cluster.isWorker) new AggregatorRegistry();
}

function reportBuild(): void {
  new Gauge({
    name: 'lending_build_info',
    help: 'Always 1: the version and the commit of the service, and the version of Node are in its labels. Without a commit outside an image.',
    labelNames: ['version', 'commit', 'node'],
    registers: [metrics],
    aggregator: 'first',
  }).set({ ...readBuild(), node: process.version }, 1);
}

/** What `/readyz` reports as degraded, for alerts: the service goes on, but its reserve is gone. */
export function reportDegradation(health: Health): void {
  new Gauge({
    name: 'lending_dependency_degraded',
    help: '1 while a dependency that is not needed to serve requests does not answer, otherwise 0.',
    labelNames: ['dependency'],
    registers: [metrics],
    // One worker that lacks it is enough.
    aggregator: 'max',
    async collect() {
      const { degraded } = await health.readiness();
      for (const dependency of health.optionalDependencies) this.set({ dependency }, 0);
      for (const { name } of degraded) this.set({ dependency: name }, 1);
    },
  });
}

/** What `/readyz` answers: load balancers send nothing to an instance that is not ready, so no request of it fails. */
export function reportReadiness(health: Health): void {
  new Gauge({
    name: 'lending_ready',
    help: '1 while `/readyz` answers 200, otherwise 0.',
    registers: [metrics],
    // A gateway with several workers needs all of them.
    aggregator: 'min',
    async collect() {
      const { status } = await health.readiness();
      this.set(status === 'ready' ? 1 : 0);
    },
  });
}

/** The metrics of all workers of a primary, added up. */
export function workersMetrics(): () => Promise<string> {
  const aggregator = new AggregatorRegistry();
  return () => aggregator.clusterMetrics();
}
