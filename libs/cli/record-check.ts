/** Records the result of a check where the services export it, so that an alert says when it finds something or does not run. */
import { type CheckName, recordCheckResult } from '#libs/database/check-results.ts';
import { openPool } from '#libs/database/pool.ts';
import { readConfig } from '#libs/runtime/config.ts';
import { backingSettings, ownerUrlSetting } from '#libs/runtime/connection-settings.ts';

export async function recordCheck(name: CheckName, findings: number): Promise<void> {
  const { databaseUrl, owner } = readConfig(process.env, {
    databaseUrl: backingSettings.databaseUrl,
    owner: ownerUrlSetting,
  });
  const database = openPool(
    { url: owner ?? databaseUrl, name: 'record-check', connections: 1, requiresPrimary: true },
    { jit: 'off' },
  );
  try {
    await recordCheckResult(database, name, findings);
  } finally {
    await database.end();
  }
}
