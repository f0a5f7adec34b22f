/** Repairs that change positions run alone: a processor would commit beside them. */
import type { Database } from '#libs/database/database.ts';
import { type LockHolder, PublishingLocks } from '#libs/database/publishing-locks.ts';

export class RepairError extends Error {
  override readonly name = 'RepairError';
}

/** Every running processor holds the publishing locks of its partitions. They are held here while `work` runs. */
export async function withStoppedProcessors<T>(
  lockDatabase: Database,
  partitions: readonly number[],
  work: () => Promise<T>,
): Promise<T> {
  const locks = new PublishingLocks(lockDatabase);
  try {
    for (const partition of partitions) {
      if (!(await locks.acquire(partition))) throw runningProcessor(partition, await locks.findHolder(partition));
    }
    return await work();
  } finally {
    locks.close();
  }
}

/** A session outlives a host that is lost: Postgres notices it by its TCP keepalive, by default after two hours. */
function runningProcessor(partition: number, holder: LockHolder | undefined): RepairError {
  const running = `a processor is running: it publishes partition ${partition}`;
  if (holder === undefined) return new RepairError(`${running}; stop all processors first`);
  const { pid, applicationName, address } = holder;
  return new RepairError(
    `${running} with session ${pid} of ${applicationName} from ${address ?? 'a local socket'}. Stop all processors first. If the ` +
      `host of this session is lost, end the session as its login or as a superuser: SELECT pg_terminate_backend(${pid})`,
  );
}
