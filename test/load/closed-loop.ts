/** Load by callers that wait: each connection sends its next request when the last one is answered. */
import type { Connection } from './connection.ts';
import { type LatencyPercentiles, latencyPercentiles } from './latencies.ts';

export interface LoadResult extends LatencyPercentiles {
  readonly connections: number;
  readonly answered: number;
  readonly perSecond: number;
  /** Number of responses by status. */
  readonly statuses: Readonly<Record<string, number>>;
}

export interface ClosedLoopLoad {
  readonly connections: readonly Connection[];
  readonly durationMs: number;
  /** The next request, or undefined when there are no more. */
  readonly nextRequest: () => Buffer | undefined;
}

export async function runClosedLoop({ connections, durationMs, nextRequest }: ClosedLoopLoad): Promise<LoadResult> {
  const latencies: number[] = [];
  const statuses: Record<string, number> = {};
  const start = performance.now();
  const end = start + durationMs;
  await Promise.all(
    connections.map(async (connection) => {
      for (let sentAt = performance.now(); sentAt < end; ) {
        const request = nextRequest();
        if (request === undefined) return;
        const { status } = await connection.send(request);
        const now = performance.now();
        latencies.push(now - sentAt);
        sentAt = now;
        statuses[status] = (statuses[status] ?? 0) + 1;
      }
    }),
  );
  const seconds = (performance.now() - start) / 1_000;
  return {
    ...latencyPercentiles(latencies),
    connections: connections.length,
    answered: latencies.length,
    perSecond: latencies.length / seconds,
    statuses,
  };
}
