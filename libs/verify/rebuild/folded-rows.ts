/** Books folded from their facts, and every row that follows a book written from the fold. */
import { type BookKey, type LoadedBook, loadBooks } from '#libs/database/books.ts';
import { type Database, type Queryable, query } from '#libs/database/database.ts';
import { int4Array, int8Array, textArray, uuidArray } from '#libs/database/pg-array.ts';
import type { ConfigurationRow, DerivedRows, KeyRow, TenancyRow } from '#libs/ledger/book-decider.ts';
import { deciderFor } from '#libs/tenant/decider-for.ts';

/** A shorter book is folded as fast as its snapshot is read. */
const fewestFacts = 16;
const together = 400;

interface Folded {
  readonly standing: LoadedBook<unknown>;
  readonly derived: DerivedRows;
  readonly snapshot: string | undefined;
}

/** One of so many who share the books out among them. */
export interface Share {
  readonly nth: number;
  readonly of: number;
}

/** All books of a share of the partitions. */
export async function foldShare(database: Database, { nth, of }: Share): Promise<void> {
  const text = `SELECT tenant_id, book_id FROM books WHERE (tenant_id, book_id) > ($1, $2) AND partition % $3 = $4
    ORDER BY tenant_id, book_id LIMIT ${together}`;
  let loading: Promise<LoadedBook<unknown>[]> | undefined;
  for (let after = ['', '']; ; ) {
    const rows = await query<{ tenant_id: string; book_id: string }>(database, 'books_to_fold', text, [
      ...after,
      of,
      nth,
    ]);
    const next = rows.map(({ tenant_id, book_id }) => ({ tenantId: tenant_id, bookId: book_id }));
    // The next page is read while this one is folded.
    const loaded = await loading;
    loading = next.length === 0 ? undefined : loadBooks(database, deciderFor, next);
    if (loaded !== undefined) {
      await writeFolded(
        database,
        loaded.map((standing) => foldedOf(standing)),
      );
    }
    const last = rows.at(-1);
    if (last === undefined) {
      if (loading === undefined) return;
    } else after = [last.tenant_id, last.book_id];
  }
}

export async function foldNamed(database: Database, names: readonly BookKey[]): Promise<void> {
  for (let at = 0; at < names.length; at += together) {
    const loaded = await loadBooks(database, deciderFor, names.slice(at, at + together));
    await writeFolded(
      database,
      loaded.map((standing) => foldedOf(standing)),
    );
  }
}

function foldedOf(standing: LoadedBook<unknown>): Folded {
  const { tenantId, bookId, book, sequence } = standing;
  const kind = deciderFor(bookId);
  const derived = kind.derive(kind.empty(tenantId, bookId), book);
  return { standing, derived, snapshot: sequence < fewestFacts ? undefined : kind.encode(book) };
}

async function writeFolded(database: Queryable, folded: readonly Folded[]): Promise<void> {
  await writeBooks(database, folded);
  await writeLoanStates(database, folded);
  await writeDueSpans(database, folded);
  await writeSnapshots(database, folded);
  for (const { standing, derived } of folded) await writeTenancy(database, standing.tenantId, derived);
}

async function writeBooks(database: Queryable, folded: readonly Folded[]): Promise<void> {
  const text = `UPDATE books b SET due_from = n.due_from
    FROM unnest($1::text[], $2::text[], $3::integer[]) AS n (tenant_id, book_id, due_from)
    WHERE b.tenant_id = n.tenant_id AND b.book_id = n.book_id AND b.due_from IS DISTINCT FROM n.due_from`;
  await query(database, 'write_due_from', text, [
    ...names(folded),
    int4Array(folded.map(({ derived }) => derived.dueFrom)),
  ]);
}

async function writeLoanStates(database: Queryable, folded: readonly Folded[]): Promise<void> {
  const rows = folded.flatMap(({ standing, derived }) =>
    (derived.loanStates ?? []).map((loan) => ({ ...loan, tenantId: standing.tenantId })),
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

async function writeDueSpans(database: Queryable, folded: readonly Folded[]): Promise<void> {
  const gone = `DELETE FROM due_spans d USING unnest($1::text[], $2::text[]) AS n (tenant_id, book_id)
    WHERE d.tenant_id = n.tenant_id AND d.book_id = n.book_id`;
  await query(database, 'drop_due_spans', gone, names(folded));
  const rows = folded.flatMap(({ standing, derived }) =>
    (derived.dueSpans ?? []).map(([from, to]) => ({ ...standing, from, to })),
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

async function writeSnapshots(database: Queryable, folded: readonly Folded[]): Promise<void> {
  const kept = folded.filter(({ snapshot }) => snapshot !== undefined);
  if (kept.length === 0) return;
  const text = `INSERT INTO snapshots (tenant_id, book_id, data, sequence)
    SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[])
    ON CONFLICT (tenant_id, book_id) DO UPDATE SET sequence = excluded.sequence, data = excluded.data`;
  await query(database, 'write_snapshots', text, [
    ...names(kept),
    textArray(kept.map(({ snapshot }) => snapshot)),
    int8Array(kept.map(({ standing }) => standing.sequence)),
  ]);
}

function names(folded: readonly Folded[]): Buffer[] {
  return [
    textArray(folded.map(({ standing }) => standing.tenantId)),
    textArray(folded.map(({ standing }) => standing.bookId)),
  ];
}

/** Revisions are given when all is there: who polls them must find everything new. */
async function writeTenancy(database: Queryable, tenantId: string, derived: DerivedRows): Promise<void> {
  const { tenancies = [], keys = [], configurations = [] } = derived;
  if (tenancies.length > 0) await query(database, 'write_tenancies', tenanciesText, [JSON.stringify(tenancies)]);
  if (keys.length > 0) await query(database, 'write_keys', keysText, [tenantId, JSON.stringify(keys)]);
  if (configurations.length > 0) {
    await query(database, 'write_configurations', configurationsText, [tenantId, JSON.stringify(configurations)]);
  }
}

type Columns<Row> = { readonly [Name in keyof Row]: string };

/** As JSON is read into rows: a member that is added to them is missing here until it is written as well. */
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

// Of two Tenancies that minted the same key, it acts for the one that was first.
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
