/** Describes the tables, views, indexes, functions, triggers and grants of a database schema as text, in an order that never varies. */
import { type Queryable, query } from '../database.ts';

/** The services' role: what it may do is part of the schema. */
const serviceRole = 'lending_service';

/** node-pg-migrate's own table. */
const migrationsTable = 'migrations';

/** Leaves out initial rows, the tables of single partitions, and the compression of `snapshots.data`, which depends on how the server was built. */
export async function describeSchema(database: Queryable, schema = 'public'): Promise<string> {
  const tables = await query<TableRow>(database, 'schema_tables', tablesSql, [schema, migrationsTable]);
  const columns = await query<ColumnRow>(database, 'schema_columns', columnsSql, [schema]);
  const constraints = await query<DefinitionRow>(database, 'schema_constraints', constraintsSql, [schema]);
  const indexes = await query<DefinitionRow>(database, 'schema_indexes', indexesSql, [schema]);
  const views = await query<ViewRow>(database, 'schema_views', viewsSql, [schema]);
  const functions = await query<DefinitionRow>(database, 'schema_functions', functionsSql, [schema]);
  const triggers = await query<DefinitionRow>(database, 'schema_triggers', triggersSql, [schema]);
  const types = await query<DefinitionRow>(database, 'schema_types', typesSql, [schema]);
  const grants = await query<GrantRow>(database, 'schema_grants', grantsSql, [schema, serviceRole, migrationsTable]);
  const sections = [
    ...types.map(({ definition }) => definition),
    ...tables.map((table) => tableText(table, columns, constraints, indexes)),
    ...views.map(viewText),
    ...functions.map(({ definition }) => `${definition.trim()};`),
    ...triggers.map(({ definition }) => `${definition};`),
    grants.map(({ privileges, object }) => `GRANT ${privileges} ON ${object} TO ${serviceRole};`).join('\n'),
  ];
  return `${sections.join('\n\n')}\n`.replaceAll(`${schema}.`, '');
}

interface TableRow {
  readonly name: string;
  readonly comment: string | null;
  readonly options: string | null;
  /** Of a table that is divided. */
  readonly partition_key: string | null;
}

interface ViewRow {
  readonly name: string;
  readonly definition: string;
  readonly comment: string | null;
}

interface ColumnRow {
  readonly owner: string;
  readonly definition: string;
  readonly comment: string | null;
}

interface DefinitionRow {
  readonly owner: string;
  readonly definition: string;
}

interface GrantRow {
  readonly object: string;
  readonly privileges: string;
}

function tableText(
  { name, comment, options, partition_key }: TableRow,
  columns: readonly ColumnRow[],
  constraints: readonly DefinitionRow[],
  indexes: readonly DefinitionRow[],
): string {
  const isOwn = ({ owner }: { readonly owner: string }): boolean => owner === name;
  const members = [...columns, ...constraints].filter(isOwn).map(({ definition }) => `  ${definition}`);
  const comments = columns
    .filter(isOwn)
    .filter((column) => column.comment !== null)
    .map(
      ({ definition, comment: text }) => `COMMENT ON COLUMN ${name}.${definition.split(' ')[0]} IS ${quoted(text)};`,
    );
  return [
    `CREATE TABLE ${name} (\n${members.join(',\n')}\n)${partition_key === null ? '' : ` PARTITION BY ${partition_key}`}${options === null ? '' : ` WITH (${options})`};`,
    ...(comment === null ? [] : [`COMMENT ON TABLE ${name} IS ${quoted(comment)};`]),
    ...comments,
    ...indexes.filter(isOwn).map(({ definition }) => `${definition};`),
  ].join('\n');
}

function viewText({ name, definition, comment }: ViewRow): string {
  const statement = `CREATE VIEW ${name} AS\n${definition}`;
  return comment === null ? statement : `${statement}\nCOMMENT ON VIEW ${name} IS ${quoted(comment)};`;
}

function quoted(text: string | null): string {
  return `'${(text ?? '').replaceAll("'", "''")}'`;
}

const tablesSql = `
  SELECT c.relname AS name, obj_description(c.oid, 'pg_class') AS comment, array_to_string(c.reloptions, ', ') AS options,
    pg_get_partkeydef(c.oid) AS partition_key
  FROM pg_class c WHERE c.relnamespace = $1::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relname <> $2
  ORDER BY c.relname`;

