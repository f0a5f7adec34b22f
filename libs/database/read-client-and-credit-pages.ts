/** Pages of the Tenancy-wide listings: Clients, product configurations, Decisions and Facilities. */
import { type BoundedRow, byteBoundedSql } from './byte-bounded-page.ts';
import { type Database, queryTimed, type StageTimer } from './database.ts';
import {
  atPositions,
  fromNewest,
  type ListingPosition,
  mergePages,
  momentsInOrder,
  type NumberedRow,
  type RecordedRow,
  type RowAtPosition,
} from './merge-pages.ts';
import type { PartitionDatabases } from './partition-databases.ts';
import { int8Array } from './pg-binary.ts';
import { readRanges } from './read-listing.ts';

interface NumberedPage {
  readonly tenantId: string;
  /** Rows before this place, newest first. */
  readonly from: ListingPosition;
  readonly limit: number;
}

type StoredRow = NumberedRow & BoundedRow & { readonly book_id: string };

/** Of one range. */
interface NumberBounds {
  /** Rows with smaller numbers, newest first. */
  readonly before: number;
  readonly firstNumber: number;
}

interface NewestRead<Row> {
  readonly read: (database: Database, timer: StageTimer, bounds: NumberBounds) => Promise<Row[]>;
  /** When each row was recorded. */
  readonly momentsOf: (database: Database, timer: StageTimer, rows: readonly Row[]) => Promise<readonly number[]>;
}

/** `found` counts one row more than are returned where more may follow. */
async function readNewest<Row extends StoredRow>(
  databases: PartitionDatabases,
  timer: StageTimer,
  { tenantId, bookId, from, limit }: NumberedPage & { readonly bookId?: string },
  { read, momentsOf }: NewestRead<Row>,
): Promise<RowAtPosition<Row>[]> {
  if (!databases.hasSeveral)
    return atPositions(await read(databases.home, timer, { before: from[0] ?? fromNewest, firstNumber: 0 }));
  const start = databases.all.map((_, index) => from[index] ?? fromNewest);
  const view = await databases.currentView();
  const isHere = (database: Database, book: string): boolean => view.isHere(database, { tenantId, bookId: book });
  const pages = await readRanges<Row>(databases, timer, {
    order: 'newest',
    sources: view.listingSources.filter(({ database }) => bookId === undefined || isHere(database, bookId)),
    read: async ({ database, range, firstNumber, lastNumber }, timed) => {
      const before = Math.min(start[range] as number, lastNumber + 1);
      const found = await read(database, timed, { before, firstNumber });
      const hasMore = found.length === limit || (found[0]?.found ?? 0) > found.length;
      const rows = found.filter((row) => isHere(database, row.book_id));
      return {
        rows,
        moments: await momentsOf(database, timed, rows),
        next: hasMore ? found.at(-1)?.number : undefined,
      };
    },
  });
  const { rows, next } = mergePages(pages, { start, limit, order: 'newest' });
  const found = rows.length + (next === undefined ? 0 : 1);
  return rows.map((row) => ({ ...row, found }));
}

/** When these rows of a listing were recorded. */
async function readMoments(
  database: Database,
  timer: StageTimer,
  { tenantId, listing }: { readonly tenantId: string; readonly listing: string },
  rows: readonly NumberedRow[],
): Promise<number[]> {
  if (rows.length === 0) return [];
  const text = `
    SELECT l.number, f.recorded_at FROM listed_records l JOIN books b USING (tenant_id, book_id)
    CROSS JOIN LATERAL (SELECT recorded_at FROM facts WHERE tenant_id = b.tenant_id AND book_id = b.book_id
      AND partition = b.partition AND sequence = l.sequence LIMIT 1) f
    WHERE l.tenant_id = $1 AND l.listing = $2 AND l.number = ANY ($3::bigint[])`;
  const values = [tenantId, listing, int8Array(rows.map(({ number }) => number))];
  return momentsInOrder(rows, await queryTimed<RecordedRow>(database, timer, 'listed_moments', text, values));
}

