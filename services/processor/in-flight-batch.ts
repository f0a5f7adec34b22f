/** A batch the store is at work on, as the one behind it has to take it: as if it were committed already. */
import { bookKeyText, type LoadedBook } from '#libs/database/books.ts';
import type { FenceRow } from '#libs/database/commit-batch.ts';
import { referenceKey } from '#libs/database/references.ts';
import type { Prepared } from './batch.ts';
import { isRelease, type LogEntry } from './log-entry.ts';
import { referencesOf } from './process-batch.ts';
import type { BatchResult } from './turn-state.ts';

/** What a batch came to, in memory alone. */
export interface DecidedBatch {
  readonly taken: readonly LogEntry[];
  readonly turn: BatchResult;
  readonly prepared: Prepared;
  /** While the one before it was committed. */
  readonly isAhead: boolean;
}

export class InFlightBatch {
  readonly taken: readonly LogEntry[];
  readonly #books: ReadonlyMap<string, LoadedBook<unknown>>;
  readonly #fences: ReadonlyMap<number, FenceRow>;
  readonly #references: ReadonlySet<string>;
  readonly #isPlain: boolean;

  constructor({ taken, turn, prepared }: DecidedBatch) {
    this.taken = taken;
    this.#books = new Map(prepared.standing.map((standing) => [bookKeyText(standing), standing]));
    this.#fences = new Map(prepared.batch.fences.map((fence) => [fence.partition, fence]));
    this.#references = new Set(turn.references.map(referenceKey));
    this.#isPlain = turn.parked.length === 0 && !taken.some(isRelease);
  }

  /** Whether these can be decided before it is known that the batch was committed. */
  leavesRoomFor(taken: readonly LogEntry[]): boolean {
    if (!this.#isPlain || taken.some(isRelease)) return false;
    // What it records under a reference is not in the store yet, where the next one is asked for it.
    return !referencesOf(taken).some((name) => this.#references.has(referenceKey(name)));
  }

  standing(name: string): LoadedBook<unknown> | undefined {
    return this.#books.get(name);
  }

  /** How far it brings a partition it holds something of. */
  fence(partition: number): FenceRow | undefined {
    return this.#fences.get(partition);
  }
}
