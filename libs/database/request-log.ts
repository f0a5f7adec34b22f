/** The table of answered requests: written in batches and counted by key, searched by the Tenancy, deleted after thirty days. */
import { msPerDay } from '#libs/calendar/civil-day.ts';
import type { Moment } from '#libs/calendar/moment.ts';
import { type Database, type Queryable, query, queryTimed, type StageTimer } from './database.ts';
import { microsecondsPerHour } from './key-usage.ts';

/** One answered request, without its body. */
export interface LoggedRequest {
  readonly request_id: string;
  readonly received_at: Moment;
  readonly duration_us: number;
  readonly caller_request_id: string | null;
  readonly fp: string;
  readonly method: string;
  /** Null where no route matched the path. */
  readonly route: string | null;
  readonly status: number;
  /** The refusal code, if any. */
  readonly code: string | null;
  /** The beginning of path and query. Null, like all of the following, where an older release logged the request. */
  readonly target: string | null;
  readonly contract_version: string | null;
  /** The member of the request that the refusal is about, if any. */
  readonly field: string | null;
  readonly queue_us: number | null;
  readonly conn_us: number | null;
  readonly db_us: number | null;
  readonly derive_us: number | null;
  readonly submit_us: number | null;
}

export type RequestLogEntry = LoggedRequest & { readonly tenant_id: string };

/** Adds the requests to the counts of their keys. An entry that is sent again is neither stored nor counted again. */
export async function insertRequests(database: Queryable, entries: readonly RequestLogEntry[]): Promise<void> {
  // Rows of several keys are locked in one order, so that instances which write at the same time do not deadlock.
  const text = `WITH logged AS (
      INSERT INTO operations.request_log
      SELECT * FROM json_populate_recordset(NULL::operations.request_log, $1) ON CONFLICT DO NOTHING
      RETURNING tenant_id, fp, received_at)
    INSERT INTO operations.key_usage AS usage (tenant_id, fp, hour, requests, last_received_at)
    SELECT tenant_id, fp, received_at / ${microsecondsPerHour} AS hour, count(*), max(received_at) FROM logged
    GROUP BY tenant_id, fp, hour ORDER BY tenant_id, fp, hour
    ON CONFLICT (tenant_id, fp, hour) DO UPDATE SET requests = usage.requests + excluded.requests,
      last_received_at = greatest(usage.last_received_at, excluded.last_received_at)`;
  await query(database, 'insert_requests', text, [JSON.stringify(entries)]);
}

export interface RequestLogQuery {
  readonly tenantId: string;
  readonly filters: RequestFilters;
  /** Days since 1970 in UTC. */
  readonly day?: number;
  /** Requests before this one, newest first. */
  readonly before?: string;
  readonly limit: number;
}

const filterColumns = ['request_id', 'caller_request_id', 'fp', 'method', 'route', 'status', 'code', 'target'] as const;
type FilterColumn = (typeof filterColumns)[number];

export type RequestFilters = { readonly [Column in FilterColumn]?: LoggedRequest[Column] | undefined };

export interface RequestLogPage {
  readonly requests: readonly LoggedRequest[];
  /** `before` of the next page; absent at the end. */
  readonly next?: string;
}

/** Rows examined for each row of a page, where a filter has no index. */
const examinedPerRow = 100;
const indexedColumns: ReadonlySet<string> = new Set(['request_id', 'caller_request_id']);

interface PageRow {
  readonly requests: readonly LoggedRequest[] | null;
  readonly examined: number;
  readonly examined_to: string | null;
}

/** A page may be short: a limited number of rows is examined where a filter has no index. */
export async function readRequests(
  database: Database,
  timer: StageTimer,
  { tenantId, filters, day, before, limit }: RequestLogQuery,
): Promise<RequestLogPage> {
  const stated = filterColumns.flatMap((column) => {
    const value = filters[column];
    return value === undefined ? [] : [[column, value] as const];
  });
  const conditions = stated.map(([column], index) => {
    const value = `$${6 + index}`;
    return { column, sql: column === 'target' ? `strpos(target, ${value}) > 0` : `${column} = ${value}` };
  });
  const indexed = conditions.filter(({ column }) => indexedColumns.has(column));
  const unindexed = conditions.filter(({ column }) => !indexedColumns.has(column));
  const maxExamined = unindexed.length === 0 ? limit + 1 : limit * examinedPerRow;
  const [from, to] =
    day === undefined ? [idAt(0), idAt(maxTimestampMs)] : [idAt(day * msPerDay), idAt((day + 1) * msPerDay)];
  const text = `
    WITH examined AS (
      SELECT * FROM operations.request_log
      WHERE tenant_id = $1 AND request_id >= $2 AND request_id < $3 ${indexed.map(({ sql }) => `AND ${sql}`).join(' ')}
      ORDER BY request_id DESC LIMIT $4),
    matching AS (
      SELECT * FROM examined ${unindexed.map(({ sql }, index) => `${index === 0 ? 'WHERE' : 'AND'} ${sql}`).join(' ')}
      ORDER BY request_id DESC LIMIT $5)
    SELECT (SELECT count(*)::integer FROM examined) AS examined, (SELECT min(request_id::text) FROM examined) AS examined_to,
      (SELECT json_agg(row_to_json(m) ORDER BY m.request_id DESC) FROM matching m) AS requests`;
  // Postgres compares the first 63 bytes of a name.
  const name = ['requests', ...conditions.map(({ column }) => filterColumns.indexOf(column))].join(' ');
  const end = before !== undefined && before < to ? before : to;
  const values = [tenantId, from, end, maxExamined, limit + 1, ...stated.map(([, value]) => value)];
  const [row] = await queryTimed<PageRow>(database, timer, name, text, values);
  const { requests: found, examined, examined_to } = row as PageRow;
  const requests = (found ?? []).slice(0, limit);
  const last = requests.at(-1);
  if (found !== null && found.length > limit && last !== undefined) return { requests, next: last.request_id };
  return unindexed.length > 0 && examined === maxExamined && examined_to !== null
    ? { requests, next: examined_to }
    : { requests };
}

/** The timestamp of a UUID of version 7 has 48 bits. */
const maxTimestampMs = 2 ** 48 - 1;

/** The first UUID of version 7 with this timestamp. */
function idAt(ms: number): string {
  const hex = Math.min(Math.max(ms, 0), maxTimestampMs).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}

/** A limit per statement, so that deleting after a long downtime does not time out. */
const maxDeletedRows = 10_000;
/** Of requests, and of the counts of their keys. */
export const lifetimeDays = 30;

const maxDeletions = 20;

export async function deleteExpiredRequests(database: Database): Promise<void> {
  const before = (Date.now() - lifetimeDays * msPerDay) * 1_000;
  await deleteInPortions(database, { table: 'request_log', column: 'received_at', before });
  const hour = Math.floor(before / microsecondsPerHour);
  await deleteInPortions(database, { table: 'key_usage', column: 'hour', before: hour });
}

async function deleteInPortions(
  database: Database,
  { table, column, before }: { readonly table: string; readonly column: string; readonly before: number },
): Promise<void> {
  const text = `DELETE FROM operations.${table} WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM operations.${table} WHERE ${column} < $1 LIMIT ${maxDeletedRows}))
    RETURNING 1`;
  for (let count = 0; count < maxDeletions; count += 1) {
    const deleted = await query(database, `delete_expired_${table}`, text, [before]);
    if (deleted.length < maxDeletedRows) return;
  }
}
