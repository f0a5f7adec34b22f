/** Reads books with everything stored about them: page by page from Postgres, each page in one snapshot, and from Redis. */
import { type Queryable, query } from '#libs/database/database.ts';
import { type FactColumns, rowsOfFact } from '#libs/database/read-events.ts';
import type { SnapshotCache } from '#libs/database/snapshot-cache.ts';
import type { Json } from '#libs/schema/json.ts';

export interface BookName {
  readonly tenant_id: string;
  readonly book_id: string;
}

export interface AuditBookRow {
  readonly tenant_id: string;
  readonly book_id: string;
  readonly sequence: number;
  readonly version_count: number;
  readonly version_at: number | null;
  readonly recorded_at: number;
  readonly due_from: number | null;
  readonly shot_sequence: number | null;
  readonly shot: string | null;
}

export interface AuditFactRow extends FactColumns {
  readonly event_number: number;
  readonly feed_number: number | null;
  readonly ref_digest: Buffer | null;
  readonly ref_book: string | null;
  readonly ref_kind: string | null;
  readonly ref_subject: string | null;
  readonly ref_sequence: number | null;
  readonly loan: Json;
  readonly listed: Json;
}

export interface AuditLoanRow {
  readonly tenant_id: string;
  readonly book_id: string;
  readonly loan_id: string;
  /** The feed number of the fact that issued it. */
  readonly number: number;
  readonly state: string;
}

export interface AuditDueSpanRow {
  readonly tenant_id: string;
  readonly book_id: string;
  readonly from_day: number;
  readonly to_day: number;
}

export interface BookPage {
  readonly books: readonly AuditBookRow[];
  readonly facts: ReadonlyMap<string, readonly AuditFactRow[]>;
  readonly loans: ReadonlyMap<string, readonly AuditLoanRow[]>;
  readonly dueSpans: ReadonlyMap<string, readonly AuditDueSpanRow[]>;
}

export function bookLabel({ tenant_id, book_id }: BookName): string {
  return `${tenant_id}/${book_id}`;
}

/** The requests of a whole page are in memory at once. A book with more facts is a page of its own. */
const maxFactsPerPage = 1_000;

export interface SizedBook extends BookName {
  readonly sequence: number;
}

export function* pagesBySize(books: readonly SizedBook[]): Generator<SizedBook[]> {
  let page: SizedBook[] = [];
  let facts = 0;
  for (const book of books) {
    if (page.length > 0 && facts + book.sequence > maxFactsPerPage) {
      yield page;
      page = [];
      facts = 0;
    }
    page.push(book);
    facts += book.sequence;
  }
  if (page.length > 0) yield page;
}

const booksText = `
  SELECT b.tenant_id, b.book_id, b.sequence, b.version_count, b.version_at, b.recorded_at, b.due_from,
    s.sequence AS shot_sequence, s.data AS shot
  FROM unnest($1::text[], $2::text[]) AS w (tenant_id, book_id)
  JOIN books b USING (tenant_id, book_id) LEFT JOIN snapshots s USING (tenant_id, book_id)`;

/**
 * With OFFSET 0 each row is looked up by its index, and a fact in the partition of its book. The planner expects the facts of a book in
 * every partition, and would rather read whole tables.
 */
const factsText = `
  SELECT f.tenant_id, f.book_id, f.sequence, f.kind, f.body::text AS body, f.counts, f.version_count, f.version_at,
    f.namespace, f.reference, f.occurred_on, f.loan_id, f.event_id, f.merchant_ref, f.recorded_at, f.request_id, f.item, f.partition,
    f."offset", f.event_number, f.feed_number, r.digest AS ref_digest, r.book_id AS ref_book, r.kind AS ref_kind, r.subject AS ref_subject,
    r.sequence AS ref_sequence,
    CASE WHEN i.loan_id IS NOT NULL THEN json_build_object('clientId', i.client_id, 'reference', i.reference,
      'configurationId', i.configuration_id, 'configurationVersion', i.configuration_version) END AS loan,
    CASE WHEN l.id IS NOT NULL THEN json_build_object('listing', l.listing, 'id', l.id, 'row', l."row") END AS listed
  FROM unnest($1::text[], $2::text[]) AS w (tenant_id, book_id)
  JOIN books b USING (tenant_id, book_id)
  CROSS JOIN LATERAL (SELECT * FROM facts WHERE tenant_id = b.tenant_id AND book_id = b.book_id AND partition = b.partition OFFSET 0) f
  ${rowsOfFact}
  ORDER BY f.tenant_id, f.book_id, f.sequence`;

const loansText = `
  SELECT w.tenant_id, w.book_id, l.loan_id, l.number, l.state FROM unnest($1::text[], $2::text[]) AS w (tenant_id, book_id)
  JOIN loans l ON l.tenant_id = w.tenant_id AND l.client_id = substr(w.book_id, 3) ORDER BY l.number`;

const spansText = `
  SELECT tenant_id, book_id, from_day, to_day FROM unnest($1::text[], $2::text[]) AS w (tenant_id, book_id)
  JOIN due_spans USING (tenant_id, book_id) ORDER BY from_day`;

export async function readBookPage(database: Queryable, page: readonly BookName[]): Promise<BookPage> {
  const names = [page.map((book) => book.tenant_id), page.map((book) => book.book_id)];
  const byBook = async <Row extends AuditFactRow | AuditLoanRow | AuditDueSpanRow>(name: string, text: string) =>
    Map.groupBy(await query<Row>(database, name, text, names), bookLabel);
  return {
    books: await query<AuditBookRow>(database, 'audited_books', booksText, names),
    facts: await byBook<AuditFactRow>('audited_facts', factsText),
    loans: await byBook<AuditLoanRow>('audited_loans', loansText),
    dueSpans: await byBook<AuditDueSpanRow>('audited_spans', spansText),
  };
}

/** A book as Redis holds it: the head of its snapshot and the text behind it. */
export interface CachedBook {
  readonly sequence: number;
  readonly versionCount: number;
  readonly versionAt: number | null;
  readonly recordedAt: number;
  readonly data: string;
}

/** In the order of the books; undefined for books that Redis does not hold. */
export async function readCachedBooks(
  cache: SnapshotCache,
  books: readonly BookName[],
): Promise<(CachedBook | undefined)[]> {
  const texts = await cache.read(books.map(({ tenant_id: tenantId, book_id: bookId }) => ({ tenantId, bookId })));
  return texts.map((text) => (text === undefined ? undefined : parseCachedBook(text)));
}

function parseCachedBook(text: string): CachedBook {
  const end = text.indexOf('\n');
  const [sequence, versionCount, versionAt, recordedAt] = JSON.parse(text.slice(0, end)) as [
    number,
    number,
    number | null,
    number,
  ];
  return { sequence, versionCount, versionAt, recordedAt, data: text.slice(end + 1) };
}