export interface ListedClient extends BoundedRow {
  readonly number: number;
  readonly book_id: string;
  /** The body of the registration, and the Client's id, as JSON text. */
  readonly content: string;
  readonly recorded_at: number;
}

export function readClientsBefore(
  databases: PartitionDatabases,
  timer: StageTimer,
  page: NumberedPage,
): Promise<RowAtPosition<ListedClient>[]> {
  const rows = `
    SELECT l.number, l.book_id, l."row" AS content, f.recorded_at FROM listed_records l
    JOIN books b USING (tenant_id, book_id)
    CROSS JOIN LATERAL (SELECT recorded_at FROM facts WHERE tenant_id = l.tenant_id AND book_id = l.book_id
      AND partition = b.partition AND sequence = l.sequence) f
    WHERE l.tenant_id = $1 AND l.listing = 'clients' AND l.number < $2 AND l.number >= $4 ORDER BY l.number DESC LIMIT $3`;
  const text = byteBoundedSql({ rows, order: 'number DESC', columns: 'number, book_id, recorded_at' });
  const { tenantId, limit } = page;
  return readNewest<ListedClient>(databases, timer, page, {
    read: (database, timed, { before, firstNumber }) =>
      queryTimed(database, timed, 'clients_before', text, [tenantId, before, limit, firstNumber]),
    momentsOf: async (_database, _timed, rows) => rows.map(({ recorded_at }) => recorded_at),
  });
}

/** A record as JSON text. Reading a member in SQL would fail where the text contains U+0000. */
export interface ListedJson {
  readonly number: number;
  readonly book_id: string;
  readonly row: string;
}

/** A Decision as JSON text. */
export interface ListedDecision extends BoundedRow {
  readonly number: number;
  readonly book_id: string;
  readonly content: string;
}

export interface DecisionsQuery extends NumberedPage {
  /** Decisions of one Client only. */
  readonly bookId?: string;
}

export async function readDecisionsBefore(
  databases: PartitionDatabases,
  timer: StageTimer,
  page: DecisionsQuery,
): Promise<RowAtPosition<ListedDecision>[]> {
  const { tenantId, bookId, limit } = page;
  const ofClient = bookId === undefined ? '' : 'AND book_id = $5';
  const rows = `
    SELECT number, book_id, "row" AS content FROM listed_records
    WHERE tenant_id = $1 AND listing = 'decisions' AND number < $2 AND number >= $4 ${ofClient}
    ORDER BY number DESC LIMIT $3`;
  const text = byteBoundedSql({ rows, order: 'number DESC', columns: 'number, book_id' });
  const name = bookId === undefined ? 'decisions_before' : 'client_decisions_before';
  const ofBook = bookId === undefined ? [] : [bookId];
  const read = (
    database: Database,
    timed: StageTimer,
    { before, firstNumber }: NumberBounds,
  ): Promise<ListedDecision[]> =>
    queryTimed(database, timed, name, text, [tenantId, before, limit, firstNumber, ...ofBook]);
  const momentsOf = (database: Database, timed: StageTimer, rows: readonly ListedDecision[]) =>
    readMoments(database, timed, { tenantId, listing: 'decisions' }, rows);
  return readNewest<ListedDecision>(databases, timer, page, { read, momentsOf });
}

