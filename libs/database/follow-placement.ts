/** Notices that a partition was moved (decision 0090). */
import type { Lifecycle } from '#libs/runtime/lifecycle.ts';
import type { Logger } from '#libs/runtime/logging.ts';
import type { PartitionDatabases } from './partition-databases.ts';

/** `lending partition move` waits twice as long before the partition is used in its new database. */
export const placementIntervalMs = 500;
/** In a cell with one database, to which a further one may be added. */
const intervalsInOneDatabase = 10;

export function followPlacement(
  databases: PartitionDatabases,
  { logger, lifecycle }: { readonly logger: Pick<Logger, 'warn'>; readonly lifecycle: Pick<Lifecycle, 'onStop'> },
): void {
  let isFailing = false;
  let intervals = 0;
  const timer = setInterval(() => {
    intervals += 1;
    if (!databases.hasSeveral && intervals % intervalsInOneDatabase !== 0) return;
    databases.refresh().then(
      () => {
        isFailing = false;
      },
      (err: unknown) => {
        // The home database is watched by itself.
        if (!isFailing) logger.warn({ event: 'placement.not_read', err }, 'failed to read the placement; retrying');
        isFailing = true;
      },
    );
  }, placementIntervalMs);
  timer.unref();
  lifecycle.onStop('placement', async () => clearInterval(timer));
}
