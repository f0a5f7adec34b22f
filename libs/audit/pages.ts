/** Books, with all that is kept of them, a page at a time and all of one moment. */
import type { Json } from '#libs/contract/json.ts';
import { type Asked, ask } from '#libs/store/database.ts';

export interface BookRow {
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

export interface FactRow {
  readonly tenant_id: string;
  readonly book_id: string;
  readonly sequence: number;
  readonly kind: string;
  readonly body: string;
  readonly counts: boolean;
  readonly version_count: number;
  readonly version_at: number | null;
  readonly namespace: string | null;
  readonly reference: string | null;
  readonly occurred_on: number | null;
  readonly loan_id: string | null;
  readonly event_id: string | null;
  readonly merchant_ref: string | null;
  readonly recorded_at: number;
  readonly request_id: string;
  readonly item: number;
  readonly partition: number;
  readonly offset: number;
  readonly ref_digest: Buffer | null;
  readonly ref_book: string | null;
  readonly ref_kind: string | null;
  readonly ref_subject: string | null;
  readonly ref_sequence: number | null;
  readonly loan: Json;
  readonly listed: Json;
}

export interface LoanRow {
  readonly tenant_id: string;
  readonly book_id: string;
  readonly loan_id: string;
  readonly state: string;
}

export interface SpanRow {
  readonly tenant_id: string;
  readonly book_id: string;
  readonly from_day: number;
  readonly to_day: number;
}

export interface Page {
  readonly books: readonly BookRow[];
  readonly facts: ReadonlyMap<string, readonly FactRow[]>;
  readonly loans: ReadonlyMap<string, readonly LoanRow[]>;
  readonly spans: ReadonlyMap<string, readonly SpanRow[]>;
}

export function nameOf({ tenant_id, book_id }: { readonly tenant_id: string; readonly book_id: string }): string {
  return `${tenant_id}/${book_id}`;
}

const mostBooks = 200;
/** Facts of one page together, but for a book that holds more by itself. */
const mostFacts = 5_000;

/** The Tenancies' own books first where `which` says so: what stands in them is asked of all others. */
export async function* pagesOf(on: Asked, which: 'tenancies' | 'clients'): AsyncGenerator<Page> {
  const own = which === 'tenancies' ? "= 't'" : "<> 't'";
  const text = `
    SELECT b.tenant_id, b.book_id, b.sequence, b.version_count, b.version_at, b.recorded_at, b.due_from,
      s.sequence AS shot_sequence, s.data AS shot
    FROM books b LEFT JOIN snapshots s USING (tenant_id, book_id)
    WHERE (b.tenant_id, b.book_id) > ($1, $2) AND b.book_id ${own} ORDER BY b.tenant_id, b.book_id LIMIT ${mostBooks}`;
  for (let after = ['', '']; ; ) {
    const found = await ask<BookRow>(on, `audited_${which}`, text, after);
    const books = atMost(found);
    const last = books.at(-1);
    if (last === undefined) return;
    yield await pageOf(on, books);
    after = [last.tenant_id, last.book_id];
  }
}

function atMost(found: readonly BookRow[]): BookRow[] {
  const books: BookRow[] = [];
  let facts = 0;
  for (const book of found) {
    facts += book.sequence;
    if (books.length > 0 && facts > mostFacts) break;
    books.push(book);
  }
  return books;
}

const factsText = `
  SELECT f.tenant_id, f.book_id, f.sequence, f.kind, f.body::text AS body, f.counts, f.version_count, f.version_at,
    f.namespace, f.reference, f.occurred_on, f.loan_id, f.event_id, f.merchant_ref, f.recorded_at, f.request_id, f.item, f.partition,
    f."offset", r.digest AS ref_digest, r.book_id AS ref_book, r.kind AS ref_kind, r.subject AS ref_subject,
    r.sequence AS ref_sequence,
    CASE WHEN i.loan_id IS NOT NULL THEN json_build_object('clientId', i.client_id, 'reference', i.reference,
      'configurationId', i.configuration_id, 'configurationVersion', i.configuration_version) END AS loan,
    CASE WHEN l.id IS NOT NULL THEN json_build_object('listing', l.listing, 'id', l.id, 'row', l."row") END AS listed
  FROM unnest($1::text[], $2::text[]) AS w (tenant_id, book_id)
  JOIN facts f USING (tenant_id, book_id)
  LEFT JOIN refs r ON r.tenant_id = f.tenant_id AND r.namespace = f.namespace AND r.reference = f.reference
  LEFT JOIN loans i ON i.tenant_id = f.tenant_id AND i.loan_id = f.loan_id AND i.number = f.feed_no
  LEFT JOIN listed l ON l.tenant_id = f.tenant_id AND l.book_id = f.book_id AND l.sequence = f.sequence
  ORDER BY f.tenant_id, f.book_id, f.sequence`;

const loansText = `
  SELECT w.tenant_id, w.book_id, l.loan_id, l.state FROM unnest($1::text[], $2::text[]) AS w (tenant_id, book_id)
  JOIN loans l ON l.tenant_id = w.tenant_id AND l.client_id = substr(w.book_id, 3) ORDER BY l.number`;

const spansText = `
  SELECT tenant_id, book_id, from_day, to_day FROM unnest($1::text[], $2::text[]) AS w (tenant_id, book_id)
  JOIN due_spans USING (tenant_id, book_id) ORDER BY from_day`;

async function pageOf(on: Asked, books: readonly BookRow[]): Promise<Page> {
  const names = [books.map((book) => book.tenant_id), books.map((book) => book.book_id)];
  const byBook = async <Row extends FactRow | LoanRow | SpanRow>(name: string, text: string) =>
    Map.groupBy(await ask<Row>(on, name, text, names), nameOf);
  return {
    books,
    facts: await byBook<FactRow>('audited_facts', factsText),
    loans: await byBook<LoanRow>('audited_loans', loansText),
    spans: await byBook<SpanRow>('audited_spans', spansText),
  };
}
