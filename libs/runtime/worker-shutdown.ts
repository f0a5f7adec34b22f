/** How a primary ends its workers: by a word of its own, for a signal may have gone to the whole group already. */

import type { Worker } from 'node:cluster';
import { once } from 'node:events';

type End = { readonly lending: 'end' };

/** In a worker. One whose primary is gone is ended by Node. */
export function onToldToEnd(end: () => void): void {
  process.on('message', (message: End | undefined) => {
    if (message?.lending === 'end') end();
  });
}

/** In the primary: resolves when the worker is gone and rejects where it did not end well. */
export async function endWorker(worker: Worker): Promise<void> {
  if (worker.isDead()) return;
  const gone = once(worker, 'exit');
  // One that does not listen yet has accepted nothing and dies of the signal; one that does is deaf to it.
  worker.process.kill('SIGTERM');
  const word: End = { lending: 'end' };
  if (worker.isConnected()) worker.send(word, () => undefined);
  const [code, signal] = (await gone) as [number | null, string | null];
  if (code !== 0 && signal !== 'SIGTERM') {
    throw new Error(`worker ${worker.process.pid} ended with ${code === null ? signal : `code ${code}`}`);
  }
}
