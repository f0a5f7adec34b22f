/** Repairs that change positions run alone: a processor would commit beside them. */
import type { Database } from '#libs/database/database.ts';
import { PublishingLocks } from '#libs/database/publishing-locks.ts';
import { allPartitions } from '#libs/kafka/book-key-partition.ts';

export class RepairError extends Error {
  override readonly name = 'RepairError';
}

/** Every running processor holds the publishing locks of its partitions. They are held here while `work` runs. */
export async function withStoppedProcessors<T>(lockDatabase: Database, work: () => Promise<T>): Promise<T> {
  const locks = new PublishingLocks(lockDatabase);
  try {
    for (const partition of allPartitions) {
      if (!(await locks.acquire(partition)))
        throw new RepairError(`a processor is running: it publishes partition ${partition}; stop all processors first`);
    }
    return await work();
  } finally {
    locks.close();
  }
}
