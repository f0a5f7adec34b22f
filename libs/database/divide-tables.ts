/** The tables that hold the bulk of a store consist of a table for each partition (decision 0091). */
import type pg from 'pg';
import type { Queryable } from './database.ts';

/** In a cell that an earlier release prepared they are undivided until a rebuild. */
const dividedTables = ['facts', 'request_evidence'] as const;

/**
 * Divides the two tables, which must be empty. Each gets a table for every partition of the cell, wherever it lies: it may be
 * moved to any of its databases. All else about them stays as the migrations made it.
 */
export async function divideTables(transaction: Queryable, partitionCount: number): Promise<void> {
  const areDivided = await areTablesDivided(transaction);
  for (const table of dividedTables) {
    const { rowCount } = await transaction.query(`SELECT FROM ${table} LIMIT 1`);
    if (rowCount !== 0) throw new Error(`the table ${table} has rows, although no processor has used the partitions`);
    if (areDivided) await dropOtherPartitions(transaction, table, partitionCount);
    else await replaceTable(transaction, table);
  }
  for (let partition = 0; partition < partitionCount; partition += 1)
    await createPartitionTables(transaction, partition);
}

export async function createPartitionTables(transaction: Queryable | pg.Client, partition: number): Promise<void> {
  for (const table of dividedTables)
    await transaction.query(
      `CREATE TABLE IF NOT EXISTS ${table}_${partition} PARTITION OF ${table} FOR VALUES IN (${partition})`,
    );
}

export async function areTablesDivided(database: Queryable | pg.Client): Promise<boolean> {
  const { rowCount } = await database.query("SELECT FROM pg_class WHERE oid = 'facts'::regclass AND relkind = 'p'");
  return rowCount === 1;
}

/** The tables of the partition must be divided. Nothing may read or write the partition any more. */
export async function emptyPartitionTables(transaction: Queryable, partition: number): Promise<void> {
  await transaction.query(`TRUNCATE ${tablesOf(partition).join(', ')}`);
}

export function tablesOf(partition: number): string[] {
  return dividedTables.map((table) => `${table}_${partition}`);
}

/** The number of partitions may change until one is used. */
async function dropOtherPartitions(transaction: Queryable, table: string, partitionCount: number): Promise<void> {
  const text = `SELECT relname AS name FROM pg_inherits JOIN pg_class c ON c.oid = inhrelid WHERE inhparent = $1::regclass
    AND substring(relname FROM '[0-9]+$')::int >= $2`;
  const { rows } = await transaction.query<{ name: string }>(text, [table, partitionCount]);
  for (const { name } of rows) await transaction.query(`DROP TABLE ${name}`);
}

async function replaceTable(transaction: Queryable, table: string): Promise<void> {
  const former = `${table}_undivided`;
  const { comment, views, keys, indexes, grants, others } = await readParts(transaction, table);
  if (others.length > 0) throw new Error(`the table ${table} has what cannot be divided: ${others.join(', ')}`);
  await transaction.query(`ALTER TABLE ${table} RENAME TO ${former}`);
  await transaction.query(
    `CREATE TABLE ${table} (LIKE ${former} INCLUDING ALL EXCLUDING INDEXES) PARTITION BY LIST (partition)`,
  );
  for (const statement of views) await transaction.query(statement);
  await transaction.query(`DROP TABLE ${former}`);
  for (const statement of [...keys, ...indexes, ...grants]) await transaction.query(statement);
  await transaction.query(`COMMENT ON TABLE ${table} IS ${comment}`);
}

/** A literal, and statements that create the rest. */
interface TableParts {
  readonly comment: string;
  readonly views: readonly string[];
  readonly keys: readonly string[];
  readonly indexes: readonly string[];
  readonly grants: readonly string[];
  /** Names of triggers and foreign keys: no table that is divided has any. */
  readonly others: readonly string[];
}

/** A key of a divided table must contain the partition: it comes first where it was not in the key. */
async function readParts(transaction: Queryable, table: string): Promise<TableParts> {
  const text = `
    SELECT quote_literal(obj_description(t.oid, 'pg_class')) AS comment,
      array(SELECT DISTINCT format('CREATE OR REPLACE VIEW %s AS %s', r.ev_class::regclass, pg_get_viewdef(r.ev_class))
        FROM pg_depend d JOIN pg_rewrite r ON r.oid = d.objid
        WHERE d.classid = 'pg_rewrite'::regclass AND d.refclassid = 'pg_class'::regclass AND d.refobjid = t.oid) AS views,
      array(SELECT format('ALTER TABLE %I ADD CONSTRAINT %I %s', t.relname, c.conname,
          regexp_replace(pg_get_constraintdef(c.oid), '\\((?!.*\\mpartition\\M)', '(partition, '))
        FROM pg_constraint c WHERE c.conrelid = t.oid AND c.contype IN ('p', 'u')) AS keys,
      array(SELECT replace(pg_get_indexdef(i.indexrelid), ' ON ONLY ', ' ON ') FROM pg_index i WHERE i.indrelid = t.oid
        AND NOT EXISTS (SELECT FROM pg_constraint c WHERE c.conindid = i.indexrelid)) AS indexes,
      array(SELECT format('GRANT %s ON %I TO %I', a.privilege_type, t.relname, a.grantee::regrole::text)
        FROM aclexplode(t.relacl) a WHERE a.grantee NOT IN (0, t.relowner)) AS grants,
      array(SELECT tgname::text FROM pg_trigger WHERE tgrelid = t.oid
        UNION SELECT conname::text FROM pg_constraint WHERE contype = 'f' AND t.oid IN (conrelid, confrelid)) AS others
    FROM pg_class t WHERE t.oid = $1::regclass`;
  const { rows } = await transaction.query<TableParts>(text, [table]);
  const [parts] = rows;
  if (parts === undefined) throw new Error(`there is no table ${table}`);
  return parts;
}
