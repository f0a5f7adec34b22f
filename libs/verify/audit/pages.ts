/** Books, with all that is kept of them, a page at a time and all of one moment. */

import { type Queryable, query } from '#libs/database/database.ts';
import type { Json } from '#libs/schema/json.ts';

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

/** How many names are asked for at once. */
const mostNames = 1_000;
/** Facts of one page together, but for a book that holds more by itself: the requests of all of them are at hand at once. */
const mostFacts = 1_000;

interface NamedBook {
  readonly tenant_id: string;
  readonly book_id: string;
  readonly sequence: number;
}

/**
 * Partition by partition, because a request is kept once for each partition it went to: the facts of a batch are looked at
 * while it is at hand. Asked within a transaction.
 */
export async function* pagesOf(on: Queryable, which: 'tenancies' | 'clients'): AsyncGenerator<Page> {
  const cursor = `audited_${which}`;
  await on.query(`DECLARE ${cursor} NO SCROLL CURSOR FOR SELECT tenant_id, book_id, sequence FROM books
    WHERE book_id ${which === 'tenancies' ? '=' : '<>'} 't' ORDER BY partition, tenant_id, book_id`);
  for (;;) {
    const { rows } = await on.query(`FETCH ${mostNames} FROM ${cursor}`);
    if (rows.length === 0) break;
    for (const names of shared(rows as NamedBook[])) yield pageOf(on, names);
  }
  await on.query(`CLOSE ${cursor}`);
}

function* shared(names: readonly NamedBook[]): Generator<NamedBook[]> {
  let page: NamedBook[] = [];
  let facts = 0;
  for (const name of names) {
    if (page.length > 0 && facts + name.sequence > mostFacts) {
      yield page;
      page = [];
      facts = 0;
    }
    page.push(name);
    facts += name.sequence;
  }
  if (page.length > 0) yield page;
}

const booksText = `
  SELECT b.tenant_id, b.book_id, b.sequence, b.version_count, b.version_at, b.recorded_at, b.due_from,
    s.sequence AS shot_sequence, s.data AS shot
  FROM unnest($1::text[], $2::text[]) AS w (tenant_id, book_id)
  JOIN books b USING (tenant_id, book_id) LEFT JOIN snapshots s USING (tenant_id, book_id)`;

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

async function pageOf(on: Queryable, page: readonly NamedBook[]): Promise<Page> {
  const names = [page.map((book) => book.tenant_id), page.map((book) => book.book_id)];
  const byBook = async <Row extends FactRow | LoanRow | SpanRow>(name: string, text: string) =>
    Map.groupBy(await query<Row>(on, name, text, names), nameOf);
  return {
    books: await query<BookRow>(on, 'audited_books', booksText, names),
    facts: await byBook<FactRow>('audited_facts', factsText),
    loans: await byBook<LoanRow>('audited_loans', loansText),
    spans: await byBook<SpanRow>('audited_spans', spansText),
  };
}
