/** Deletes expired sessions, links, challenges and counts of attempts, in the background of every instance. */
import type { Database } from '#libs/database/database.ts';
import { deleteExpired } from '#libs/people/delete-expired.ts';
import type { Lifecycle } from '#libs/runtime/lifecycle.ts';
import type { Logger } from '#libs/runtime/logging.ts';

const intervalMs = 10 * 60_000;

export function deleteExpiredInBackground(database: Database, logger: Logger, lifecycle: Lifecycle): void {
  const run = (): Promise<void> =>
    deleteExpired(database).catch((err: unknown) => {
      logger.warn({ event: 'console.expired_not_deleted', err }, 'failed to delete expired rows; trying again');
    });
  let running = run();
  const timer = setInterval(() => {
    running = running.then(run);
  }, intervalMs);
  lifecycle.onStop('expired_rows', async () => {
    clearInterval(timer);
    await running;
  });
}
