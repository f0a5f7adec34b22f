/** Reads pages of the Loans of a Tenancy by any filter, and what is recorded of single Loans. */
import type { Moment } from '#libs/calendar/moment.ts';
import { clientBookId } from '#libs/ledger/book-id.ts';
import { type PositionTuple, positionSql, type SizedBookPosition, toBookPosition } from './books.ts';
import { type Database, query, queryTimed, type StageTimer } from './database.ts';
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
import { int8Array, textArray } from './pg-binary.ts';
import { readRanges } from './read-listing.ts';
import { type BatchedStatement, StatementBatcher } from './statement-batcher.ts';

interface LoanFilters {
  readonly tenantId: string;
  readonly clientId?: string;
  readonly configurationId?: string;
  readonly merchantRef?: string;
  /** Without a state the page has all Loans except held and voided ones. */
  readonly state?: string;
  readonly limit: number;
}

/** In one database. */
interface StoredLoanQuery extends LoanFilters {
  /** Loans with smaller numbers, newest first. */
  readonly before: number;
  /** Of the range that is read. */
  readonly firstNumber: number;
}

export interface LoanPageQuery extends LoanFilters {
  /** Loans before this place, newest first. */
  readonly from: ListingPosition;
}

/** A Loan of a page, and the position of its Client's book when the page was read. */
export interface ListedLoan extends SizedBookPosition {
  readonly number: number;
  readonly loanId: string;
  readonly clientId: string;
  /** The stored column, by which the Loan was found. Compared with the fold of the book before it is answered. */
  readonly state: string;
}

/** Of one database. */
interface StoredLoanPage {
  readonly loans: readonly ListedLoan[];
  /** `before` of the next page; absent at the end. */
  readonly next?: number;
}

export interface ListedLoanPage {
  readonly loans: readonly RowAtPosition<ListedLoan>[];
  /** `from` of the next page; absent at the end. */
  readonly next?: ListingPosition;
}

/** Rows examined for each row of a page, where some filters have no index. */
const examinedPerRow = 10;

/** The conditions are those of the indexes, word for word: otherwise Postgres does not use them. */
const heldOrVoided = ['held', 'voided'];
const isHeldOrVoidedSql = "state IN ('held', 'voided')";
const isListedSql = "state NOT IN ('held', 'voided')";

/** Whether a Loan in this state belongs to a page of the requested state, or of none. */
export function isStateRequested(state: string, requested: string | undefined): boolean {
  return requested === undefined ? !heldOrVoided.includes(state) : state === requested;
}

type ListedLoanTuple = readonly [number, string, string, string, PositionTuple];

interface PageRow {
  readonly loans: readonly ListedLoanTuple[] | null;
  readonly examined: number;
  readonly examined_to: number | null;
}

/** A page may be short: a limited number of rows is examined where some filters have no index. */
export class LoanPageReader {
  readonly #databases: PartitionDatabases;
  readonly #readers: ReadonlyMap<Database, StoredLoanReader>;

  constructor(databases: PartitionDatabases) {
    this.#databases = databases;
    this.#readers = new Map(databases.all.map((database) => [database, new StoredLoanReader(database)]));
  }

  async read(timer: StageTimer, { from, ...filters }: LoanPageQuery): Promise<ListedLoanPage> {
    const { tenantId, clientId, limit } = filters;
    const { all, home, hasSeveral } = this.#databases;
    if (!hasSeveral) {
      const place = { before: from[0] ?? fromNewest, firstNumber: 0 };
      const { loans, next } = await this.#readerOf(home).read(timer, { ...filters, ...place });
      return { loans: atPositions(loans), ...(next === undefined ? {} : { next: [next] }) };
    }
    const start = all.map((_, index) => from[index] ?? fromNewest);
    const view = await this.#databases.currentView();
    const isHere = (database: Database, client: string): boolean =>
      view.isHere(database, { tenantId, bookId: clientBookId(client) });
    const pages = await readRanges<ListedLoan>(this.#databases, timer, {
      order: 'newest',
      sources: view.listingSources.filter(({ database }) => clientId === undefined || isHere(database, clientId)),
      read: async ({ database, range, firstNumber, lastNumber }, timed) => {
        const before = Math.min(start[range] as number, lastNumber + 1);
        const { loans, next } = await this.#readerOf(database).read(timed, { ...filters, before, firstNumber });
        const rows = loans.filter((loan) => isHere(database, loan.clientId));
        return { rows, moments: await readFeedMoments(database, timed, tenantId, rows), next };
      },
    });
    const { rows, next } = mergePages(pages, { start, limit, order: 'newest' });
    return { loans: rows, ...(next === undefined ? {} : { next }) };
  }

  #readerOf(database: Database): StoredLoanReader {
    return this.#readers.get(database) as StoredLoanReader;
  }
}

