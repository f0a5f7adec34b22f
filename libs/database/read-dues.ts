/** The Clients of whom something can be due on a day, in the order of their identifiers. */
import { clientOf } from '#libs/ledger/book-id.ts';
import { type BookStood, type StoodTuple, stoodOf } from './book-stood.ts';
import type { Database } from './database.ts';
import { askTimed, type Watch } from './reading.ts';

export interface DueWalk {
  readonly tenantId: string;
  /** Days since 1970-01-01. */
  readonly on: number;
  /** The Client to go on after; empty for the first page. */
  readonly after: string;
  readonly most: number;
}

export interface DueClient extends BookStood {
  readonly clientId: string;
}

/** Byte by byte, so that the order is the same in every database. */
const order = 'COLLATE "C"';

/**
 * So many are few: all of them are found by their days and put in order. Where there are more, those who come next in order
 * are not far, and the order is walked. So a page reads little more than this, be it of a day on which everybody is due or
 * of one on which hardly anybody is; only where all who are due have names beside each other is the way to them longer.
 * Of 100,000 Clients the dearest day between few and many costs the least with these figures.
 */
const few = { owing: 2_000, paidSince: 8_000 } as const;

const owing = `SELECT book_id FROM books WHERE tenant_id = $1 AND due_from <= $2 ORDER BY due_from LIMIT ${few.owing}`;

/** By the day a stretch ended on, which says where it had begun: the server skips from one such day to the next. */
const paidSince = `
  SELECT book_id FROM due_spans WHERE tenant_id = $1 AND to_day >= $2 AND from_day <= $2 ORDER BY to_day LIMIT ${few.paidSince}`;

/** Added to nothing, the day is no condition by which an index would be chosen: the order is. */
const isOwing = 'b.due_from + 0 <= $2';

/** Stretches of a book never overlap: the last that had begun is the one the day lies in, if it lies in any. */
const hasPaidSince = `
  (SELECT to_day FROM due_spans s WHERE s.tenant_id = $1 AND s.book_id = b.book_id AND s.from_day <= $2
    ORDER BY s.from_day DESC LIMIT 1) >= $2`;

const next = `book_id ${order} > $3 ORDER BY book_id ${order} LIMIT $4`;

function sorted(found: string, isMany: string): string {
  return `(SELECT book_id FROM (${found}) AS found WHERE NOT (SELECT ${isMany} FROM many) AND ${next})`;
}

function walked(condition: string, isMany: string): string {
  return `(SELECT book_id FROM books b WHERE (SELECT ${isMany} FROM many) AND tenant_id = $1 AND ${condition} AND ${next})`;
}

/**
 * Each way is written so that it has one plan, whatever the planner thinks of how many there are; which is taken, is asked
 * of the books in the same statement. How far each book was is looked up by its key.
 */
const text = `
  WITH many AS MATERIALIZED (SELECT
    (SELECT count(*) FROM (${owing}) AS found) = ${few.owing} AS owing,
    (SELECT count(*) FROM (${paidSince}) AS found) = ${few.paidSince} AS paid_since)
  SELECT c.book_id,
    (SELECT json_build_array(b.sequence, b.recorded_at) FROM books b WHERE b.tenant_id = $1 AND b.book_id = c.book_id) AS stood
  FROM (
    ${sorted(owing, 'owing')} UNION ${walked(isOwing, 'owing')} UNION
    ${sorted(paidSince, 'paid_since')} UNION ${walked(hasPaidSince, 'paid_since')}) c
  ORDER BY c.book_id ${order} LIMIT $4`;

interface Row {
  readonly book_id: string;
  readonly stood: StoodTuple;
}

export async function dueClients(
  database: Database,
  watch: Watch,
  { tenantId, on, after, most }: DueWalk,
): Promise<DueClient[]> {
  const values = [tenantId, on, `c/${after}`, most];
  const rows = await askTimed<Row>(database, watch, 'due_clients', text, values);
  return rows.map(({ book_id, stood }) => ({ clientId: String(clientOf(book_id)), ...stoodOf(stood) }));
}
