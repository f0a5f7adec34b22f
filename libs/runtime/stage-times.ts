/** Measures how long the stages of a process take, for Prometheus. */
import { Histogram } from 'prom-client';
import { metrics } from './metrics-registry.ts';

const boundsSeconds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

export type MeasureStage<Stage extends string> = <Result>(stage: Stage, work: () => Promise<Result>) => Promise<Result>;

/** Stages that fail are measured too: a timeout belongs to the time that callers wait. */
export function stageTimes<const Stage extends string>(
  { name, help }: { readonly name: string; readonly help: string },
  stages: readonly Stage[],
): MeasureStage<Stage> {
  const histogram = new Histogram({ name, help, labelNames: ['stage'], buckets: boundsSeconds, registers: [metrics] });
  const byStage = Object.fromEntries(stages.map((stage) => [stage, histogram.labels(stage)]));
  return async (stage, work) => {
    const from = performance.now();
    try {
      return await work();
    } finally {
      byStage[stage]?.observe((performance.now() - from) / 1_000);
    }
  };
}
