/** Short snapshots: each part of an audit reads the database as of one moment, together with the positions of the partitions. */
import { type Database, inReadSnapshot, type Queryable } from '#libs/database/database.ts';
import { type PartitionPosition, readOwnPositions } from '#libs/database/partitions.ts';
import { retry } from '#libs/runtime/retry.ts';

export type Positions = ReadonlyMap<number, PartitionPosition>;

type SnapshotReader<Result> = (database: Queryable, positions: Positions) => Promise<Result>;

/** Runs `read` in one snapshot. It may be run again, in another one. */
export type ReadSnapshot = <Result>(read: SnapshotReader<Result>) => Promise<Result>;

const retries = { firstDelayMs: 500, maxDelayMs: 15_000, timeoutMs: 180_000 };
/** An audit that cannot begin says so soon: its address may be wrong. */
const firstTimeoutMs = 20_000;

/** A standby is behind what the audit has read before, perhaps from another standby. */
class StandbyBehindError extends Error {
  override readonly name = 'StandbyBehindError';
}

export class ShortSnapshots {
  readonly #database: Database;
  /** By partition, the number of the last event of the first snapshot. */
  #start: ReadonlyMap<number, number> = new Map();
  #longestMs = 0;
  #timeoutMs = firstTimeoutMs;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Later snapshots are not behind this. */
  startAt(lastEvents: ReadonlyMap<number, number>): void {
    this.#start = lastEvents;
  }

  get longestSeconds(): number {
    return this.#longestMs / 1_000;
  }

  readonly read: ReadSnapshot = (read) =>
    retry(() => this.#readOnce(read), { ...retries, timeoutMs: this.#timeoutMs, isRetryable });

  async #readOnce<Result>(read: SnapshotReader<Result>): Promise<Result> {
    let beganAt = performance.now();
    const result = await inReadSnapshot(this.#database, async (transaction) => {
      beganAt = performance.now();
      const positions = await readOwnPositions(transaction);
      for (const [partition, lastEvent] of this.#start) {
        if ((positions.get(partition)?.nextEvent ?? 0) > lastEvent) continue;
        throw new StandbyBehindError(
          `partition ${partition} has no event ${lastEvent}, which was read before; use a standby that keeps up`,
        );
      }
      return read(transaction, positions);
    });
    this.#timeoutMs = retries.timeoutMs;
    this.#longestMs = Math.max(this.#longestMs, performance.now() - beganAt);
    return result;
  }
}

/** Of a transaction that is open already. */
export function snapshotOf(transaction: Queryable): ReadSnapshot {
  return async (read) => read(transaction, await readOwnPositions(transaction));
}

/** SQLSTATE: conflict with recovery and deadlock (40), resources (53), cancelled or shut down (57), connection (08). Or of the network. */
const temporaryErrors = /^((08|40|53|57)[0-9A-Z]{3}|E[A-Z]+)$/;

function isRetryable(cause: unknown): boolean {
  if (cause instanceof StandbyBehindError) return true;
  const error = cause as { readonly code?: unknown; readonly cause?: unknown } | null;
  if (error?.cause !== undefined && error.code === undefined) return isRetryable(error.cause);
  if (typeof error?.code === 'string') return temporaryErrors.test(error.code);
  // The driver reports a lost connection without a code.
  return cause instanceof Error && cause.message.startsWith('Connection terminated');
}
