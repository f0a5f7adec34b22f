/** The partitions of the stacks that tests run against. */
import { developmentPartitions } from '#deploy/dev/dev-files.ts';
import * as books from '#libs/kafka/book-key-partition.ts';

export const partitionCount = developmentPartitions;

export const allPartitions: readonly number[] = Array.from({ length: partitionCount }, (_, partition) => partition);

export function partitionOf(key: string): number {
  return books.partitionOf(key, partitionCount);
}
