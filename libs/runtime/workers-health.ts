/** What the workers of a primary lack, told by themselves: the primary holds no line to any backing service. */
import cluster, { type Worker } from 'node:cluster';
import type { Health, Missing } from './health.ts';

type Question = { readonly lending: 'ready?'; readonly asked: number };
type Told = { readonly lending: 'ready'; readonly asked: number; readonly missing: readonly Missing[] };

type Started = { readonly lending: 'started' };

/** In a worker: everything it needs was there once. */
export function tellStarted(): void {
  const started: Started = { lending: 'started' };
  process.send?.(started);
}

/** In the primary: that many workers have said so. */
export function untilStarted(many: number): Promise<void> {
  let started = 0;
  return new Promise((resolve) => {
    cluster.on('message', (_worker, message: Started | undefined) => {
      if (message?.lending === 'started') started += 1;
      if (started === many) resolve();
    });
  });
}

/** In a worker: answers whenever the primary asks. */
export function tellPrimary(health: Health): void {
  process.on('message', (message: Question | undefined) => {
    if (message?.lending !== 'ready?') return;
    void health.ready().then(({ not_ready: missing }) => {
      const told: Told = { lending: 'ready', asked: message.asked, missing };
      // A primary that is gone has nobody left to tell.
      if (process.connected) process.send?.(told);
    });
  });
}

/** Longer than a worker gives its own checks: what hangs is named by the worker, not the worker by us. */
const patienceMs = 2_000;

/** In the primary: what any of the workers lacks, each thing once; a worker that does not answer is itself missing. */
export async function askWorkers(workers: readonly Worker[]): Promise<Missing[]> {
  const told = await Promise.all(workers.map(askWorker));
  const byName = new Map(told.flat().map((missing) => [missing.name, missing]));
  return [...byName.values()];
}

let questions = 0;

function askWorker(worker: Worker): Promise<readonly Missing[]> {
  questions += 1;
  const asked = questions;
  return new Promise((resolve) => {
    const settle = (missing: readonly Missing[]): void => {
      clearTimeout(timer);
      worker.off('message', hear);
      resolve(missing);
    };
    const hear = (message: Told | undefined): void => {
      if (message?.lending === 'ready' && message.asked === asked) settle(message.missing);
    };
    const silent = [{ name: 'workers', reason: `${worker.process.pid} does not answer` }];
    const timer = setTimeout(() => settle(silent), patienceMs);
    worker.on('message', hear);
    if (!worker.isConnected()) return settle(silent);
    const question: Question = { lending: 'ready?', asked };
    worker.send(question, (failed) => failed !== null && settle(silent));
  });
}
