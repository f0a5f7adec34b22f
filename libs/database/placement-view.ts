/** Where the partitions of a cell are by one reading of its placement. A read of several databases uses one view to its end. */
import { bookKey, partitionOf } from '#libs/kafka/book-key-partition.ts';
import { DependencyUnavailableError } from '#libs/runtime/dependency.ts';
import type { BookKey } from './books.ts';
import type { Database } from './database.ts';

/** A database beside the home database. */
export interface NamedDatabase {
  readonly name: string;
  /** In the order in which they were added to the cell, from 1. */
  readonly number: number;
}

export interface Placement {
  readonly partitionCount: number;
  /** In ascending order of their numbers. */
  readonly databases: readonly NamedDatabase[];
  /** The number of the database of each partition that is not in the home database. */
  readonly numbers: ReadonlyMap<number, number>;
  /** Of a partition that was moved: the numbers of the databases in which it was before. */
  readonly earlierNumbers: ReadonlyMap<number, readonly number[]>;
}

/** The rows of a listing that got their numbers in one database, as far as they are in this one. */
export interface ListingSource {
  readonly database: Database;
  /** The place among all databases of the one that numbered the rows. */
  readonly range: number;
  readonly firstNumber: number;
  readonly lastNumber: number;
}

/** Each database numbers its rows from its own number times this. */
const numbersPerDatabase = 2 ** 40;

/** The numbers that a database gives. */
export function numberRange(number: number): { readonly firstNumber: number; readonly lastNumber: number } {
  return { firstNumber: number * numbersPerDatabase, lastNumber: (number + 1) * numbersPerDatabase - 1 };
}

export class PlacementView {
  readonly placement: Placement;
  /** In the order of the databases, and for each of the ranges of its numbers. */
  readonly listingSources: readonly ListingSource[];
  readonly #byNumber: ReadonlyMap<number, Database>;

  /** `opened` has the home database by the number 0. It lacks databases that were added after the start of this process. */
  constructor(placement: Placement, opened: ReadonlyMap<number, Database>) {
    this.placement = placement;
    this.#byNumber = opened;
    this.listingSources = this.#findSources();
  }

  get hasSeveral(): boolean {
    return this.placement.databases.length > 0;
  }

  ofPartition(partition: number): Database {
    const found = this.#byNumber.get(this.numberOf(partition));
    if (found === undefined) throw addedSince(partition);
    return found;
  }

  isKnown(partition: number): boolean {
    return this.#byNumber.has(this.numberOf(partition));
  }

  /** 0 for the home database. */
  numberOf(partition: number): number {
    return this.placement.numbers.get(partition) ?? 0;
  }

  partitionOf({ tenantId, bookId }: BookKey): number {
    return partitionOf(bookKey(tenantId, bookId), this.placement.partitionCount);
  }

  ofBook(key: BookKey): Database {
    if (!this.hasSeveral) return this.#byNumber.get(0) as Database;
    return this.ofPartition(this.partitionOf(key));
  }

  /** False for what stayed in a database from which the partition was moved. */
  isHere(database: Database, key: BookKey): boolean {
    return !this.hasSeveral || this.ofBook(key) === database;
  }

  /** What is read from all databases would lack the rows of one. */
  requireAllKnown(): void {
    const { numbers, earlierNumbers } = this.placement;
    for (const [partition, number] of [...numbers, ...flatten(earlierNumbers)])
      if (!this.#byNumber.has(number)) throw addedSince(partition);
  }

  #findSources(): ListingSource[] {
    const { earlierNumbers } = this.placement;
    const opened = [...this.#byNumber];
    return opened.flatMap(([own, database]) => {
      const moved = [...earlierNumbers].filter(([partition]) => this.numberOf(partition) === own);
      const ranges = new Set([own, ...moved.flatMap(([, earlier]) => earlier)]);
      return opened.flatMap(([number], range) =>
        ranges.has(number) ? [{ database, range, ...numberRange(number) }] : [],
      );
    });
  }
}

function flatten(numbers: ReadonlyMap<number, readonly number[]>): (readonly [number, number])[] {
  return [...numbers].flatMap(([partition, each]) => each.map((number) => [partition, number] as const));
}

function addedSince(partition: number): DependencyUnavailableError {
  return new DependencyUnavailableError(
    `partition ${partition}, of a database that was added after the start of this process`,
  );
}
