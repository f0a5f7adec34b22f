/**
 * Pages of a listing of a Tenancy whose rows are in several databases (decision 0089). Each database numbers its rows; between
 * databases they are in the order of their recording.
 */

/** A place in a listing: the last number read of each database, in the order of the databases. Missing ones are at the start. */
export type ListingPosition = readonly number[];

/** Above every number: the start of a listing from its newest row. */
export const fromNewest = Number.MAX_SAFE_INTEGER;

export interface NumberedRow {
  readonly number: number;
}

/** What one database has after its place. */
export interface SourcePage<Row extends NumberedRow> {
  /** In the order of the listing. */
  readonly rows: readonly Row[];
  /** When each row was recorded. */
  readonly moments: readonly number[];
  /** The number to continue after, where there are more rows behind these. */
  readonly next: number | undefined;
}

/** A row, and the place after it. */
export type RowAtPosition<Row> = Row & {
  /** Its database, by its place among all. */
  readonly source: number;
  readonly position: ListingPosition;
};

/** Rows of a cell with one database, or of a listing that is in one. */
export function atPositions<Row extends NumberedRow>(rows: readonly Row[]): RowAtPosition<Row>[] {
  return rows.map((row) => ({ ...row, source: 0, position: [row.number] }));
}

export interface RecordedRow extends NumberedRow {
  readonly recorded_at: number;
}

/** When each row was recorded, by its number. */
export function momentsInOrder(rows: readonly NumberedRow[], recorded: readonly RecordedRow[]): number[] {
  const moments = new Map(recorded.map(({ number, recorded_at }) => [number, recorded_at]));
  return rows.map(({ number }) => moments.get(number) ?? 0);
}

export interface MergedPage<Row> {
  readonly rows: readonly RowAtPosition<Row>[];
  /** The place after the page, where more rows may follow. */
  readonly next: ListingPosition | undefined;
}

export interface MergeOptions {
  /** For each database. */
  readonly start: readonly number[];
  readonly limit: number;
  readonly order: 'newest' | 'oldest';
}

/** In front of what was read: what is recorded later must not appear inside a walk. */
function newestPlace<Row extends NumberedRow>({ rows, next }: SourcePage<Row>): number {
  const [first] = rows;
  return first === undefined ? (next ?? 0) : first.number + 1;
}

/** Ends early behind the last row of a database that has more: which of them comes next is not known. */
export function mergePages<Row extends NumberedRow>(
  pages: readonly SourcePage<Row>[],
  { start, limit, order }: MergeOptions,
): MergedPage<Row> {
  const position = pages.map((page, index) => (order === 'newest' ? newestPlace(page) : (start[index] as number)));
  const taken = pages.map(() => 0);
  const rows: RowAtPosition<Row>[] = [];
  const isBefore = (one: number, other: number): boolean => (order === 'newest' ? one > other : one < other);
  while (rows.length < limit) {
    let first: { readonly page: number; readonly moment: number } | undefined;
    let isUnknown = false;
    for (const [index, { moments, next }] of pages.entries()) {
      const moment = moments[taken[index] as number];
      if (moment === undefined) isUnknown ||= next !== undefined;
      else if (first === undefined || isBefore(moment, first.moment)) first = { page: index, moment };
    }
    if (first === undefined || isUnknown) break;
    const { page } = first;
    const row = pages[page]?.rows[taken[page] as number] as Row;
    taken[page] = (taken[page] as number) + 1;
    position[page] = row.number;
    rows.push({ ...row, source: page, position: [...position] });
  }
  let hasMore = false;
  for (const [index, { rows: found, next }] of pages.entries()) {
    if ((taken[index] as number) < found.length) hasMore = true;
    else if (next !== undefined) {
      position[index] = next;
      hasMore = true;
    }
  }
  return { rows, next: hasMore ? position : undefined };
}