/** Newest first. All of them: the API lists Facilities without pages. */
export async function readFacilities(
  databases: PartitionDatabases,
  timer: StageTimer,
  { tenantId, bookId }: { readonly tenantId: string; readonly bookId?: string },
): Promise<ListedJson[]> {
  const ofClient = bookId === undefined ? '' : 'AND book_id = $4';
  const text = `
    SELECT number, book_id, "row"::text AS row FROM listed_records
    WHERE tenant_id = $1 AND listing = 'facilities' AND number >= $2 AND number <= $3 ${ofClient} ORDER BY number DESC`;
  const name = bookId === undefined ? 'facilities' : 'client_facilities';
  const read = (database: Database, timed: StageTimer, [first, last]: readonly [number, number]) =>
    queryTimed<ListedJson>(database, timed, name, text, [
      ...[tenantId, first, last],
      ...(bookId === undefined ? [] : [bookId]),
    ]);
  if (!databases.hasSeveral) return read(databases.home, timer, [0, fromNewest]);
  const view = await databases.currentView();
  const isHere = (database: Database, book: string): boolean => view.isHere(database, { tenantId, bookId: book });
  const pages = await readRanges<ListedJson>(databases, timer, {
    order: 'newest',
    sources: view.listingSources.filter(({ database }) => bookId === undefined || isHere(database, bookId)),
    read: async ({ database, firstNumber, lastNumber }, timed) => {
      const rows = (await read(database, timed, [firstNumber, lastNumber])).filter((row) =>
        isHere(database, row.book_id),
      );
      const moments = await readMoments(database, timed, { tenantId, listing: 'facilities' }, rows);
      return { rows, moments, next: undefined };
    },
  });
  const start = databases.all.map(() => fromNewest);
  return [...mergePages(pages, { start, limit: Number.POSITIVE_INFINITY, order: 'newest' }).rows];
}

export interface ListedConfiguration {
  readonly configuration_id: string;
  readonly version: number;
  /** The JSON text of the whole answer. */
  readonly answer: string;
}

/** A configuration of a page, with the JSON text of its answer. */
export interface ConfigurationOnPage extends BoundedRow {
  readonly configuration_id: string;
  readonly version: number;
  readonly content: string;
}

const configurationColumns = 'configuration_id, version';

/** The latest version of each configuration, newest configuration first. `before` is the end of an identifier. */
export function readConfigurationsBefore(
  database: Database,
  timer: StageTimer,
  { tenantId, before, limit }: { readonly tenantId: string; readonly before: string; readonly limit: number },
): Promise<ConfigurationOnPage[]> {
  const rows = `
    SELECT f.configuration_id, l.version, l.answer AS content FROM configurations f
    CROSS JOIN LATERAL (SELECT version, answer FROM configurations WHERE tenant_id = f.tenant_id
      AND configuration_id = f.configuration_id ORDER BY version DESC LIMIT 1) l
    WHERE f.tenant_id = $1 AND f.version = 1 AND substr(f.configuration_id, 5) < $2
    ORDER BY substr(f.configuration_id, 5) DESC LIMIT $3`;
  const order = 'substr(configuration_id, 5) DESC';
  const text = byteBoundedSql({ rows, order, columns: configurationColumns });
  return queryTimed(database, timer, 'configurations_before', text, [tenantId, before, limit]);
}

/** Versions of one configuration after a version, oldest first. */
export function readVersionsAfter(
  database: Database,
  timer: StageTimer,
  page: { readonly tenantId: string; readonly id: string; readonly after: number; readonly limit: number },
): Promise<ConfigurationOnPage[]> {
  const rows = `
    SELECT configuration_id, version, answer AS content FROM configurations
    WHERE tenant_id = $1 AND configuration_id = $2 AND version > $3 ORDER BY version LIMIT $4`;
  const text = byteBoundedSql({ rows, order: 'version', columns: configurationColumns });
  return queryTimed(database, timer, 'versions_after', text, [page.tenantId, page.id, page.after, page.limit]);
}

/** One version, or the latest. */
export async function findConfiguration(
  database: Database,
  timer: StageTimer,
  { tenantId, id, version }: { readonly tenantId: string; readonly id: string; readonly version?: number },
): Promise<ListedConfiguration | undefined> {
  const ofConfiguration = `
    SELECT configuration_id, version, answer::text AS answer FROM configurations
    WHERE tenant_id = $1 AND configuration_id = $2`;
  // Two statements: one for both would scan from the latest version down.
  const [name, text, values] =
    version === undefined
      ? ['configuration_now', `${ofConfiguration} ORDER BY version DESC LIMIT 1`, [tenantId, id]]
      : ['configuration_at', `${ofConfiguration} AND version = $3`, [tenantId, id, version]];
  const [row] = await queryTimed<ListedConfiguration>(database, timer, name, text, values);
  return row;
}