/** When the events with these numbers were recorded, in the order of the rows. */
async function readFeedMoments(
  database: Database,
  timer: StageTimer,
  tenantId: string,
  rows: readonly NumberedRow[],
): Promise<number[]> {
  if (rows.length === 0) return [];
  const text = 'SELECT number, recorded_at FROM feed WHERE tenant_id = $1 AND number = ANY ($2::bigint[])';
  const values = [tenantId, int8Array(rows.map(({ number }) => number))];
  return momentsInOrder(rows, await queryTimed<RecordedRow>(database, timer, 'feed_moments', text, values));
}

class StoredLoanReader {
  readonly #database: Database;
  readonly #ofClients: StatementBatcher<ClientLoansQuery, PageRow>;

  constructor(database: Database) {
    this.#database = database;
    this.#ofClients = new StatementBatcher(database, clientLoans);
  }

  async read(timer: StageTimer, pageQuery: StoredLoanQuery): Promise<StoredLoanPage> {
    const { clientId } = pageQuery;
    return clientId === undefined
      ? this.#readOfTenancy(timer, pageQuery)
      : this.#readOfClient(timer, { ...pageQuery, clientId });
  }

  async #readOfTenancy(timer: StageTimer, pageQuery: StoredLoanQuery): Promise<StoredLoanPage> {
    const { tenantId, before, firstNumber, limit } = pageQuery;
    const plan = planFor(pageQuery);
    const hasUnindexed = plan.unindexed.length > 0;
    const maxExamined = hasUnindexed ? limit * examinedPerRow : limit + 1;
    const values = [tenantId, before, maxExamined, limit + 1, firstNumber, ...plan.values];
    const [row] = await queryTimed<PageRow>(this.#database, timer, plan.name, pageSql(plan), values);
    return pageOf(row as PageRow, { limit, maxExamined, hasUnindexed });
  }

  async #readOfClient(timer: StageTimer, pageQuery: ClientLoansQuery): Promise<StoredLoanPage> {
    const row = await this.#ofClients.read(pageQuery, timer);
    const { limit } = pageQuery;
    return pageOf(row as PageRow, { limit, maxExamined: limit * examinedPerRow, hasUnindexed: true });
  }
}

interface PageLimits {
  readonly limit: number;
  readonly maxExamined: number;
  readonly hasUnindexed: boolean;
}

function pageOf(row: PageRow, { limit, maxExamined, hasUnindexed }: PageLimits): StoredLoanPage {
  const { loans: tuples, examined, examined_to } = row;
  const found = (tuples ?? []).map(([number, loanId, clientId, state, position]) => ({
    number,
    loanId,
    clientId,
    state,
    ...toBookPosition(position),
  }));
  const loans = found.slice(0, limit);
  const last = loans.at(-1);
  if (found.length > limit && last !== undefined) return { loans, next: last.number };
  const isCutOff = hasUnindexed && examined === maxExamined && examined_to !== null;
  return isCutOff ? { loans, next: examined_to } : { loans };
}

interface PagePlan {
  /** The name of the prepared statement. */
  readonly name: string;
  /** The filter values, in the order of their parameters. */
  readonly values: readonly string[];
  /** Conditions that one index serves. */
  readonly indexed: readonly string[];
  /** Conditions that are checked row by row. */
  readonly unindexed: readonly string[];
}

