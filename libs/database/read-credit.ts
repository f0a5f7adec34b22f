/** Decisions and Facilities as they were recorded, in the whole Tenancy or of one Client, newest first. */
import type { Database } from './database.ts';
import { askTimed, type Watch } from './reading.ts';

export interface ListedText {
  readonly number: number;
  /** JSON text as it was recorded. To ask for a member of it Postgres unescapes all of it, and fails where it holds U+0000. */
  readonly row: string;
}

export interface DecisionsAsked {
  readonly tenantId: string;
  /** Of one Client; else of all. */
  readonly bookId?: string;
  readonly before: number;
  readonly most: number;
}

export function decisionsBefore(database: Database, watch: Watch, asked: DecisionsAsked): Promise<ListedText[]> {
  const { tenantId, bookId, before, most } = asked;
  const own = bookId === undefined ? '' : 'AND book_id = $4';
  const text = `
    SELECT number, "row"::text AS row FROM listed
    WHERE tenant_id = $1 AND listing = 'decisions' AND number < $2 ${own}
    ORDER BY number DESC LIMIT $3`;
  const values = [tenantId, before, most, ...(bookId === undefined ? [] : [bookId])];
  return askTimed(database, watch, bookId === undefined ? 'decisions_before' : 'decisions_of_before', text, values);
}

/** All of them: the contract's list has no pages. */
export function facilitiesListed(
  database: Database,
  watch: Watch,
  { tenantId, bookId }: { readonly tenantId: string; readonly bookId?: string },
): Promise<ListedText[]> {
  const own = bookId === undefined ? '' : 'AND book_id = $2';
  const text = `
    SELECT number, "row"::text AS row FROM listed
    WHERE tenant_id = $1 AND listing = 'facilities' ${own} ORDER BY number DESC`;
  const name = bookId === undefined ? 'facilities' : 'facilities_of';
  return askTimed(database, watch, name, text, [tenantId, ...(bookId === undefined ? [] : [bookId])]);
}
