/** The primary answers no caller: it keeps the workers there, adds up their figures and tells them to end. */
import cluster, { type Worker } from 'node:cluster';
import { setTimeout as sleep } from 'node:timers/promises';
import { workersMetrics } from '#libs/runtime/metrics.ts';
import { runService, type Service } from '#libs/runtime/service.ts';
import { stopWorker, missingDependenciesOfWorkers, waitForWorkers } from '#libs/runtime/worker-messages.ts';

// A worker that falls at once, again and again, must not take the machine with it: each time it is left for longer.
const shortestPauseMs = 500;
const longestPauseMs = 30_000;
const livedWellMs = 10_000;

export function runPrimary(processes: number): Promise<void> {
  return runService('gateway', (service) => keepWorkers(service, processes), workersMetrics());
}

async function keepWorkers(service: Service, processes: number): Promise<void> {
  const listening = new Set<Worker>();
  let phase: 'starting' | 'running' | 'stopping' = 'starting';
  const forkedAt = new Map<Worker, number>();
  let pauseMs = shortestPauseMs;

  cluster.on('fork', (worker) => void forkedAt.set(worker, performance.now()));
  cluster.on('listening', (worker) => void listening.add(worker));
  cluster.on('exit', (worker, code, signal) => {
    listening.delete(worker);
    if (phase === 'stopping') return;
    // It has said why: a start that fails is not tried again and again.
    if (phase === 'starting' && signal === null) process.exit(1);
    if (performance.now() - (forkedAt.get(worker) ?? 0) > livedWellMs) pauseMs = shortestPauseMs;
    forkedAt.delete(worker);
    service.logger.error(
      { event: 'gateway.worker_exited', worker_pid: worker.process.pid, code, signal },
      'a worker ended; starting another',
    );
    void sleep(pauseMs).then(() => {
      if (phase !== 'stopping') cluster.fork();
    });
    pauseMs = Math.min(pauseMs * 2, longestPauseMs);
  });
  service.lifecycle.onStop('workers', () => {
    phase = 'stopping';
    return stopWorkers();
  });
  service.health.addCheck('workers', async () => {
    if (listening.size < processes) throw new Error('not every worker listens');
  });
  // They stand on the backing services, not the primary: what they lack is lacking here.
  service.health.addSource(() => missingDependenciesOfWorkers([...listening]));

  for (let nth = 0; nth < processes; nth++) cluster.fork();
  await waitForWorkers(processes);
  phase = 'running';
}

async function stopWorkers(): Promise<void> {
  const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
  const failed = (await Promise.allSettled(workers.map(stopWorker))).filter((one) => one.status === 'rejected');
  if (failed.length > 0) throw new AggregateError(failed.map(({ reason }) => reason));
}
