/**
 * Pages of a listing by ranges of numbers (decisions 0089 and 0090). Each database numbers the rows that it records; a row that
 * was moved to another database keeps its number.
 */
import { type StageTimer, untimed } from './database.ts';
import type { NumberedRow, SourcePage } from './merge-pages.ts';
import type { PartitionDatabases } from './partition-databases.ts';
import type { ListingSource } from './placement-view.ts';

type Order = 'newest' | 'oldest';

export interface ListingRead<Row extends NumberedRow> {
  readonly order: Order;
  readonly sources: readonly ListingSource[];
  readonly read: (source: ListingSource, timer: StageTimer) => Promise<SourcePage<Row>>;
}

/** A page of each range, in the order of the databases that gave the numbers. Rejects where a database does not answer. */
export async function readRanges<Row extends NumberedRow>(
  databases: PartitionDatabases,
  timer: StageTimer,
  { order, sources, read }: ListingRead<Row>,
): Promise<SourcePage<Row>[]> {
  // Reads of several databases at once count as one.
  const pages = await timer.measure('db', () => Promise.all(sources.map((source) => read(source, untimed))));
  const ofRanges = Map.groupBy(pages.keys(), (index) => (sources[index] as ListingSource).range);
  return databases.all.map((_, range) =>
    joinRange(
      (ofRanges.get(range) ?? []).map((index) => pages[index] as SourcePage<Row>),
      order,
    ),
  );
}

/**
 * Of one range, whose rows are in the order of their numbers wherever they are. A number that two databases have is one row:
 * its partition was moved, and the former database still has it.
 */
export function joinRange<Row extends NumberedRow>(pages: readonly SourcePage<Row>[], order: Order): SourcePage<Row> {
  const [only, ...others] = pages;
  if (only === undefined) return { rows: [], moments: [], next: undefined };
  if (others.length === 0) return only;
  const isBefore = (one: number, other: number): boolean => (order === 'newest' ? one > other : one < other);
  const ends = pages.flatMap(({ next }) => next ?? []);
  // Behind it, one of the databases may have rows that were not read.
  const end = ends.length === 0 ? undefined : ends.reduce((first, each) => (isBefore(each, first) ? each : first));
  const found = pages
    .flatMap(({ rows, moments }) => rows.map((row, index) => ({ row, moment: moments[index] as number })))
    .filter(({ row }) => end === undefined || !isBefore(end, row.number))
    .sort((one, other) => (isBefore(one.row.number, other.row.number) ? -1 : 1))
    .filter(({ row }, index, sorted) => row.number !== sorted[index - 1]?.row.number);
  return { rows: found.map(({ row }) => row), moments: found.map(({ moment }) => moment), next: end };
}
