/** How many partitions a cell gets, or has: a book must stay in its partition, so the number is fixed once it is used. */
import type { FoundTopics } from '#libs/kafka/topics.ts';

export interface FoundPartitions {
  /** Undefined where the operator leaves it open. */
  readonly requested: number | undefined;
  readonly defaultPartitions: number;
  readonly inTopics: FoundTopics;
  readonly inTables: {
    readonly partitions: number;
    /** Whether a processor ever owned one. */
    readonly isUsed: boolean;
  };
}

/** Unused tables are adapted to topics that exist: the database may be a new one in place of a lost one. */
export function choosePartitionCount({ requested, defaultPartitions, inTopics, inTables }: FoundPartitions): number {
  const fixed = inTopics.partitions ?? (inTables.isUsed ? inTables.partitions : undefined);
  if (fixed !== undefined && requested !== undefined && requested !== fixed) {
    throw new Error(`the cell has ${fixed} partitions, not ${requested}: the number is fixed for the life of a cell`);
  }
  if (inTables.isUsed && fixed !== inTables.partitions) {
    throw new Error(
      `the topics have ${fixed} partitions and the database has ${inTables.partitions}: they do not belong to the same cell, or ` +
        'another program created the topics',
    );
  }
  if (!inTables.isUsed && fixed !== undefined && requested === undefined && inTopics.missing.length > 0) {
    throw new Error(
      `${inTopics.missing.join(', ')} must be created, the other topics have ${fixed} partitions, and the database is new: if another ` +
        `program created them, delete them; if they are those of the cell, add \`--partitions ${fixed}\` to \`lending prepare\``,
    );
  }
  return fixed ?? requested ?? defaultPartitions;
}