function planFor({ configurationId, merchantRef, state }: StoredLoanQuery): PagePlan {
  const columns: readonly [string, string | undefined][] = [
    ['configuration_id', configurationId],
    ['merchant_ref', merchantRef],
    ['state', state],
  ];
  const filters = columns.filter((filter): filter is [string, string] => filter[1] !== undefined);
  const values = filters.map(([, value]) => value);
  const conditions = filters.map(([column], index) => `${column} = $${6 + index}`);
  const isHeldOrVoided = state !== undefined && heldOrVoided.includes(state);
  const group = isHeldOrVoided ? isHeldOrVoidedSql : isListedSql;
  const name = ['loans', isHeldOrVoided ? 'held_or_voided' : 'listed', ...filters.map(([column]) => column)].join(' ');
  const indexedCount = state === undefined ? conditions.length : -1;
  return {
    name,
    values,
    indexed: [group, ...conditions.slice(0, indexedCount)],
    unindexed: conditions.slice(indexedCount),
  };
}

/** One statement, so that the Loans and the positions of their books are of one moment. */
function pageSql({ indexed, unindexed }: PagePlan): string {
  const where = unindexed.length === 0 ? '' : `WHERE ${unindexed.join(' AND ')}`;
  return `
    WITH examined AS (
      SELECT number, loan_id, client_id, configuration_id, merchant_ref, state FROM loans
      WHERE tenant_id = $1 AND number < $2 AND number >= $5 AND ${indexed.join(' AND ')} ORDER BY number DESC LIMIT $3),
    matching AS (SELECT * FROM examined ${where} ORDER BY number DESC LIMIT $4)
    ${pageRowSql('$1')}`;
}

/** The page from `examined` and `matching`. */
function pageRowSql(tenantId: string): string {
  return `
    SELECT (SELECT count(*)::integer FROM examined) AS examined, (SELECT min(number) FROM examined) AS examined_to,
      (SELECT json_agg(json_build_array(m.number, m.loan_id, m.client_id, m.state,
          (SELECT ${positionSql} FROM books b
            WHERE b.tenant_id = ${tenantId} AND b.book_id = 'c/' || m.client_id)) ORDER BY m.number DESC)
        FROM matching m) AS loans`;
}

type ClientLoansQuery = StoredLoanQuery & { readonly clientId: string };

/** One index has all Loans of a Client, whatever their state. A filter that was not stated is empty. */
const clientLoansSql = `
  SELECT k.position, p.* FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::bigint[], $7::bigint[], $8::bigint[])
    WITH ORDINALITY
      AS k(tenant_id, client_id, configuration_id, merchant_ref, state, before, page_limit, first_number, position)
  CROSS JOIN LATERAL (
    WITH examined AS (
      SELECT number, loan_id, client_id, configuration_id, merchant_ref, state FROM loans
      WHERE tenant_id = k.tenant_id AND client_id = k.client_id AND number < k.before AND number >= k.first_number
      ORDER BY number DESC LIMIT k.page_limit * ${examinedPerRow}),
    matching AS (
      SELECT * FROM examined
      WHERE CASE WHEN k.state = '' THEN ${isListedSql} ELSE state = k.state END
        AND (k.configuration_id = '' OR configuration_id = k.configuration_id)
        AND (k.merchant_ref = '' OR merchant_ref = k.merchant_ref)
      ORDER BY number DESC LIMIT k.page_limit + 1)
    ${pageRowSql('k.tenant_id')}) p`;

