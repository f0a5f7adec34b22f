/** Tests, benchmarks and fuzz runs delete the data of their cell: they refuse a cell of the environment that is not empty. */
import { Redis } from 'ioredis';
import type { BackingServiceAddresses } from '#deploy/dev/backing-services.ts';
import { findForeignData, noExpectedData } from '#deploy/dev/used-cell-check.ts';

const optInVariable = 'LENDING_TESTS_IN_USED_CELL';

export async function refuseUsedCell(addresses: BackingServiceAddresses, env = process.env): Promise<void> {
  if (env[optInVariable] === 'yes') return;
  const found = (await findForeignData(addresses, noExpectedData)) ?? (await findRedisKeys(addresses));
  if (found === undefined) return;
  throw new Error(
    `The environment names a cell that is in use: ${found}.\nTests delete, rewind and rebuild the data of their cell. Unset its variables to test in a new one, or set ${optInVariable}=yes to allow that.`,
  );
}

async function findRedisKeys({ sources, redisUrl }: BackingServiceAddresses): Promise<string | undefined> {
  if (sources.redis !== 'environment') return undefined;
  const redis = new Redis(redisUrl, { lazyConnect: true, retryStrategy: () => null });
  try {
    await redis.connect();
    const keys = await redis.dbsize();
    return keys > 0 ? `its Redis holds ${keys} keys` : undefined;
  } finally {
    redis.disconnect();
  }
}
