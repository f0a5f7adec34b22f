/** The Clients of whom something can be due on a day, in the order of their identifiers. */
import { clientOf } from '#libs/turn/book-id.ts';
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

export interface DueClient {
  readonly clientId: string;
  /** How many facts the book held at the moment of the page. */
  readonly sequence: number;
}

/** Byte by byte, so that the order is the same in every database. */
const order = 'COLLATE "C"';

/** How far each book was is looked up by its key, whatever the planner thinks of how many there are. */
const text = `
  SELECT c.book_id, (SELECT b.sequence FROM books b WHERE b.tenant_id = $1 AND b.book_id = c.book_id) AS sequence
  FROM (
    SELECT book_id FROM books WHERE tenant_id = $1 AND due_from <= $2 AND book_id ${order} > $3
    UNION
    SELECT book_id FROM due_spans WHERE tenant_id = $1 AND to_day >= $2 AND from_day <= $2 AND book_id ${order} > $3) c
  ORDER BY c.book_id ${order} LIMIT $4`;

export async function dueClients(
  database: Database,
  watch: Watch,
  { tenantId, on, after, most }: DueWalk,
): Promise<DueClient[]> {
  const values = [tenantId, on, `c/${after}`, most];
  const rows = await askTimed<{ book_id: string; sequence: number }>(database, watch, 'due_clients', text, values);
  return rows.map(({ book_id, sequence }) => ({ clientId: String(clientOf(book_id)), sequence }));
}
