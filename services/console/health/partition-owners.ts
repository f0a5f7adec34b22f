/** The partitions by their owner: a line for each processor is enough to see that all of them are served. */
import { type CellHealth, progressOf } from './findings.ts';

export interface PartitionOwner {
  /** Null for partitions without one. */
  readonly owner: string | null;
  readonly partitions: readonly number[];
  /** Of these partitions together; undefined where Kafka has not answered for one of them. */
  readonly lag: number | undefined;
  readonly unpublished: number | undefined;
}

/** Partitions without an owner first. */
export function partitionOwners({
  database,
  topics,
}: Pick<CellHealth, 'database' | 'topics'>): readonly PartitionOwner[] {
  const byOwner = Map.groupBy(database.partitions, ({ owner }) => owner);
  return [...byOwner]
    .map(([owner, partitions]) => {
      const progress = partitions.map((partition) => progressOf(partition, topics));
      return {
        owner,
        partitions: partitions.map(({ partition }) => partition),
        lag: sumOf(progress.map(({ lag }) => lag)),
        unpublished: sumOf(progress.map(({ unpublished }) => unpublished)),
      };
    })
    .sort((one, other) => ((one.owner ?? '') < (other.owner ?? '') ? -1 : 1));
}

function sumOf(counts: readonly (number | undefined)[]): number | undefined {
  return counts.reduce((sum, count) => (sum === undefined || count === undefined ? undefined : sum + count), 0);
}

/** `0–3, 5`. The numbers rise. */
export function rangesText(numbers: readonly number[]): string {
  const ranges: { from: number; to: number }[] = [];
  for (const number of numbers) {
    const last = ranges.at(-1);
    if (last?.to === number - 1) last.to = number;
    else ranges.push({ from: number, to: number });
  }
  return ranges.map(({ from, to }) => (from === to ? String(from) : `${from}–${to}`)).join(', ');
}
