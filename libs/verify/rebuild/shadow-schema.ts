/** The new tables, made beside the ones that serve: the same migrations in a schema of their own. */

import { type Database, query } from '#libs/database/database.ts';
import { migrateBeside } from '#libs/database/migrate.ts';

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

/** Only ever added to while the topic is taken in; a row that stands twice is found when they are built. */
const filled = ['facts', 'evidence', 'refs', 'feed', 'loans', 'listed'];

/** An index costs less built once over everything than kept up row by row. What was dropped is built by what is returned. */
export async function deferIndexes(owner: Database): Promise<() => Promise<void>> {
  const constraints = await query<{ table: string; name: string; definition: string }>(
    owner,
    'constraints_of',
    `SELECT t.relname AS table, c.conname AS name, pg_get_constraintdef(c.oid) AS definition
     FROM pg_constraint c JOIN pg_class t ON t.oid = c.conrelid
     WHERE c.connamespace = $1::regnamespace AND c.contype IN ('p', 'u') AND t.relname = ANY ($2::text[])`,
    [beside, filled],
  );
  for (const { table, name } of constraints)
    await owner.query(`ALTER TABLE ${beside}.${table} DROP CONSTRAINT "${name}"`);
  const indexes = await query<{ name: string; definition: string }>(
    owner,
    'indexes_of',
    'SELECT indexname AS name, indexdef AS definition FROM pg_indexes WHERE schemaname = $1 AND tablename = ANY ($2::text[])',
    [beside, filled],
  );
  for (const { name } of indexes) await owner.query(`DROP INDEX ${beside}."${name}"`);
  return async () => {
    await Promise.all(
      constraints.map(({ table, name, definition }) =>
        owner.query(`ALTER TABLE ${beside}.${table} ADD CONSTRAINT "${name}" ${definition}`),
      ),
    );
    await Promise.all(indexes.map(({ definition }) => owner.query(definition)));
  };
}

/** Tables this new have told the planner nothing yet. */
export async function gatherStatistics(owner: Database): Promise<void> {
  for (const table of derived) await owner.query(`ANALYZE ${beside}.${table}`);
}

/** Whether anything was ever recorded in the tables that serve, or undefined where there are none. */
export async function holdsFacts(owner: Database): Promise<boolean | undefined> {
  const [there] = await query<{ there: boolean }>(
    owner,
    'has_tables',
    `SELECT to_regclass('${serving}.facts') IS NOT NULL AS there`,
    [],
  );
  if (there?.there !== true) return undefined;
  const text = `SELECT EXISTS (SELECT 1 FROM ${serving}.facts) AS holds`;
  return (await query<{ holds: boolean }>(owner, 'holds_facts', text, []))[0]?.holds === true;
}

/** Whether the same migrations made both: rows are taken over and compared as they stand. */
export async function isOfOneAge(owner: Database): Promise<boolean> {
  const text = `SELECT NOT EXISTS (SELECT 1 FROM ${serving}.migrations o FULL JOIN ${beside}.migrations n USING (name)
    WHERE o.name IS NULL OR n.name IS NULL) AS same`;
  return (await query<{ same: boolean }>(owner, 'of_one_age', text, []))[0]?.same === true;
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
  const rows = await query<{ tablename: string }>(owner, 'tables_taken_over', text, [serving, derived]);
  return rows.map(({ tablename }) => tablename);
}
