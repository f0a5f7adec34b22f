/** Where a command replaces or repairs a database, readers must not get snapshots of the facts before. */
import { deleteCachedSnapshots } from '#libs/database/snapshot-cache.ts';
import { openToolRedis, waitUntilReady } from '#libs/redis/redis.ts';

export async function deleteSnapshots(redisUrl: string, print: (line: string) => void): Promise<void> {
  const redis = openToolRedis(redisUrl, 'delete-snapshots');
  try {
    if (await waitUntilReady(redis)) print(`${await deleteCachedSnapshots(redis)} snapshots deleted from Redis`);
    else print('Redis does not answer and may hold other snapshots; flush it before the services are started');
  } finally {
    redis.disconnect();
  }
}
