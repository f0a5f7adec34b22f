/**
 * Replaces the serving tables by the shadow tables in one transaction. Every commit of a processor first updates
 * `partitions`, so while that table is locked nothing is committed and both sides can be compared completely. Commits that
 * waited continue in the new tables.
 */
import type { Database, Queryable } from '#libs/database/database.ts';
import { query } from '#libs/database/database.ts';
import { RebuildError } from './rebuild-error.ts';
import { servingSchema, shadowSchema } from './shadow-schema.ts';

export interface CutoverOptions {
  readonly owner: Database;
  /** Tables that cannot be built from facts (secrets, outcomes, parked submissions); copied unchanged. */
  readonly copiedTables: readonly string[];
  /** Called while commits are blocked: whether the shadow tables contain these last events and equal the serving tables. */
  readonly isCaughtUp: (lastEvents: ReadonlyMap<number, number>, transaction: Queryable) => Promise<boolean>;
}

/** Commits queue behind the waiting lock: long enough for those in progress, short for callers. */
const lockTimeout = '1s';
const lockNotAvailable = '55P03';

/** The schema that holds the previous tables now; undefined if nothing was changed and it can be tried again. */
export async function cutOver({ owner, copiedTables, isCaughtUp }: CutoverOptions): Promise<string | undefined> {
  const transaction = await owner.connect();
  try {
    await transaction.query('BEGIN');
    await transaction.query(`SET LOCAL lock_timeout = '${lockTimeout}'`);
    await transaction.query('SET LOCAL synchronous_commit = on');
    await transaction.query(`LOCK TABLE ${servingSchema}.partitions IN EXCLUSIVE MODE`);
    for (const table of copiedTables)
      await transaction.query(`LOCK TABLE ${servingSchema}."${table}" IN SHARE ROW EXCLUSIVE MODE`);
    if (!(await isCaughtUp(await readLastEvents(transaction), transaction))) {
      await transaction.query('ROLLBACK');
      return undefined;
    }
    await requireTopicNotAhead(transaction);
    await copyTables(transaction, copiedTables);
    await setRevisions(transaction, shadowSchema);
    const previousSchema = await switchSchemas(transaction);
    await transaction.query('COMMIT');
    return previousSchema;
  } catch (cause) {
    await transaction.query('ROLLBACK').catch(() => undefined);
    if ((cause as { code?: string }).code === lockNotAvailable) return undefined;
    throw cause;
  } finally {
    transaction.release();
  }
}

/**
 * The positions of the serving partitions are copied: behind the rebuilt facts they would give the next facts numbers that
 * are taken. An event is published after its commit, so a topic that is ahead means that the serving database lost facts.
 */
export async function requireTopicNotAhead(database: Queryable): Promise<void> {
  const text = `SELECT p.partition, p.next_event - 1 AS committed, n.last
    FROM ${servingSchema}.partitions p CROSS JOIN LATERAL (
      SELECT max(f.event_number) AS last FROM ${shadowSchema}.facts f WHERE f.partition = p.partition) n
    WHERE n.last >= p.next_event ORDER BY p.partition LIMIT 1`;
  const rows = await query<{ partition: number; committed: number; last: number }>(database, 'topic_ahead', text, []);
  const [ahead] = rows;
  if (ahead === undefined) return;
  const { partition, committed, last } = ahead;
  throw new RebuildError(
    `partition ${partition} has ${last} events in the topic and ${committed} in the database: the database was set back, or a ` +
      'processor recorded facts on the empty one that replaces a lost one. Stop all processors. A restored database: run ' +
      '`lending reconcile`. An empty one: empty it, run `lending prepare`, and use `lending rebuild --lost` again',
  );
}

async function readLastEvents(transaction: Queryable): Promise<Map<number, number>> {
  const text = `SELECT partition, next_event FROM ${servingSchema}.partitions`;
  const rows = await query<{ partition: number; next_event: number }>(transaction, 'serving_partitions', text, []);
  return new Map(rows.map(({ partition, next_event }) => [partition, next_event - 1]));
}

const reservations = 'reserved_references';

/** Copies what no fact describes, and the partitions with their epochs: processors keep them. */
async function copyTables(transaction: Queryable, tables: readonly string[]): Promise<void> {
  for (const table of [...tables, 'partitions']) {
    if (table === reservations) continue;
    await transaction.query(`DELETE FROM ${shadowSchema}."${table}"`);
    await transaction.query(`INSERT INTO ${shadowSchema}."${table}" SELECT * FROM ${servingSchema}."${table}"`);
  }
  // Not copied: it has a row for each reference of the cell, and commits wait.
  await transaction.query(`DROP TABLE ${shadowSchema}.${reservations}`);
  await transaction.query(`ALTER TABLE ${servingSchema}.${reservations} SET SCHEMA ${shadowSchema}`);
  // A book may be parked before its first fact.
  await transaction.query(`
    INSERT INTO ${shadowSchema}.books AS n SELECT * FROM ${servingSchema}.books WHERE parked
    ON CONFLICT (tenant_id, book_id) DO UPDATE SET parked = true`);
}

/** A revision that no service has read yet makes them read all keys and Tenancies of the schema again. */
export async function setRevisions(transaction: Queryable, schema: string): Promise<void> {
  await transaction.query(`
    WITH revised AS (SELECT ${nextRevision(servingSchema)} AS revision),
    t AS (UPDATE ${schema}.tenancies SET revision = (SELECT revision FROM revised))
    UPDATE ${schema}.keys SET revision = (SELECT revision FROM revised)`);
}

/** An expression in SQL: above those of all rows that are or were in the tables of the schema. */
export function nextRevision(schema: string): string {
  return `1 + greatest(0, (SELECT max(revision) FROM ${schema}.tenancies), (SELECT max(revision) FROM ${schema}.keys),
    (SELECT number FROM ${schema}.removed_numbers WHERE tenant_id = '' AND name = 'revision'))`;
}

/** Returns the new name of the previous schema, which stays until an operator drops it. */
export async function switchSchemas(transaction: Queryable): Promise<string> {
  const { rows } = await transaction.query(
    "SELECT 'before_' || to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYYMMDD_HH24MISS') AS name",
  );
  const { name } = rows[0] as { name: string };
  await transaction.query(`ALTER SCHEMA ${servingSchema} RENAME TO ${name}`);
  await transaction.query(`ALTER SCHEMA ${shadowSchema} RENAME TO ${servingSchema}`);
  return name;
}
