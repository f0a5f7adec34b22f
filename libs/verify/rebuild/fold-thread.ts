/** A thread of FoldPool: folds its share of the books when it receives a message. */
import { parentPort, workerData } from 'node:worker_threads';
import { openOwnerDatabase } from '#libs/database/pool.ts';
import { type FoldShare, foldShare } from './fold-books.ts';
import { shadowSchema } from './shadow-schema.ts';

const { ownerUrl, share } = workerData as { readonly ownerUrl: string; readonly share: FoldShare };

parentPort?.once('message', async () => {
  const database = openOwnerDatabase({ url: ownerUrl, name: 'rebuild', connections: 2 }, shadowSchema);
  await foldShare(database, share, (facts) => parentPort?.postMessage(facts));
  await database.end();
});
