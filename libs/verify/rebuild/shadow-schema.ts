/** The shadow schema: new tables in the same database, created by the same migrations, and divided by partition. */
import { type Database, inTransaction, type Queryable, query } from '#libs/database/database.ts';
import { divideTables } from '#libs/database/divide-tables.ts';
import { migrateSchema } from '#libs/database/migrate.ts';

/** Holds the new tables. */
export const shadowSchema = 'rebuilt';
/** Holds the serving tables. */
export const servingSchema = 'public';

/** Drops what an interrupted rebuild left behind. `owner` uses the shadow schema. */
export async function createShadowTables(owner: Database, ownerUrl: string, partitionCount: number): Promise<void> {
  await owner.query(`DROP SCHEMA IF EXISTS ${shadowSchema} CASCADE`);
  await migrateSchema(ownerUrl, shadowSchema);
  // The migrations grant the use of the serving schema only. Their grants on tables hold in any schema.
  await owner.query(`GRANT USAGE ON SCHEMA ${shadowSchema} TO PUBLIC, lending_service`);
  await inTransaction(owner, (transaction) => divideTables(transaction, partitionCount));
}

/** Tables that the ingest only inserts into. A duplicate row is detected when their indexes are created. */
const ingestedTables = [
  'facts',
  'request_evidence',
  'submission_references',
  'reference_hashes',
  'feed',
  'loans',
  'listed_records',
];

/** Creating an index once is faster than updating it row by row. The returned function creates them again. */
export async function dropIndexes(owner: Database): Promise<() => Promise<void>> {
  const constraints = await query<{ table: string; name: string; definition: string }>(
    owner,
    'constraints_of',
    `SELECT t.relname AS table, c.conname AS name, pg_get_constraintdef(c.oid) AS definition
     FROM pg_constraint c JOIN pg_class t ON t.oid = c.conrelid
     WHERE c.connamespace = $1::regnamespace AND c.contype IN ('p', 'u') AND t.relname = ANY ($2::text[])`,
    [shadowSchema, ingestedTables],
  );
  for (const { table, name } of constraints)
    await owner.query(`ALTER TABLE ${shadowSchema}.${table} DROP CONSTRAINT "${name}"`);
  const indexes = await query<{ name: string; definition: string }>(
    owner,
    'indexes_of',
    // The index of a divided table is made with those of its partitions.
    `SELECT indexname AS name, replace(indexdef, ' ON ONLY ', ' ON ') AS definition FROM pg_indexes
     WHERE schemaname = $1 AND tablename = ANY ($2::text[])`,
    [shadowSchema, ingestedTables],
  );
  for (const { name } of indexes) await owner.query(`DROP INDEX ${shadowSchema}."${name}"`);
  return async () => {
    await Promise.all(
      constraints.map(({ table, name, definition }) =>
        owner.query(`ALTER TABLE ${shadowSchema}.${table} ADD CONSTRAINT "${name}" ${definition}`),
      ),
    );
    await Promise.all(indexes.map(({ definition }) => owner.query(definition)));
  };
}

/** New tables have no statistics for the query planner. */
export async function analyzeTables(owner: Database): Promise<void> {
  for (const table of derivedTables) await owner.query(`ANALYZE ${shadowSchema}.${table}`);
}

/** Those that are in this database. */
export async function servingPartitions(owner: Queryable): Promise<ReadonlySet<number>> {
  const text = `SELECT partition FROM ${servingSchema}.partitions p WHERE NOT EXISTS (
    SELECT FROM ${servingSchema}.partition_placement l WHERE l.partition = p.partition)`;
  const rows = await query<{ partition: number }>(owner, 'partitions_to_rebuild', text, []);
  return new Set(rows.map(({ partition }) => partition));
}

/** Whether the serving tables contain facts; undefined if there are no tables. */
export async function hasFacts(owner: Queryable): Promise<boolean | undefined> {
  const [row] = await query<{ has_table: boolean }>(
    owner,
    'has_table',
    `SELECT to_regclass('${servingSchema}.facts') IS NOT NULL AS has_table`,
    [],
  );
  if (row?.has_table !== true) return undefined;
  const text = `SELECT EXISTS (SELECT 1 FROM ${servingSchema}.facts) AS has_facts`;
  return (await query<{ has_facts: boolean }>(owner, 'has_facts', text, []))[0]?.has_facts === true;
}

/** Rows can be copied and compared only between tables of the same migrations. */
export async function hasSameMigrations(owner: Database): Promise<boolean> {
  const text = `SELECT NOT EXISTS (SELECT 1 FROM ${servingSchema}.migrations o FULL JOIN ${shadowSchema}.migrations n USING (name)
    WHERE o.name IS NULL OR n.name IS NULL) AS is_same`;
  return (await query<{ is_same: boolean }>(owner, 'has_same_migrations', text, []))[0]?.is_same === true;
}

/** Tables that follow from the facts. All other tables are copied. */
const derivedTables = [
  'migrations',
  'partitions',
  'books',
  'facts',
  'request_evidence',
  'request_bodies',
  'submission_references',
  'reference_hashes',
  'snapshots',
  'feed',
  'loans',
  'listed_records',
  'tenancies',
  'keys',
  'configurations',
  'due_spans',
];

/** Tables that no fact describes: secrets, pending verdicts, outcomes under Idempotency-Keys. */
export async function tablesToCopy(owner: Database): Promise<string[]> {
  const text = `SELECT tablename FROM pg_tables WHERE schemaname = $1 AND tablename <> ALL ($2::text[])
    AND NOT (SELECT relispartition FROM pg_class WHERE oid = format('%I.%I', schemaname, tablename)::regclass) ORDER BY 1`;
  const rows = await query<{ tablename: string }>(owner, 'tables_taken_over', text, [servingSchema, derivedTables]);
  return rows.map(({ tablename }) => tablename);
}
