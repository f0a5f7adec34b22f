/** The primary answers no caller: it keeps the workers there, adds up their figures and hands the signal on. */
import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { workersMetrics } from '#libs/process/metrics.ts';
import { runService, type Service } from '#libs/process/service.ts';

// A worker that falls at once, again and again, must not take the machine with it.
const restartAfterMs = 500;

export function runPrimary(processes: number): Promise<void> {
  return runService('gateway', (service) => keepWorkers(service, processes), workersMetrics());
}

async function keepWorkers(service: Service, processes: number): Promise<void> {
  const listening = new Set<Worker>();
  let phase: 'starting' | 'running' | 'stopping' = 'starting';

  cluster.on('listening', (worker) => void listening.add(worker));
  cluster.on('exit', (worker, code, signal) => {
    listening.delete(worker);
    if (phase === 'stopping') return;
    // It has said why: a start that fails is not tried again and again.
    if (phase === 'starting') process.exit(1);
    service.logger.error({ worker_pid: worker.process.pid, code, signal }, 'a worker ended; starting another');
    void sleep(restartAfterMs).then(() => {
      if (phase === 'running') cluster.fork();
    });
  });
  service.lifecycle.onStop('workers', () => {
    phase = 'stopping';
    return stopWorkers();
  });
  service.health.add('workers', async () => {
    if (listening.size < processes) throw new Error('not every worker listens');
  });

  const forked = Array.from({ length: processes }, () => cluster.fork());
  await Promise.all(forked.map((worker) => once(worker, 'listening')));
  phase = 'running';
}

async function stopWorkers(): Promise<void> {
  const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
  await Promise.all(
    workers.map(async (worker) => {
      const gone = once(worker, 'exit');
      worker.process.kill('SIGTERM');
      await gone;
    }),
  );
}
