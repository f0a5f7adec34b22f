/** Counts and durations of requests for Prometheus. */
import { Counter, Histogram, type Registry } from 'prom-client';

const durationBoundsSeconds = [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2, 5];

export interface RequestSample {
  readonly route: string;
  readonly status: number;
  /** The refusal code, if any. */
  readonly code: string | undefined;
  readonly seconds: number;
}

export function requestMetrics(registry: Registry): (sample: RequestSample) => void {
  const registers = [registry];
  const requests = new Counter({
    name: 'lending_requests_total',
    help: 'Requests answered, by route, status and refusal code.',
    labelNames: ['route', 'status', 'code'],
    registers,
  });
  const durations = new Histogram({
    name: 'lending_request_seconds',
    help: 'Time from receiving the head of a request to its answer, in seconds.',
    labelNames: ['route'],
    buckets: durationBoundsSeconds,
    registers,
  });
  return ({ route, status, code = '', seconds }) => {
    requests.inc({ route, status, code });
    durations.observe({ route }, seconds);
  };
}
