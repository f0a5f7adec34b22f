/** Shared parts of the commands that administer a cell. */
import type { Database } from '#libs/database/database.ts';
import { readConfig } from '#libs/runtime/config.ts';
import { backingSettings } from '#libs/runtime/connection-settings.ts';
import type { UrlSource } from '#libs/runtime/follow-setting.ts';
import { silentLogger } from '#libs/runtime/logging.ts';
import { isRefusal, type Refusal } from '#libs/schema/refusals.ts';
import type { Administration } from '#libs/submission/administration.ts';
import type { AdministrationReads } from '#libs/submission/administration-reads.ts';
import type { AdminOptions } from './commands/admin-options.ts';
import { printResult } from './output/print-result.ts';
import { withProgress } from './output/progress-line.ts';
import { AdministrationRefusedError } from './refused-error.ts';

/** Runs an administration command and prints its result. */
export async function administer(
  options: AdminOptions,
  work: (administration: Administration) => Promise<unknown>,
): Promise<void> {
  printResult(await withAdministration(work), options);
}

/** As `administer`, with the database alone: it works while Kafka is away, and starts sooner. */
export async function readAdministration(
  options: AdminOptions,
  work: (administration: AdministrationReads) => Promise<unknown>,
): Promise<void> {
  const { databaseUrl, partitionDatabaseUrls } = backingSettings;
  const addresses = readConfig(process.env, { databaseUrl, partitionDatabaseUrls });
  const { openDatabase } = await import('#libs/database/pool.ts');
  const { openDatabasesOf } = await import('#libs/database/open-partition-databases.ts');
  const { AdministrationReads } = await import('#libs/submission/administration-reads.ts');
  const pools: Database[] = [];
  const open = (url: UrlSource): Database => {
    const pool = openDatabase({ url, name: 'administration', connections: 1 });
    pools.push(pool);
    return pool;
  };
  try {
    const urls = () => addresses.partitionDatabaseUrls;
    const result = await withProgress('databases', async () =>
      work(new AdministrationReads(await openDatabasesOf(open(addresses.databaseUrl), { urls, open }))),
    );
    printResult(result, options);
  } finally {
    await Promise.all(pools.map((pool) => pool.end()));
  }
}

export async function withAdministration<Result>(
  work: (administration: Administration) => Promise<Result>,
): Promise<Result> {
  // The drivers take a while to load, and the commands of a caller do not need them.
  const { openAdministration } = await import('#libs/submission/open-submission-client.ts');
  // Failures are thrown and printed; the drivers' log of retries is not shown.
  const addresses = readConfig(process.env, backingSettings);
  return withProgress('answers', async () => {
    const { administration, close } = await openAdministration(addresses, silentLogger);
    try {
      return await work(administration);
    } finally {
      await close();
    }
  });
}

export function requireAdmitted<Result>(result: Result | Refusal): Result {
  if (isRefusal(result)) throw new AdministrationRefusedError(result);
  return result;
}
