/** Folds all books once, in as many threads as the machine has cores. */
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { FoldShare } from './fold-books.ts';

/** With more threads Postgres becomes the bottleneck. */
const maxThreads = 8;

export class FoldPool {
  readonly #threads: readonly Worker[];

  /** Starts the threads early: they load their modules while the topic is read. */
  constructor(ownerUrl: string) {
    const count = Math.min(availableParallelism(), maxThreads);
    const script = new URL('./fold-thread.ts', import.meta.url);
    this.#threads = Array.from({ length: count }, (_, index) => {
      const share: FoldShare = { index, count };
      return new Worker(script, { workerData: { ownerUrl, share } });
    });
  }

  /** Can be called once. Rejects when a thread fails. `onFolded` is called with the number of facts of each part. */
  async fold(onFolded: (facts: number) => void): Promise<void> {
    const exits = this.#threads.map((thread) => once(thread, 'exit'));
    for (const thread of this.#threads) {
      thread.on('message', onFolded);
      thread.postMessage('fold');
    }
    await Promise.all(exits);
  }

  async stop(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.terminate()));
  }
}
