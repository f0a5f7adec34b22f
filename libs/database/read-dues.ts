/** Finds the Clients with something due and unpaid on a day, in the order of their identifiers. */
import { clientIdOf } from '#libs/ledger/book-id.ts';
import { type PositionTuple, positionSql, type SizedBookPosition, toBookPosition } from './books.ts';
import { type Database, queryTimed, type StageTimer } from './database.ts';
import type { PartitionDatabases } from './partition-databases.ts';
import type { PlacementView } from './placement-view.ts';

export interface DueClientsQuery {
  readonly tenantId: string;
  /** Days since 1970-01-01. */
  readonly on: number;
  /** Client ids after this one; empty for the first page. */
  readonly after: string;
  readonly limit: number;
}

/** A Client who may have dues, and the position of the book when the page was read. */
export interface DueClient extends SizedBookPosition {
  readonly clientId: string;
}

/** Compares bytes, so that the order is the same in every database. */
const byteOrder = 'COLLATE "C"';

/**
 * Up to this many candidates are found by their days and sorted. With more, the books are walked in order instead,
 * because the next matches are then close. Both limit what a page reads, whether few or nearly all Clients are due.
 * Measured with 100,000 Clients.
 */
const maxSorted = { owing: 2_000, paidSince: 8_000 } as const;

/** Books that owe something since the day or earlier. */
const owingSql = `
  SELECT book_id FROM books WHERE tenant_id = $1 AND due_from <= $2 ORDER BY due_from LIMIT ${maxSorted.owing}`;

/** Books that owed something on the day and paid it later. */
const paidSinceSql = `
  SELECT book_id FROM due_spans WHERE tenant_id = $1 AND to_day >= $2 AND from_day <= $2
  ORDER BY to_day LIMIT ${maxSorted.paidSince}`;

/** `+ 0` keeps Postgres from choosing an index by the day instead of the one by order. */
const isOwingSql = 'b.due_from + 0 <= $2';

/** Spans of a book never overlap: only the last one that began by the day can contain it. */
const hasPaidSinceSql = `
  (SELECT to_day FROM due_spans s WHERE s.tenant_id = $1 AND s.book_id = b.book_id AND s.from_day <= $2
    ORDER BY s.from_day DESC LIMIT 1) >= $2`;

const nextInOrderSql = `book_id ${byteOrder} > $3 ORDER BY book_id ${byteOrder} LIMIT $4`;

function sortedSql(candidates: string, isMany: string): string {
  return `(SELECT book_id FROM (${candidates}) AS candidates WHERE NOT (SELECT ${isMany} FROM many) AND ${nextInOrderSql})`;
}

function walkedSql(condition: string, isMany: string): string {
  return `(SELECT book_id FROM books b WHERE (SELECT ${isMany} FROM many) AND tenant_id = $1 AND ${condition} AND ${nextInOrderSql})`;
}

/** Each branch has one plan whatever the planner estimates; the counts in the same statement choose the branch. */
const dueClientsSql = `
  WITH many AS MATERIALIZED (SELECT
    (SELECT count(*) FROM (${owingSql}) AS candidates) = ${maxSorted.owing} AS owing,
    (SELECT count(*) FROM (${paidSinceSql}) AS candidates) = ${maxSorted.paidSince} AS paid_since)
  SELECT c.book_id,
    (SELECT ${positionSql} FROM books b
      WHERE b.tenant_id = $1 AND b.book_id = c.book_id) AS position
  FROM (
    ${sortedSql(owingSql, 'owing')} UNION ${walkedSql(isOwingSql, 'owing')} UNION
    ${sortedSql(paidSinceSql, 'paid_since')} UNION ${walkedSql(hasPaidSinceSql, 'paid_since')}) c
  ORDER BY c.book_id ${byteOrder} LIMIT $4`;

function inByteOrder(one: DueClientRow, other: DueClientRow): number {
  return Buffer.compare(Buffer.from(one.book_id), Buffer.from(other.book_id));
}

interface DatabasePage {
  readonly database: Database;
  readonly rows: readonly DueClientRow[];
}

/** Of all databases, in the order of the books. `end` is where a database may have more that was not read. */
function mergeDue(
  view: PlacementView,
  { tenantId, limit }: DueClientsQuery,
  pages: readonly DatabasePage[],
): { readonly rows: readonly DueClientRow[]; readonly end: DueClientRow | undefined } {
  const [end] = pages.flatMap(({ rows }) => (rows.length === limit ? rows.slice(-1) : [])).sort(inByteOrder);
  const rows = pages
    .flatMap(({ database, rows }) => rows.filter((row) => view.isHere(database, { tenantId, bookId: row.book_id })))
    .filter((row) => end === undefined || inByteOrder(row, end) <= 0)
    .sort(inByteOrder);
  return { rows, end };
}

interface DueClientRow {
  readonly book_id: string;
  readonly position: PositionTuple;
}

export async function findDueClients(
  databases: PartitionDatabases,
  timer: StageTimer,
  search: DueClientsQuery,
): Promise<DueClient[]> {
  const { tenantId, on, limit } = search;
  const found: DueClientRow[] = [];
  const view = await databases.currentView();
  for (let after = `c/${search.after}`; ; ) {
    const values = [tenantId, on, after, limit];
    const pages = await databases.readAllTimed(timer, async (database, timed) => ({
      database,
      rows: await queryTimed<DueClientRow>(database, timed, 'due_clients', dueClientsSql, values),
    }));
    const { rows, end } = mergeDue(view, search, pages);
    found.push(...rows);
    // What stayed behind in a database that a partition left is not counted: the page is filled from what follows.
    if (end === undefined || found.length >= limit) break;
    after = end.book_id;
  }
  return found.slice(0, limit).map(({ book_id, position }) => ({
    clientId: String(clientIdOf(book_id)),
    ...toBookPosition(position),
  }));
}
