/** Turns log entries into a batch that is ready to commit. Reads the database, writes nothing. */
import type { Moment } from '#libs/calendar/moment.ts';
import { type BookKey, bookKeyText, type DeciderFor, emptyBook, type LoadedBook } from '#libs/database/books.ts';
import type { FenceRow } from '#libs/database/commit-row-types.ts';
import type { Database } from '#libs/database/database.ts';
import { findCommittedRequests } from '#libs/database/evidence.ts';
import { findReferences } from '#libs/database/references.ts';
import type { SubmissionCodec } from '#libs/kafka/submission-record.ts';
import type { RecordedReference } from '#libs/ledger/book-decider.ts';
import type { BatchResult } from './batch-result.ts';
import type { BatchBooks, BookLoader } from './book-loader.ts';
import { toCommitRows } from './commit-rows.ts';
import { decideBatch, isIndependentOfReferences, referencesIn } from './decide-batch.ts';
import type { Deduplicator } from './deduplicator.ts';
import type { DecidedBatch, InFlightBatch } from './in-flight-batch.ts';
import { isDecoded, isRelease, type LogEntry } from './log-entry.ts';
import { withParkedSubmissions } from './parked-submissions.ts';
import type { OwnedPartition, PartitionOwnership } from './partition-ownership.ts';

export interface BatchDeciderOptions {
  readonly database: Database;
  readonly codec: SubmissionCodec;
  readonly deciderFor: DeciderFor;
  readonly ownership: PartitionOwnership;
  readonly deduplicator: Deduplicator;
  readonly books: BookLoader;
  readonly now: () => Moment;
}

/** How long references are looked up before deciding, after one was recorded already: more are likely to follow. */
const lookUpReferencesMs = 1_000;

export class BatchDecider {
  readonly #options: BatchDeciderOptions;
  #lookUpReferencesUntil = 0;

  constructor(options: BatchDeciderOptions) {
    this.#options = options;
  }

  /** Undefined where nothing of the entries is left to process. In a trial commit the clock is 0, so that nothing is late. */
  async decide(
    entries: readonly LogEntry[],
    inFlight: InFlightBatch | undefined,
    { isTrial = false } = {},
  ): Promise<DecidedBatch | undefined> {
    const { database, codec, deciderFor, books } = this.#options;
    const clock = isTrial ? () => 0 as Moment : this.#options.now;
    const unprocessed = await this.#withoutDuplicates(entries, inFlight);
    if (unprocessed.length === 0) return undefined;
    const complete = unprocessed.some(isRelease)
      ? await withParkedSubmissions({ database, codec, clock }, unprocessed)
      : unprocessed;
    const batchBooks = await books.load(complete, inFlight);
    const result = await this.#decideOnBooks(complete, batchBooks, inFlight, clock, isTrial);
    const fences = this.#fences(complete, result, inFlight);
    const commit = toCommitRows(result, deciderFor, fences);
    return { entries: complete, result, commit, wasDecidedAhead: inFlight !== undefined };
  }

  /** After a commit failed because a reference was recorded meanwhile. */
  lookUpReferencesFirst(): void {
    this.#lookUpReferencesUntil = performance.now() + lookUpReferencesMs;
  }

  /** A request that was committed before keeps its offset and loses its items. */
  async withoutCommitted(entries: readonly LogEntry[]): Promise<LogEntry[]> {
    const requestIds = entries.flatMap((entry) => (isDecoded(entry) ? [entry.record.request_id] : []));
    const committed = await findCommittedRequests(this.#options.database, requestIds);
    return entries.map((entry) => {
      const isRepeat = isDecoded(entry) && committed.has(`${entry.record.request_id}/${entry.partition}`);
      return isRepeat ? { ...entry, items: [] } : entry;
    });
  }

  async #withoutDuplicates(entries: readonly LogEntry[], inFlight: InFlightBatch | undefined): Promise<LogEntry[]> {
    const { ownership, deduplicator } = this.#options;
    const unprocessed = entries.filter(
      ({ partition, offset }) => ownership.owns(partition) && offset >= this.#position(partition, inFlight).nextOffset,
    );
    const before = inFlight?.entries ?? [];
    const distinct = deduplicator.withoutRepeats([...before, ...unprocessed]).slice(before.length);
    const mayRepeatPreviousOwner = distinct.some(({ partition }) => ownership.wasTakenOverRecently(partition));
    return mayRepeatPreviousOwner ? this.withoutCommitted(distinct) : distinct;
  }

  /**
   * Most references are new. So the batch is decided without looking them up, unless a book may hold one; if something
   * was refused, they are looked up and the batch is decided again.
   */
  async #decideOnBooks(
    entries: readonly LogEntry[],
    books: BatchBooks,
    inFlight: InFlightBatch | undefined,
    clock: () => Moment,
    isTrial: boolean,
  ): Promise<BatchResult> {
    const { database, deciderFor } = this.#options;
    const currentBook = (key: BookKey): LoadedBook<unknown> =>
      books.get(bookKeyText(key)) ?? emptyBook(deciderFor, key);
    const nextEvent = (partition: number): number => this.#position(partition, inFlight).nextEvent;
    const decideWith = (recordedReferences: ReadonlyMap<string, RecordedReference>): BatchResult =>
      decideBatch({ entries, deciderFor, recordedReferences, currentBook, nextEvent, clock });

    const names = referencesIn(entries);
    if (names.length === 0) return decideWith(new Map());
    const mustLookUpReferences =
      isTrial ||
      performance.now() < this.#lookUpReferencesUntil ||
      entries.some(isRelease) ||
      this.#mayHoldReferences(entries, currentBook);
    const first = mustLookUpReferences ? undefined : decideWith(new Map());
    if (first !== undefined && isIndependentOfReferences(first)) return first;
    const recorded = await findReferences(database, names);
    return first !== undefined && recorded.size === 0 ? first : decideWith(recorded);
  }

  #mayHoldReferences(entries: readonly LogEntry[], currentBook: (key: BookKey) => LoadedBook<unknown>): boolean {
    return entries.filter(isDecoded).some(({ items }) =>
      items.some(({ submission }) => {
        const { namespace, reference, bookId } = submission;
        if (namespace === undefined || reference === undefined) return false;
        const decider = this.#options.deciderFor(bookId);
        return decider.mayHoldReference?.(currentBook(submission).book, namespace, reference) ?? true;
      }),
    );
  }

  #fences(entries: readonly LogEntry[], result: BatchResult, inFlight: InFlightBatch | undefined): FenceRow[] {
    const nextOffsets = new Map<number, number>();
    for (const { partition, offset } of entries) nextOffsets.set(partition, offset + 1);
    return [...nextOffsets].map(([partition, nextOffset]) => {
      const { epoch, nextOffset: fromOffset, nextEvent } = this.#position(partition, inFlight);
      return { partition, epoch, fromOffset, nextOffset, nextEvent: result.nextEvents.get(partition) ?? nextEvent };
    });
  }

  /** The position of a partition, with the batch in flight as if it were committed. */
  #position(partition: number, inFlight: InFlightBatch | undefined): OwnedPartition {
    return inFlight?.position(partition) ?? this.#options.ownership.position(partition);
  }
}
