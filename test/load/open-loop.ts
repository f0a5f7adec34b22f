/**
 * Load by independent callers: requests are sent at a fixed rate whether or not earlier ones were answered. Latency counts
 * from the moment a request was due to be sent.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { PipelinedConnection, type RawResponse } from './connection.ts';
import { type LatencyPercentiles, latencyPercentiles } from './latencies.ts';

export interface OpenLoopLoad {
  readonly port: number;
  readonly perSecond: number;
  /** Signed before the run, sent in this order. */
  readonly requests: readonly Buffer[];
  readonly onResponse?: (response: RawResponse) => void;
}

/** Percentiles are of the 2xx responses. */
export interface OpenLoopResult extends LatencyPercentiles {
  readonly perSecond: number;
  /** 2xx responses per second, from the first request to the last such response. */
  readonly succeededPerSecond: number;
  /** 2xx responses in each second in which requests were sent. */
  readonly succeededBySecond: readonly number[];
  /** Number of responses by status, with the code of a refusal. */
  readonly responseCounts: Readonly<Record<string, number>>;
  readonly unanswered: number;
}

const connectionCount = 2_048;
const sendIntervalMs = 2;
/** Several times the longest time the service waits for a verdict. Later responses count as missing. */
const responseTimeoutMs = 20_000;

export async function runOpenLoop({ port, perSecond, requests, onResponse }: OpenLoopLoad): Promise<OpenLoopResult> {
  const connections = await Promise.all(Array.from({ length: connectionCount }, () => PipelinedConnection.open(port)));
  const succeededBySecond: number[] = Array.from({ length: Math.round(requests.length / perSecond) }, () => 0);
  const latencies: number[] = [];
  const responseCounts: Record<string, number> = {};
  const start = performance.now();
  let lastSuccess = start;
  // A connection with a pending request is used only when no other is idle.
  const idle = [...connections];
  const send = (request: Buffer, index: number): void => {
    const dueAt = start + (index * 1_000) / perSecond;
    const connection = idle.pop() ?? (connections[index % connectionCount] as PipelinedConnection);
    connection.send(request, (response) => {
      if (connection.pending === 0) idle.push(connection);
      const now = performance.now();
      const kind = kindOf(response);
      responseCounts[kind] = (responseCounts[kind] ?? 0) + 1;
      if (isSuccess(response)) {
        latencies.push(now - dueAt);
        lastSuccess = now;
        const second = Math.floor((now - start) / 1_000);
        if (second < succeededBySecond.length) succeededBySecond[second] = (succeededBySecond[second] ?? 0) + 1;
      }
      onResponse?.(response);
    });
  };
  for (let sent = 0; sent < requests.length; await pause(sendIntervalMs)) {
    const due = Math.min(requests.length, ((performance.now() - start) * perSecond) / 1_000);
    for (; sent < due; sent += 1) send(requests[sent] as Buffer, sent);
  }
  const seconds = (performance.now() - start) / 1_000;
  const countPending = (): number => connections.reduce((sum, { pending }) => sum + pending, 0);
  const deadline = performance.now() + responseTimeoutMs;
  while (countPending() > 0 && performance.now() < deadline) await pause(20);
  const unanswered = countPending();
  for (const connection of connections) connection.close();
  return {
    ...latencyPercentiles(latencies),
    perSecond: requests.length / seconds,
    succeededPerSecond: (latencies.length * 1_000) / (lastSuccess - start),
    succeededBySecond,
    responseCounts,
    unanswered,
  };
}

/** Responses other than 2xx and missing responses, by kind. */
export function failuresOf(results: readonly OpenLoopResult[]): string {
  const counts: Record<string, number> = {};
  for (const { responseCounts, unanswered } of results) {
    const failures = Object.entries(responseCounts).filter(([kind]) => !kind.startsWith('2'));
    for (const [kind, count] of [...failures, ['not answered', unanswered] as const]) {
      counts[kind] = (counts[kind] ?? 0) + count;
    }
  }
  const nonZero = Object.entries(counts).filter(([, count]) => count > 0);
  return nonZero.map(([kind, count]) => `${count} x ${kind}`).join(', ') || 'none';
}

function isSuccess({ status }: RawResponse): boolean {
  return status >= 200 && status < 300;
}

function kindOf(response: RawResponse): string {
  const { status, body } = response;
  return isSuccess(response) ? String(status) : `${status} ${/"code":"(\w+)"/.exec(body)?.[1] ?? ''}`;
}
