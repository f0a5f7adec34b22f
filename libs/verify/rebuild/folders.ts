/** Every book folded once, by as many threads as there are cores. */
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';

/** What a thread folds waits for Postgres now and then; beyond this Postgres is what all of them wait for. */
const most = 8;

export class Folders {
  readonly #workers: readonly Worker[];

  /** Started early: what they load is loaded while the topic is read. */
  constructor(ownerUrl: string) {
    const of = Math.min(availableParallelism(), most);
    this.#workers = Array.from(
      { length: of },
      (_, nth) =>
        new Worker(new URL('./fold-worker.ts', import.meta.url), { workerData: { ownerUrl, share: { nth, of } } }),
    );
  }

  /** Once. Rejects where any of them fails. */
  async fold(): Promise<void> {
    const ended = this.#workers.map((worker) => once(worker, 'exit'));
    for (const worker of this.#workers) worker.postMessage('fold');
    await Promise.all(ended);
  }

  async stop(): Promise<void> {
    await Promise.all(this.#workers.map((worker) => worker.terminate()));
  }
}
