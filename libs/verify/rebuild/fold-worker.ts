/** Folds its share of the books when it is told to: folding is all computing, and a machine has more than one core. */
import { parentPort, workerData } from 'node:worker_threads';
import { openAsOwner } from '#libs/database/maintenance-pool.ts';
import { foldShare, type Share } from './folded-rows.ts';
import { beside } from './shadow-schema.ts';

const { ownerUrl, share } = workerData as { readonly ownerUrl: string; readonly share: Share };

parentPort?.once('message', async () => {
  const database = openAsOwner({ url: ownerUrl, name: 'rebuild', connections: 2 }, beside);
  await foldShare(database, share);
  await database.end();
});
