/** The partitions by their owner: a line for each processor is enough to see that all of them are served. */
import type { ProgressReading } from './partition-progress.ts';
import type { PartitionState } from './read-health.ts';

export interface PartitionOwner {
  /** Null for partitions without one. */
  readonly owner: string | null;
  readonly partitions: readonly number[];
  /** Of these partitions together; undefined where one of them was not read. */
  readonly undecided: number | undefined;
  readonly unpublished: number | undefined;
}

/** Partitions without an owner first. */
export function partitionOwners(
  states: readonly PartitionState[],
  progress: ProgressReading['partitions'] | undefined,
): readonly PartitionOwner[] {
  return [...Map.groupBy(states, ({ owner }) => owner)]
    .map(([owner, owned]) => {
      const partitions = owned.map(({ partition }) => partition);
      const read = partitions.map((partition) => progress?.get(partition));
      return {
        owner,
        partitions,
        undecided: sumOf(read.map((each) => each?.undecided.waiting)),
        unpublished: sumOf(read.map((each) => each?.unpublished.waiting)),
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
