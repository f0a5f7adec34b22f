/** Messages between a cluster primary and its workers: started, readiness, stop. */
import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import type { Health, MissingDependency, Readiness } from './health.ts';

type WorkerMessage =
  | { readonly lending: 'started' }
  | { readonly lending: 'ready'; readonly questionId: number; readonly missing: MissingDependencies };
type MissingDependencies = Pick<Readiness, 'not_ready' | 'degraded'>;
type PrimaryMessage = { readonly lending: 'ready?'; readonly questionId: number } | { readonly lending: 'stop' };

/** In a worker: everything it needs was opened. */
export function reportStarted(): void {
  process.send?.({ lending: 'started' } satisfies WorkerMessage);
}

/** In the primary: resolves when so many workers have started. */
export function waitForWorkers(count: number): Promise<void> {
  let started = 0;
  return new Promise((resolve) => {
    cluster.on('message', (_worker, message?: WorkerMessage) => {
      if (message?.lending === 'started') started += 1;
      if (started === count) resolve();
    });
  });
}

/** In a worker: answers the primary's questions. */
export function answerReadinessQuestions(health: Health): void {
  process.on('message', (message?: PrimaryMessage) => {
    if (message?.lending !== 'ready?') return;
    const { questionId } = message;
    void health.readiness().then(({ not_ready, degraded }) => {
      const missing = { not_ready, degraded };
      // The primary may have ended by now.
      if (process.connected) process.send?.({ lending: 'ready', questionId, missing } satisfies WorkerMessage);
    });
  });
}

/** Longer than the timeout of a worker's own checks, so that a check that hangs is named by the worker. */
const answerTimeoutMs = 2_000;

/** In the primary: what any worker is missing, each dependency once. A worker that does not answer is itself missing. */
export async function missingDependenciesOfWorkers(workers: readonly Worker[]): Promise<MissingDependencies> {
  const answers = await Promise.all(workers.map(missingDependenciesOf));
  return {
    not_ready: uniqueByName(answers.flatMap((answer) => answer.not_ready)),
    degraded: uniqueByName(answers.flatMap((answer) => answer.degraded)),
  };
}

function uniqueByName(missing: readonly MissingDependency[]): MissingDependency[] {
  return [...new Map(missing.map((dependency) => [dependency.name, dependency])).values()];
}

let questionCount = 0;

function missingDependenciesOf(worker: Worker): Promise<MissingDependencies> {
  questionCount += 1;
  const questionId = questionCount;
  return new Promise((resolve) => {
    const settle = (missing: MissingDependencies): void => {
      clearTimeout(timer);
      worker.off('message', onMessage);
      resolve(missing);
    };
    const onMessage = (message?: WorkerMessage): void => {
      if (message?.lending === 'ready' && message.questionId === questionId) settle(message.missing);
    };
    const unresponsive = {
      not_ready: [{ name: 'workers', reason: `${worker.process.pid} does not answer` }],
      degraded: [],
    };
    const timer = setTimeout(() => settle(unresponsive), answerTimeoutMs);
    worker.on('message', onMessage);
    if (!worker.isConnected()) return settle(unresponsive);
    const question: PrimaryMessage = { lending: 'ready?', questionId };
    worker.send(question, (error) => error !== null && settle(unresponsive));
  });
}

/** In a worker. When the primary has ended, Node ends the worker. */
export function onStopMessage(stop: () => void): void {
  process.on('message', (message?: PrimaryMessage) => {
    if (message?.lending === 'stop') stop();
  });
}

/** In the primary: resolves when the worker has exited, rejects where it failed. */
export async function stopWorker(worker: Worker): Promise<void> {
  if (worker.isDead()) return;
  const exited = once(worker, 'exit');
  // A worker that is still loading has accepted nothing and ends on the signal; a running one ignores it and gets the
  // message. A message is needed because a signal of the terminal reaches the whole process group.
  worker.process.kill('SIGTERM');
  const stop: PrimaryMessage = { lending: 'stop' };
  if (worker.isConnected()) worker.send(stop, () => undefined);
  const [code, signal] = (await exited) as [number | null, string | null];
  if (code !== 0 && signal !== 'SIGTERM') {
    throw new Error(`worker ${worker.process.pid} exited with ${code === null ? signal : `status ${code}`}`);
  }
}
