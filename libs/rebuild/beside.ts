/** The new tables, made beside the ones that serve: the same migrations in a schema of their own. */

import { ask, type Database } from '#libs/store/database.ts';
import { migrateBeside } from '#libs/store/migrate.ts';

/** Where the new tables are made. */
export const beside = 'rebuilt';
/** Where those stand that serve. */
export const serving = 'public';

/** What a rebuild that was broken off left behind goes first. */
export async function makeTables(owner: Database, ownerUrl: string): Promise<void> {
  await owner.query(`DROP SCHEMA IF EXISTS ${beside} CASCADE`);
  await migrateBeside(ownerUrl, beside);
  // The migrations name the schema that serves where they let the services in.
  await owner.query(`GRANT USAGE ON SCHEMA ${beside} TO PUBLIC, lending_service`);
  await owner.query(`GRANT SELECT ON ALL TABLES IN SCHEMA ${beside} TO lending_service`);
}

/** Tables this new have told the planner nothing yet. */
export async function gatherStatistics(owner: Database): Promise<void> {
  for (const table of derived) await owner.query(`ANALYZE ${beside}.${table}`);
}

/** Whether anything was ever recorded in the tables that serve, or undefined where there are none. */
export async function holdsFacts(owner: Database): Promise<boolean | undefined> {
  const [there] = await ask<{ there: boolean }>(
    owner,
    'has_tables',
    `SELECT to_regclass('${serving}.facts') IS NOT NULL AS there`,
    [],
  );
  if (there?.there !== true) return undefined;
  const text = `SELECT EXISTS (SELECT 1 FROM ${serving}.facts) AS holds`;
  return (await ask<{ holds: boolean }>(owner, 'holds_facts', text, []))[0]?.holds === true;
}

/** What follows the facts; every other table is taken over as it stands. */
const derived = [
  'migrations',
  'partitions',
  'books',
  'facts',
  'evidence',
  'refs',
  'snapshots',
  'counters',
  'feed',
  'loans',
  'listed',
  'tenancies',
  'keys',
  'configurations',
  'due_spans',
];

/** The tables that no fact says anything of: secrets, verdicts on their way, outcomes under idempotency keys. */
export async function tablesTakenOver(owner: Database): Promise<string[]> {
  const text = 'SELECT tablename FROM pg_tables WHERE schemaname = $1 AND tablename <> ALL ($2::text[]) ORDER BY 1';
  const rows = await ask<{ tablename: string }>(owner, 'tables_taken_over', text, [serving, derived]);
  return rows.map(({ tablename }) => tablename);
}