const viewsSql = `
  SELECT c.relname AS name, pg_get_viewdef(c.oid, true) AS definition, obj_description(c.oid, 'pg_class') AS comment
  FROM pg_class c WHERE c.relnamespace = $1::regnamespace AND c.relkind = 'v' ORDER BY c.relname`;

const columnsSql = `
  SELECT c.relname AS owner, col_description(c.oid, a.attnum) AS comment,
    concat_ws(' ', quote_ident(a.attname), format_type(a.atttypid, a.atttypmod),
      CASE WHEN a.attnotnull THEN 'NOT NULL' END, 'DEFAULT ' || pg_get_expr(d.adbin, d.adrelid)) AS definition
  FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
  LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
  WHERE c.relnamespace = $1::regnamespace AND c.relkind IN ('r', 'p') AND a.attnum > 0 AND NOT a.attisdropped
  ORDER BY c.relname, a.attnum`;

/** NOT NULL belongs to its column; newer servers list it as a constraint as well. */
const constraintsSql = `
  SELECT t.relname AS owner, 'CONSTRAINT ' || quote_ident(c.conname) || ' ' || pg_get_constraintdef(c.oid) AS definition
  FROM pg_constraint c JOIN pg_class t ON t.oid = c.conrelid
  WHERE c.connamespace = $1::regnamespace AND c.contype IN ('p', 'u', 'f', 'c') ORDER BY t.relname, c.contype DESC, c.conname`;

/** Without those that a constraint made. */
const indexesSql = `
  SELECT i.tablename AS owner, replace(i.indexdef, ' ON ONLY ', ' ON ') AS definition FROM pg_indexes i
  WHERE i.schemaname = $1 AND NOT EXISTS (SELECT 1 FROM pg_constraint c
    WHERE c.connamespace = $1::regnamespace AND c.conname = i.indexname)
  ORDER BY i.tablename, i.indexname`;

const functionsSql = `
  SELECT '' AS owner, pg_get_functiondef(p.oid) AS definition FROM pg_proc p
  WHERE p.pronamespace = $1::regnamespace ORDER BY p.proname, pg_get_function_identity_arguments(p.oid) COLLATE "C"`;

const triggersSql = `
  SELECT c.relname AS owner, pg_get_triggerdef(t.oid) AS definition FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
  WHERE c.relnamespace = $1::regnamespace AND NOT t.tgisinternal ORDER BY c.relname, t.tgname`;

/** Composite types that were declared, without the row types of the tables. */
const typesSql = `
  SELECT '' AS owner, 'CREATE TYPE ' || quote_ident(t.typname) || ' AS (' || E'\\n' || string_agg('  ' ||
    quote_ident(a.attname) || ' ' || format_type(a.atttypid, a.atttypmod), E',\\n' ORDER BY a.attnum) || E'\\n);' AS definition
  FROM pg_type t JOIN pg_class c ON c.oid = t.typrelid AND c.relkind = 'c' JOIN pg_attribute a ON a.attrelid = c.oid
  WHERE t.typnamespace = $1::regnamespace GROUP BY t.typname ORDER BY t.typname`;

const grantsSql = `
  SELECT object, string_agg(privilege, ', ' ORDER BY privilege COLLATE "C") AS privileges FROM (
    SELECT 'TABLE ' || c.relname AS object, g.privilege_type AS privilege, 2 AS place, g.grantee
      FROM pg_class c CROSS JOIN LATERAL aclexplode(c.relacl) g
      WHERE c.relnamespace = $1::regnamespace AND c.relkind IN ('r', 'p', 'v') AND c.relname <> $3
    UNION ALL
    SELECT 'SCHEMA ' || n.nspname, g.privilege_type, 1, g.grantee
      FROM pg_namespace n CROSS JOIN LATERAL aclexplode(n.nspacl) g WHERE n.oid = $1::regnamespace
    UNION ALL
    SELECT 'FUNCTION ' || p.proname, g.privilege_type, 3, g.grantee
      FROM pg_proc p CROSS JOIN LATERAL aclexplode(p.proacl) g WHERE p.pronamespace = $1::regnamespace
  ) granted JOIN pg_roles r ON r.oid = granted.grantee WHERE r.rolname = $2
  GROUP BY place, object ORDER BY place, object COLLATE "C"`;
