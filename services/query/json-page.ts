/** A page of a listing as JSON text, bounded by rows and by bytes. */
import { maxPageBytes } from '#libs/database/byte-bounded-page.ts';
import type { RouteResponse } from '#libs/http/handler.ts';
import type { JsonObject } from '#libs/schema/json.ts';

export interface JsonPage {
  /** Each row as JSON. */
  readonly texts: readonly string[];
  /** Absent at the end of the listing. */
  readonly cursor: string | undefined;
}

export interface PageOptions<Row> {
  readonly limit: number;
  /** How many rows there are, where a limit of bytes left some out of `rows`. */
  readonly found?: number | undefined;
  readonly textOf: (row: Row) => string;
  readonly cursorAfter: (last: Row, count: number) => string;
}

/** `rows` has at least one row more than the page where another page follows. A page has at least one row. */
export function jsonPage<Row>(rows: readonly Row[], options: PageOptions<Row>): JsonPage {
  const { limit, found = rows.length, textOf, cursorAfter } = options;
  const texts: string[] = [];
  let bytes = 0;
  for (const row of rows.slice(0, limit)) {
    const text = textOf(row);
    bytes += Buffer.byteLength(text);
    if (bytes > maxPageBytes && texts.length > 0) break;
    texts.push(text);
  }
  const last = rows[texts.length - 1];
  const hasMore = last !== undefined && found > texts.length;
  return { texts, cursor: hasMore ? cursorAfter(last, texts.length) : undefined };
}

/** The answer with the rows under `name`, after the other members. */
export function pageResponse(name: string, { texts, cursor }: JsonPage, members: JsonObject = {}): RouteResponse {
  const before = JSON.stringify(members).slice(1, -1);
  const after = cursor === undefined ? '' : `,"cursor":${JSON.stringify(cursor)}`;
  return { status: 200, text: `{${before}${before === '' ? '' : ','}"${name}":[${texts.join(',')}]${after}}` };
}