const clientLoans: BatchedStatement<ClientLoansQuery, PageRow> = {
  async run(connection, requests) {
    const texts = (column: 'tenantId' | 'clientId' | 'configurationId' | 'merchantRef' | 'state') =>
      textArray(requests.map((request) => request[column] ?? ''));
    const rows = await query<PageRow & { readonly position: number }>(connection, 'client_loans', clientLoansSql, [
      texts('tenantId'),
      texts('clientId'),
      texts('configurationId'),
      texts('merchantRef'),
      texts('state'),
      int8Array(requests.map(({ before }) => before)),
      int8Array(requests.map(({ limit }) => limit)),
      int8Array(requests.map(({ firstNumber }) => firstNumber)),
    ]);
    return new Map(rows.map((row) => [row.position, row]));
  },
  sizeOf: ({ limit }) => limit,
  maxSize: 4_096,
  gatherMs: 0,
};

/** What is recorded of a Loan itself and never changes, for a Loan whose book cannot be derived. */
export interface RecordedLoan {
  readonly loanId: string;
  readonly clientId: string;
  readonly reference: string;
  readonly configuration: { readonly id: string; readonly version: number };
  readonly merchantRef?: string;
  /** Absent where the fact of the issuance is missing. */
  readonly issuance?: { readonly body: string; readonly recordedAt: Moment };
}

/** The facts of a book are scanned once for all of its Loans: in all partitions where its row is missing, which names theirs. */
const recordedLoansSql = `
  WITH wanted AS MATERIALIZED (SELECT * FROM loans WHERE tenant_id = $1 AND loan_id = ANY ($2::uuid[])),
    issued AS MATERIALIZED (
      SELECT f.loan_id, json_build_array(f.body::text, f.recorded_at) AS issuance
      FROM (SELECT DISTINCT 'c/' || client_id AS book_id FROM wanted) w
      LEFT JOIN books b ON b.tenant_id = $1 AND b.book_id = w.book_id
      CROSS JOIN LATERAL (
        (SELECT * FROM facts WHERE partition = b.partition AND tenant_id = $1 AND book_id = w.book_id AND kind = 'issued' OFFSET 0)
        UNION ALL
        (SELECT * FROM facts WHERE b.partition IS NULL AND partition = ANY (ARRAY(SELECT partition FROM partitions))
          AND tenant_id = $1 AND book_id = w.book_id AND kind = 'issued' OFFSET 0)) f)
  SELECT l.loan_id, l.client_id, l.reference, l.configuration_id, l.configuration_version, l.merchant_ref,
    (SELECT i.issuance FROM issued i WHERE i.loan_id = l.loan_id) AS issuance
  FROM wanted l`;

interface RecordedLoanRow {
  readonly loan_id: string;
  readonly client_id: string;
  readonly reference: string;
  readonly configuration_id: string;
  readonly configuration_version: number;
  readonly merchant_ref: string | null;
  readonly issuance: readonly [body: string, recordedAt: Moment] | null;
}

/** By Loan id. */
export async function readRecordedLoans(
  databases: PartitionDatabases,
  timer: StageTimer,
  {
    tenantId,
    loans,
  }: { readonly tenantId: string; readonly loans: readonly Pick<ListedLoan, 'loanId' | 'clientId'>[] },
): Promise<ReadonlyMap<string, RecordedLoan>> {
  const groups = Map.groupBy(loans, ({ clientId }) => databases.ofBook({ tenantId, bookId: clientBookId(clientId) }));
  const rows: RecordedLoanRow[] = [];
  for (const [database, group] of groups) {
    const values = [tenantId, group.map(({ loanId }) => loanId)];
    rows.push(...(await queryTimed<RecordedLoanRow>(database, timer, 'recorded_loans', recordedLoansSql, values)));
  }
  return new Map(rows.map((row) => [row.loan_id, toRecordedLoan(row)]));
}

function toRecordedLoan(row: RecordedLoanRow): RecordedLoan {
  const { loan_id: loanId, client_id: clientId, reference, merchant_ref: merchantRef, issuance } = row;
  return {
    loanId,
    clientId,
    reference,
    configuration: { id: row.configuration_id, version: row.configuration_version },
    ...(merchantRef === null ? {} : { merchantRef }),
    ...(issuance === null ? {} : { issuance: { body: issuance[0], recordedAt: issuance[1] } }),
  };
}
