/** How many partitions a cell gets, or has: a book must stay in its partition, so the number is fixed once it is used. */
import { defaultPartitionCount } from '#libs/kafka/book-key-partition.ts';

export interface FoundPartitions {
  /** Undefined where the operator leaves it open. */
  readonly requested: number | undefined;
  /** Undefined where the cell has no topic yet, or lost all. */
  readonly inTopics: number | undefined;
  readonly inTables: number;
  /** Whether a processor ever owned a partition of these tables. */
  readonly isUsed: boolean;
}

/** Unused tables are adapted to topics that exist: the database may be a new one in place of a lost one. */
export function choosePartitionCount({ requested, inTopics, inTables, isUsed }: FoundPartitions): number {
  const fixed = inTopics ?? (isUsed ? inTables : undefined);
  if (fixed !== undefined && requested !== undefined && requested !== fixed) {
    throw new Error(`the cell has ${fixed} partitions, not ${requested}: the number is fixed for the life of a cell`);
  }
  const count = fixed ?? requested ?? defaultPartitionCount;
  if (isUsed && count !== inTables) {
    throw new Error(
      `the topics have ${count} partitions and the database has ${inTables}: they do not belong to the same cell`,
    );
  }
  return count;
}
