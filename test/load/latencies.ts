/** Latency percentiles of a benchmark run. */

export interface LatencyPercentiles {
  readonly p50: number;
  readonly p99: number;
}

/** NaN for both when there are no durations. */
export function latencyPercentiles(durationsMs: readonly number[]): LatencyPercentiles {
  const sorted = durationsMs.toSorted((a, b) => a - b);
  return { p50: percentile(sorted, 0.5), p99: percentile(sorted, 0.99) };
}

export function percentile(sortedMs: readonly number[], share: number): number {
  return sortedMs[Math.min(sortedMs.length - 1, Math.floor(sortedMs.length * share))] ?? Number.NaN;
}

export function median(numbers: readonly number[]): number {
  return percentile(
    numbers.toSorted((a, b) => a - b),
    0.5,
  );
}
