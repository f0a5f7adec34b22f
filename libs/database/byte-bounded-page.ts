/** Pages are bounded by bytes as well as by rows: two hundred Decisions can have 130 MiB. */

/** Of the stored rows; a page has at least one row, whatever its size. */
export const maxPageBytes = 1024 * 1024;

/** A row of a page. `found` counts the rows that the limit of rows allows; fewer are returned where they are long. */
export interface BoundedRow {
  readonly found: number;
}

export interface PageRows {
  /** Selects the rows in any order, one more than the page may have, with the column `content` of type json. */
  readonly rows: string;
  readonly order: string;
  /** The columns to return besides `content` as text and `found`. */
  readonly columns: string;
}

/**
 * The rows up to the limit of bytes. The stored size, which Postgres knows without reading a long value, bounds what is
 * read; the length of the text, which is several times as long where it was compressed, bounds what is returned.
 */
export function byteBoundedSql({ rows, order, columns }: PageRows): string {
  return `
    WITH sized AS (
      SELECT *, row_number() OVER page AS nth, sum(pg_column_size(content)) OVER page AS stored_bytes,
        (count(*) OVER ())::integer AS found
      FROM (${rows}) AS r WINDOW page AS (ORDER BY ${order} ROWS UNBOUNDED PRECEDING)),
    texts AS MATERIALIZED (
      SELECT ${columns}, nth, found, content::text AS content FROM sized WHERE nth = 1 OR stored_bytes <= ${maxPageBytes}),
    measured AS (SELECT *, sum(octet_length(content)) OVER (ORDER BY nth ROWS UNBOUNDED PRECEDING) AS bytes FROM texts)
    SELECT ${columns}, found, content FROM measured WHERE nth = 1 OR bytes <= ${maxPageBytes} ORDER BY nth`;
}
