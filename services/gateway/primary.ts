/** The primary process serves no requests: it restarts workers, adds up their metrics and stops them. */
import cluster, { type Worker } from 'node:cluster';
import { setTimeout as sleep } from 'node:timers/promises';
import { workersMetrics } from '#libs/runtime/metrics-registry.ts';
import { runService, type Service } from '#libs/runtime/service.ts';
import { missingDependenciesOfWorkers, stopWorker, waitForWorkers } from '#libs/runtime/worker-messages.ts';

// A worker that fails repeatedly is restarted with growing delays.
const minRestartDelayMs = 500;
const maxRestartDelayMs = 30_000;
/** A worker that ran for so long resets the delay. */
const stableAfterMs = 10_000;

/** Set for a worker that is started while others listen. */
const othersListenVariable = 'GATEWAY_OTHERS_LISTEN';

/** In a worker: whether others listened when it was started. Then it opens its port only once it can serve. */
export function othersListen(): boolean {
  return process.env[othersListenVariable] === 'yes';
}

export function runPrimary(processes: number): Promise<void> {
  return runService('gateway', (service) => superviseWorkers(service, processes), workersMetrics());
}

async function superviseWorkers({ logger, lifecycle, health }: Service, processes: number): Promise<void> {
  const listening = new Set<Worker>();
  const startedAt = new Map<Worker, number>();
  let phase: 'starting' | 'running' | 'stopping' = 'starting';
  let restartDelayMs = minRestartDelayMs;

  cluster.on('fork', (worker) => void startedAt.set(worker, performance.now()));
  cluster.on('listening', (worker) => void listening.add(worker));
  cluster.on('exit', (worker, code, signal) => {
    listening.delete(worker);
    if (phase === 'stopping') return;
    // The worker has logged why it could not start; a failed start is not repeated.
    if (phase === 'starting' && signal === null) process.exit(1);
    if (performance.now() - (startedAt.get(worker) ?? 0) > stableAfterMs) restartDelayMs = minRestartDelayMs;
    startedAt.delete(worker);
    const fields = { worker_pid: worker.process.pid, code, signal };
    logger.error({ event: 'gateway.worker_exited', ...fields }, 'worker exited unexpectedly; starting another');
    void sleep(restartDelayMs).then(() => {
      if (phase !== 'stopping') cluster.fork(listening.size > 0 ? { [othersListenVariable]: 'yes' } : {});
    });
    restartDelayMs = Math.min(restartDelayMs * 2, maxRestartDelayMs);
  });
  lifecycle.onStop('workers', () => {
    phase = 'stopping';
    return stopWorkers();
  });
  const haveWorkers = (count: number) => async () => {
    if (listening.size < count) throw new Error(`${listening.size} of ${processes} workers are listening`);
  };
  health.addCheck('workers', haveWorkers(1));
  // One that failed waits for its restart; callers reach only those that listen.
  health.addCheck('all workers', haveWorkers(processes), 'starting');
  // Only the workers are connected to backing services.
  health.addSource(() => missingDependenciesOfWorkers([...listening]));

  for (let started = 0; started < processes; started += 1) cluster.fork();
  await waitForWorkers(processes);
  phase = 'running';
}

async function stopWorkers(): Promise<void> {
  const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
  const results = await Promise.allSettled(workers.map(stopWorker));
  const failures = results.filter((result) => result.status === 'rejected').map(({ reason }) => reason);
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} workers failed to stop`);
}
