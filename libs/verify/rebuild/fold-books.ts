/** Folds books from their facts and writes the rows that follow from the fold. */

import { type BookKey, type LoadedBook, loadBooks } from '#libs/database/books.ts';
import { type Database, type Queryable, query } from '#libs/database/database.ts';
import { int4Array, int8Array, textArray, uuidArray } from '#libs/database/pg-binary.ts';
import type { ConfigurationRow, DerivedRows, KeyRow, TenancyRow } from '#libs/ledger/book-decider.ts';
import { runToEnd } from '#libs/ledger/cooperative-loop.ts';
import { deciderFor } from '#libs/tenant/decider-for.ts';

/** Shorter books are folded as fast as a snapshot is read. */
const minFactsForSnapshot = 16;
const booksPerPage = 400;

interface FoldedBook {
  readonly loaded: LoadedBook<unknown>;
  readonly derived: DerivedRows;
  readonly snapshot: string | undefined;
}

/** One of `count` equal parts of the partitions. */
export interface FoldShare {
  readonly index: number;
  readonly count: number;
}

/** Folds all books of a share. `onFolded` is called with the number of facts of each page of books. */
export async function foldShare(
  database: Database,
  { index, count }: FoldShare,
  onFolded: (facts: number) => void,
): Promise<void> {
  const text = `SELECT tenant_id, book_id FROM books WHERE (tenant_id, book_id) > ($1, $2) AND partition % $3 = $4
    ORDER BY tenant_id, book_id LIMIT ${booksPerPage}`;
  let loading: Promise<LoadedBook<unknown>[]> | undefined;
  for (let after = ['', '']; ; ) {
    const values = [...after, count, index];
    const rows = await query<{ tenant_id: string; book_id: string }>(database, 'books_to_fold', text, values);
    const keys = rows.map(({ tenant_id, book_id }) => ({ tenantId: tenant_id, bookId: book_id }));
    // The next page is loaded while this one is folded.
    const loaded = await loading;
    loading = keys.length === 0 ? undefined : loadBooks(database, deciderFor, keys);
    if (loaded !== undefined) {
      await writeRows(database, loaded.map(foldBook));
      onFolded(loaded.reduce((sum, { sequence }) => sum + sequence, 0));
    }
    const last = rows.at(-1);
    if (last === undefined) return;
    after = [last.tenant_id, last.book_id];
  }
}

export async function foldBooks(database: Queryable, keys: readonly BookKey[]): Promise<void> {
  for (let start = 0; start < keys.length; start += booksPerPage) {
    const loaded = await loadBooks(database, deciderFor, keys.slice(start, start + booksPerPage));
    await writeRows(database, loaded.map(foldBook));
  }
}

function foldBook(loaded: LoadedBook<unknown>): FoldedBook {
  const { tenantId, bookId, book, sequence } = loaded;
  const decider = deciderFor(bookId);
  const derived = decider.derive(decider.empty(tenantId, bookId), book);
  return { loaded, derived, snapshot: sequence < minFactsForSnapshot ? undefined : runToEnd(decider.encode(book)) };
}

async function writeRows(database: Queryable, books: readonly FoldedBook[]): Promise<void> {
  await writeDueDays(database, books);
  await writeLoanStates(database, books);
  await writeDueSpans(database, books);
  await writeSnapshots(database, books);
  for (const { loaded, derived } of books) await writeTenancyRows(database, loaded.tenantId, derived);
}

async function writeDueDays(database: Queryable, books: readonly FoldedBook[]): Promise<void> {
  const text = `UPDATE books b SET due_from = n.due_from
    FROM unnest($1::text[], $2::text[], $3::integer[]) AS n (tenant_id, book_id, due_from)
    WHERE b.tenant_id = n.tenant_id AND b.book_id = n.book_id AND b.due_from IS DISTINCT FROM n.due_from`;
  await query(database, 'write_due_from', text, [
    ...bookColumns(books),
    int4Array(books.map(({ derived }) => derived.dueFrom)),
  ]);
}

async function writeLoanStates(database: Queryable, books: readonly FoldedBook[]): Promise<void> {
  const rows = books.flatMap(({ loaded, derived }) =>
    (derived.loanStates ?? []).map((loan) => ({ ...loan, tenantId: loaded.tenantId })),
  );
  if (rows.length === 0) return;
  const text = `UPDATE loans l SET state = n.state FROM unnest($1::text[], $2::uuid[], $3::text[]) AS n (tenant_id, loan_id, state)
    WHERE l.tenant_id = n.tenant_id AND l.loan_id = n.loan_id AND l.state <> n.state`;
  await query(database, 'write_loan_states', text, [
    textArray(rows.map((row) => row.tenantId)),
    uuidArray(rows.map((row) => row.loanId)),
    textArray(rows.map((row) => row.state)),
  ]);
}

