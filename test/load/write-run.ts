/** One run of the write benchmark: its responses, the CPU time of each process and the number of commits. */
import type { RunningServices } from '#deploy/dev/services.ts';
import type { BenchEnvironment } from './bench-environment.ts';
import { type LoadResult, runClosedLoop } from './closed-loop.ts';
import { Connection } from './connection.ts';
import { type CpuTimes, cpuTimesBetween, readCpuTimes } from './cpu-usage.ts';

/** Concurrent requests that give the highest throughput. */
export const maxConnections = 512;

/** More than a machine with two cores can process; requests are signed before the run. */
const maxPerSecond = { singleReceipts: 8_000, batchedReceipts: 25_000 };

export interface WriteLoad {
  readonly connectionCount: number;
  readonly receiptsPerRequest: number;
  readonly request: () => Buffer;
}

export interface WriteResult extends LoadResult {
  readonly cpu: CpuTimes;
  readonly commits: number;
}

export async function runWrites(
  { stack, services, port }: BenchEnvironment,
  { connectionCount, receiptsPerRequest, request }: WriteLoad,
  durationSeconds: number,
): Promise<WriteResult> {
  const perSecond = receiptsPerRequest === 1 ? maxPerSecond.singleReceipts : maxPerSecond.batchedReceipts;
  const requestsPerSecond = connectionCount === 1 ? 1_000 : perSecond / receiptsPerRequest;
  const requests = Array.from({ length: Math.ceil(requestsPerSecond * durationSeconds) }, request);
  const connections = await Promise.all(Array.from({ length: connectionCount }, () => Connection.open(port)));
  const before = { cpu: readCpuTimes(stack, services), commits: await readCommitCount(services) };
  let sent = 0;
  const nextRequest = (): Buffer | undefined => requests[sent++];
  const result = await runClosedLoop({ connections, durationMs: durationSeconds * 1_000, nextRequest });
  const cpu = cpuTimesBetween(before.cpu, readCpuTimes(stack, services));
  for (const connection of connections) connection.close();
  return { ...result, cpu, commits: (await readCommitCount(services)) - before.commits };
}

async function readCommitCount({ operations }: RunningServices): Promise<number> {
  const metrics = await (await fetch(`${operations.processor}/metrics`)).text();
  return Number(/^lending_batches_total\S* (\d+)$/m.exec(metrics)?.[1]);
}

/** Number of 2xx responses. */
export function succeeded({ statuses }: LoadResult): number {
  return Object.entries(statuses).reduce((sum, [status, count]) => sum + (status.startsWith('2') ? count : 0), 0);
}

export function receiptsPerSecond({ receiptsPerRequest }: WriteLoad, result: LoadResult): number {
  return (result.perSecond * succeeded(result) * receiptsPerRequest) / result.answered;
}
