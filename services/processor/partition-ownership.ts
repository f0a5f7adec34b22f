/** The partitions this instance owns, with their epochs and positions. Every commit is fenced by them (A2). */
import type { FenceRow } from '#libs/database/commit-row-types.ts';
import type { Database } from '#libs/database/database.ts';
import {
  type PartitionPosition,
  partitionsHere,
  readPartitionPositions,
  takeOverPartitions,
} from '#libs/database/partitions.ts';

/** The database holds less than this instance committed: a backup was restored. Going on would skip submissions. */
export class DatabaseSetBackError extends Error {
  override readonly name = 'DatabaseSetBackError';
}

export const setBackRemedy =
  'the database was set back; stop all processors, run `lending reconcile` and start them again';

/** Repeats of what the previous owner decided arrive within this time; later ones are past their deadline. */
const recentTakeoverMs = 5_000;

export class PartitionOwnership {
  readonly #database: Database;
  readonly #instanceName: string;
  readonly #reservesReferences: () => boolean;
  /** Up to which offset of the topic the group had processed each partition, as far as this instance has learned. */
  readonly #processed = new Map<number, number>();
  #partitions = new Map<number, PartitionPosition>();
  /** Also of partitions that another instance owns now. The database can only be at these positions or after them. */
  readonly #lastKnown = new Map<number, PartitionPosition>();
  readonly #takenOverAt = new Map<number, number>();

  constructor(database: Database, instanceName: string, reservesReferences = (): boolean => false) {
    this.#database = database;
    this.#instanceName = instanceName;
    this.#reservesReferences = reservesReferences;
  }

  /** What the group has committed, also of partitions of others. A database behind it at a takeover was set back. */
  learnProcessed(offsets: ReadonlyMap<number, number>): void {
    for (const [partition, offset] of offsets) {
      this.#processed.set(partition, Math.max(offset, this.#processed.get(partition) ?? 0));
    }
  }

  get partitions(): ReadonlyMap<number, PartitionPosition> {
    return this.#partitions;
  }

  owns(partition: number): boolean {
    return this.#partitions.has(partition);
  }

  position(partition: number): PartitionPosition {
    const owned = this.#partitions.get(partition);
    if (owned === undefined) throw new Error(`partition ${partition} is not owned by this instance`);
    return owned;
  }

  /** The previous owner may have decided what a retried send appended a second time. */
  wasTakenOverRecently(partition: number): boolean {
    return performance.now() - (this.#takenOverAt.get(partition) ?? 0) < recentTakeoverMs;
  }

  /** Raises the epochs. Returns the partitions that no other instance owned in between: their cached books are current. */
  async takeOver(partitions: readonly number[]): Promise<Set<number>> {
    this.#partitions = new Map();
    // Without partitions, a database that is down must not be waited for.
    if (partitions.length === 0) return new Set();
    const unchanged = new Set<number>();
    const options = { reservesReferences: this.#reservesReferences() };
    const taken = await takeOverPartitions(this.#database, this.#instanceName, partitions, options);
    for (const [partition, { previousEpoch, ...position }] of taken) {
      this.#checkNotSetBack(partition, { ...position, epoch: previousEpoch });
      checkNotBehindGroup(partition, position, this.#processed.get(partition) ?? 0);
      const before = this.#lastKnown.get(partition);
      if (before?.epoch === previousEpoch && before.nextOffset === position.nextOffset) unchanged.add(partition);
    }
    for (const [partition, { previousEpoch: _, ...position }] of taken) {
      this.#set(partition, position);
      this.#takenOverAt.set(partition, performance.now());
    }
    return unchanged;
  }

  advance(fences: readonly FenceRow[]): void {
    for (const { partition, nextOffset, nextEvent } of fences) {
      this.#set(partition, { ...this.position(partition), nextOffset, nextEvent });
    }
  }

  /**
   * After a failed commit: reads the positions from the database. Returns the partitions whose cached books are stale,
   * because another instance took them over, because they were moved to another database, or because the commit succeeded
   * although its answer was lost.
   */
  async refresh(): Promise<Set<number>> {
    const owned = [...this.#partitions.keys()];
    const here = await partitionsHere(this.#database, owned);
    const stale = new Set(owned.filter((partition) => !here.includes(partition)));
    for (const partition of stale) this.#partitions.delete(partition);
    const positions = await readPartitionPositions(this.#database, here);
    for (const [partition, stored] of positions) {
      this.#checkNotSetBack(partition, stored);
      const owned = this.position(partition);
      if (stored.epoch > owned.epoch) {
        this.#partitions.delete(partition);
        stale.add(partition);
      } else if (stored.nextOffset > owned.nextOffset) {
        this.#set(partition, stored);
        stale.add(partition);
      }
    }
    return stale;
  }

  #set(partition: number, position: PartitionPosition): void {
    this.#partitions.set(partition, position);
    this.#lastKnown.set(partition, position);
  }

  #checkNotSetBack(partition: number, stored: PartitionPosition): void {
    const known = this.#lastKnown.get(partition);
    if (known === undefined || (stored.epoch >= known.epoch && stored.nextOffset >= known.nextOffset)) return;
    throw new DatabaseSetBackError(
      `partition ${partition} is at epoch ${stored.epoch} and offset ${stored.nextOffset} in the database, ` +
        `but this instance committed epoch ${known.epoch} and offset ${known.nextOffset}: ${setBackRemedy}`,
    );
  }

  releaseAll(): void {
    this.#partitions = new Map();
  }
}

/** Members of the group commit an offset only after the database has committed it. */
function checkNotBehindGroup(partition: number, { nextOffset, logStart }: PartitionPosition, processed: number): void {
  const next = nextOffset - logStart;
  if (next >= processed) return;
  throw new DatabaseSetBackError(
    `partition ${partition} of the submissions was processed up to offset ${processed}, but the database only knows ` +
      `of ${next}: ${setBackRemedy}`,
  );
}
