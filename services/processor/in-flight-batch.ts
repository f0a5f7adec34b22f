/** A batch that is being committed. The next batch may be decided against its results before the commit returns. */
import { bookKeyText, type LoadedBook } from '#libs/database/books.ts';
import type { FenceRow } from '#libs/database/commit-row-types.ts';
import { referenceKey } from '#libs/database/references.ts';
import type { BatchDecision } from './batch-decision.ts';
import type { PreparedCommit } from './commit-rows.ts';
import { isRelease, type LogEntry, referencesIn } from './log-entry.ts';

export interface DecidedBatch {
  readonly entries: readonly LogEntry[];
  /** Entries behind these: their books would take too much memory beside the books of these. */
  readonly remaining: readonly LogEntry[];
  readonly decision: BatchDecision;
  readonly commit: PreparedCommit;
  /** When it was decided, by `performance.now()`. */
  readonly deciding: { readonly from: number; readonly to: number };
  /** Decided while the batch before it was being committed. */
  readonly wasDecidedAhead: boolean;
}

/** Several usual batches. A longer one takes so long to commit that nothing is gained by deciding ahead. */
const maxBytesBesideNext = 2 * 1024 * 1024;
/** A fetch and a commit cost as much as some dozens of single submissions (decision 0039). */
const minSubmissionsToReadAhead = 64;

export class InFlightBatch {
  readonly entries: readonly LogEntry[];
  readonly #books: ReadonlyMap<string, LoadedBook<unknown>>;
  readonly #fences: ReadonlyMap<number, FenceRow>;
  readonly #references: ReadonlySet<string>;
  readonly #changesParkedBooks: boolean;
  readonly #submissions: number;

  constructor({ entries, decision, commit }: DecidedBatch) {
    this.entries = entries;
    this.#books = new Map(commit.books.map((book) => [bookKeyText(book), book]));
    this.#fences = new Map(commit.rows.fences.map((fence) => [fence.partition, fence]));
    this.#references = new Set(decision.references.map(referenceKey));
    this.#submissions = decision.verdicts.length;
    this.#changesParkedBooks = decision.parked.length > 0 || entries.some(isRelease);
  }

  /** False while another batch beside this one would take too much memory. */
  get leavesMemoryForNext(): boolean {
    return sourceBytes(this.entries) <= maxBytesBesideNext;
  }

  /** Whether the consumer fetches the next records before the commit. After a small batch one fetch and one commit serve all that arrived. */
  get allowsReadingAhead(): boolean {
    return this.#submissions >= minSubmissionsToReadAhead;
  }

  /** False where the next batch needs what only the commit makes visible: shared references, parked books. */
  allowsDecidingAhead(entries: readonly LogEntry[]): boolean {
    if (this.#changesParkedBooks || entries.some(isRelease)) return false;
    return !referencesIn(entries).some((name) => this.#references.has(referenceKey(name)));
  }

  book(key: string): LoadedBook<unknown> | undefined {
    return this.#books.get(key);
  }

  /** The position of a partition after this batch. */
  position(partition: number): FenceRow | undefined {
    return this.#fences.get(partition);
  }
}

function sourceBytes(entries: readonly LogEntry[]): number {
  return entries.reduce((sum, { source }) => sum + (source.value?.length ?? 0), 0);
}