async function writeDueSpans(database: Queryable, books: readonly FoldedBook[]): Promise<void> {
  const deleteText = `DELETE FROM due_spans d USING unnest($1::text[], $2::text[]) AS n (tenant_id, book_id)
    WHERE d.tenant_id = n.tenant_id AND d.book_id = n.book_id`;
  await query(database, 'drop_due_spans', deleteText, bookColumns(books));
  const rows = books.flatMap(({ loaded, derived }) =>
    (derived.dueSpans ?? []).map(([from, to]) => ({ ...loaded, from, to })),
  );
  if (rows.length === 0) return;
  const text = `INSERT INTO due_spans (tenant_id, book_id, from_day, to_day)
    SELECT * FROM unnest($1::text[], $2::text[], $3::integer[], $4::integer[])`;
  await query(database, 'write_due_spans', text, [
    textArray(rows.map((row) => row.tenantId)),
    textArray(rows.map((row) => row.bookId)),
    int4Array(rows.map((row) => row.from)),
    int4Array(rows.map((row) => row.to)),
  ]);
}

async function writeSnapshots(database: Queryable, books: readonly FoldedBook[]): Promise<void> {
  const withSnapshot = books.filter(({ snapshot }) => snapshot !== undefined);
  if (withSnapshot.length === 0) return;
  const text = `INSERT INTO snapshots (tenant_id, book_id, data, sequence)
    SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[])
    ON CONFLICT (tenant_id, book_id) DO UPDATE SET sequence = excluded.sequence, data = excluded.data`;
  await query(database, 'write_snapshots', text, [
    ...bookColumns(withSnapshot),
    textArray(withSnapshot.map(({ snapshot }) => snapshot)),
    int8Array(withSnapshot.map(({ loaded }) => loaded.sequence)),
  ]);
}

function bookColumns(books: readonly FoldedBook[]): Buffer[] {
  return [textArray(books.map(({ loaded }) => loaded.tenantId)), textArray(books.map(({ loaded }) => loaded.bookId))];
}

/** Without revisions: they are set at the cutover, when services must read all of it again. */
async function writeTenancyRows(database: Queryable, tenantId: string, derived: DerivedRows): Promise<void> {
  const { tenancies = [], keys = [], configurations = [] } = derived;
  if (tenancies.length > 0) await query(database, 'write_tenancies', tenanciesText, [JSON.stringify(tenancies)]);
  if (keys.length > 0) await query(database, 'write_keys', keysText, [tenantId, JSON.stringify(keys)]);
  if (configurations.length > 0) {
    await query(database, 'write_configurations', configurationsText, [tenantId, JSON.stringify(configurations)]);
  }
}

type Columns<Row> = { readonly [Name in keyof Row]: string };

/** The column list of json_to_recordset. A member added to a row type does not compile until it is listed here. */
function recordset<Row>(columns: Columns<Row>): string {
  return Object.entries<string>(columns)
    .map(([name, type]) => `"${name}" ${type}`)
    .join(', ');
}

const tenancyColumns: Columns<TenancyRow> = {
  tenantId: 'text',
  name: 'text',
  live: 'boolean',
  jurisdiction: 'text',
  timeZone: 'text',
  bounds: 'json',
  createdAt: 'bigint',
};
const keyColumns: Columns<KeyRow> = {
  fp: 'text',
  publicKey: 'text',
  scope: 'text',
  holder: 'text',
  label: 'text',
  createdAt: 'bigint',
  revokedAt: 'bigint',
};
const configurationColumns: Columns<ConfigurationRow> = {
  configurationId: 'text',
  version: 'integer',
  archetype: 'text',
  createdAt: 'bigint',
  values: 'text',
  answer: 'text',
};

const tenanciesText = `
  INSERT INTO tenancies (tenant_id, name, live, jurisdiction, time_zone, bounds, created_at, revision)
    SELECT "tenantId", name, live, jurisdiction, "timeZone", bounds, "createdAt", 0
    FROM json_to_recordset($1) AS n (${recordset(tenancyColumns)})
    ON CONFLICT (tenant_id) DO UPDATE SET bounds = excluded.bounds`;

// A key registered by two Tenancies belongs to the one that registered it first.
const keysText = `
  INSERT INTO keys AS k (fp, tenant_id, public_key, scope, holder, label, created_at, revoked_at, revision)
    SELECT fp, $1, decode("publicKey", 'hex'), scope, holder, label, "createdAt", "revokedAt", 0
    FROM json_to_recordset($2) AS n (${recordset(keyColumns)})
    ON CONFLICT (fp) DO UPDATE SET tenant_id = excluded.tenant_id, scope = excluded.scope, holder = excluded.holder,
      label = excluded.label, created_at = excluded.created_at, revoked_at = excluded.revoked_at
      WHERE k.tenant_id = excluded.tenant_id OR excluded.created_at < k.created_at`;

const configurationsText = `
  INSERT INTO configurations (tenant_id, configuration_id, version, archetype, created_at, "values", answer)
    SELECT $1, "configurationId", version, archetype, "createdAt", "values"::json, answer::json
    FROM json_to_recordset($2) AS n (${recordset(configurationColumns)})
    ON CONFLICT DO NOTHING`;
