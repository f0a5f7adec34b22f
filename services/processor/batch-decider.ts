/** Turns log entries into a batch that is ready to commit. Reads the database, writes nothing. */
import type { Moment } from '#libs/calendar/moment.ts';
import { bookKeyText, type DeciderFor, emptyBook } from '#libs/database/books.ts';
import type { FenceRow } from '#libs/database/commit-row-types.ts';
import type { Database } from '#libs/database/database.ts';
import type { PartitionPosition } from '#libs/database/partitions.ts';
import { type ReferenceName, referenceKey } from '#libs/database/references.ts';
import type { SubmissionCodec } from '#libs/kafka/submission-record.ts';
import type { RecordedReference } from '#libs/ledger/book-decider.ts';
import type { BatchDecision, BatchInput } from './batch-decision.ts';
import type { BookCache } from './book-cache.ts';
import { toCommitRows } from './commit-rows.ts';
import { decideBatch, isIndependentOfReferences } from './decide-batch.ts';
import type { Deduplicator } from './deduplicator.ts';
import type { DecidedBatch, InFlightBatch } from './in-flight-batch.ts';
import { isDecoded, isRelease, type LogEntry, referencesIn } from './log-entry.ts';
import type { PartitionOwnership } from './partition-ownership.ts';
import { withParkedSubmissions } from './read-parked-submissions.ts';
import { measureStage } from './stage-times.ts';

export interface BatchDeciderOptions {
  readonly database: Database;
  /** By `referenceKey`, in the whole cell. */
  readonly findReferences: (names: readonly ReferenceName[]) => Promise<Map<string, RecordedReference>>;
  readonly codec: SubmissionCodec;
  readonly deciderFor: DeciderFor;
  readonly ownership: PartitionOwnership;
  readonly deduplicator: Deduplicator;
  readonly books: BookCache;
  readonly now: () => Moment;
}

/** How long references are looked up before deciding, after one was recorded already: more are likely to follow. */
const lookUpReferencesMs = 1_000;

/** Longer than the decisions that follow at once, shorter than callers wait before they send again what waited long. */
const contendReferencesMs = 1_000;

export class BatchDecider {
  readonly #options: BatchDeciderOptions;
  #lookUpReferencesUntil = 0;
  /** By `referenceKey`, until when each is contended. */
  readonly #contended = new Map<string, number>();

  constructor(options: BatchDeciderOptions) {
    this.#options = options;
  }

  /** Undefined where nothing of the entries is left to process. */
  async decide(
    entries: readonly LogEntry[],
    inFlight: InFlightBatch | undefined,
    { isTrial = false } = {},
  ): Promise<DecidedBatch | undefined> {
    const { database, codec, deciderFor, books, now } = this.#options;
    const from = performance.now();
    // At 0 no submission of a trial is late.
    const clock = isTrial ? () => 0 as Moment : now;
    const unprocessed = await this.#withoutDuplicates(entries, inFlight);
    if (unprocessed.length === 0) return undefined;
    const complete = unprocessed.some(isRelease)
      ? await withParkedSubmissions({ database, codec, clock }, unprocessed)
      : unprocessed;
    const loaded = await measureStage('load', () => books.load(complete, inFlight));
    const input: BatchInput = {
      entries: complete.slice(0, loaded.entryCount),
      deciderFor,
      currentBook: (key) => loaded.books.get(bookKeyText(key)) ?? emptyBook(deciderFor, key),
      recordedReferences: new Map(),
      nextEvent: (partition) => this.#position(partition, inFlight).nextEvent,
      isContended: (name) => performance.now() < (this.#contended.get(referenceKey(name)) ?? 0),
      clock,
    };
    const decision = await measureStage('decide', () => this.#decideWithReferences(input, isTrial));
    const commit = toCommitRows(decision, this.#fences(decision, inFlight));
    const remaining = complete.slice(loaded.entryCount);
    const deciding = { from, to: performance.now() };
    return { entries: input.entries, remaining, decision, commit, deciding, wasDecidedAhead: inFlight !== undefined };
  }

  /** After a commit failed because a reference was recorded meanwhile. */
  lookUpReferencesFirst(): void {
    this.#lookUpReferencesUntil = performance.now() + lookUpReferencesMs;
  }

  /** Whether these were recorded is unknown while a database does not answer: their submissions are refused, and sent again. */
  contendReferences(names: readonly ReferenceName[]): void {
    const now = performance.now();
    for (const [key, until] of this.#contended) if (until < now) this.#contended.delete(key);
    for (const name of names) this.#contended.set(referenceKey(name), now + contendReferencesMs);
  }

  async #withoutDuplicates(entries: readonly LogEntry[], inFlight: InFlightBatch | undefined): Promise<LogEntry[]> {
    const { ownership, deduplicator } = this.#options;
    const unprocessed = entries.filter(
      ({ partition, offset }) => ownership.owns(partition) && offset >= this.#position(partition, inFlight).nextOffset,
    );
    const before = inFlight?.entries ?? [];
    const distinct = deduplicator.withoutRepeats([...before, ...unprocessed]).slice(before.length);
    const mayRepeatPreviousOwner = distinct.some(({ partition }) => ownership.wasTakenOverRecently(partition));
    return mayRepeatPreviousOwner ? deduplicator.withoutCommitted(distinct) : distinct;
  }

  /**
   * Most references are new. So the batch is decided without looking them up, unless a book may hold one; if something
   * was refused, they are looked up and the batch is decided again.
   */
  async #decideWithReferences(input: BatchInput, isTrial: boolean): Promise<BatchDecision> {
    // A late submission is refused whatever was recorded, and must not wait for a database that is down.
    const now = input.clock();
    const inTime = input.entries.filter((entry) => !isDecoded(entry) || entry.record.patience_ends_at >= now);
    const names = referencesIn(inTime);
    if (names.length === 0) return decideBatch(input);
    const mustLookUpReferences =
      isTrial ||
      performance.now() < this.#lookUpReferencesUntil ||
      input.entries.some(isRelease) ||
      mayHoldReferences(input);
    const first = mustLookUpReferences ? undefined : decideBatch(input);
    if (first !== undefined && isIndependentOfReferences(first)) return first;
    const recordedReferences = await this.#options.findReferences(names);
    return first !== undefined && recordedReferences.size === 0 ? first : decideBatch({ ...input, recordedReferences });
  }

  #fences(decision: BatchDecision, inFlight: InFlightBatch | undefined): FenceRow[] {
    const nextOffsets = new Map(decision.input.entries.map(({ partition, offset }) => [partition, offset + 1]));
    return [...nextOffsets].map(([partition, nextOffset]) => {
      const { epoch, nextOffset: fromOffset } = this.#position(partition, inFlight);
      return { partition, epoch, fromOffset, nextOffset, nextEvent: decision.nextEvent(partition) };
    });
  }

  /** The position of a partition, with the batch in flight as if it were committed. */
  #position(partition: number, inFlight: InFlightBatch | undefined): Omit<PartitionPosition, 'logStart'> {
    return inFlight?.position(partition) ?? this.#options.ownership.position(partition);
  }
}

function mayHoldReferences({ entries, deciderFor, currentBook }: BatchInput): boolean {
  return entries.filter(isDecoded).some(({ items }) =>
    items.some(({ submission }) => {
      const { namespace, reference, bookId } = submission;
      if (namespace === undefined || reference === undefined) return false;
      return deciderFor(bookId).mayHoldReference?.(currentBook(submission).book, namespace, reference) ?? true;
    }),
  );
}
