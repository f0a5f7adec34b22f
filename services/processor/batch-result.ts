/** The result of deciding a batch. In memory only: nothing of it is visible to others before the commit. */

import type { Moment } from '#libs/calendar/moment.ts';
import { type BookKey, bookKeyText, type DeciderFor, type LoadedBook } from '#libs/database/books.ts';
import type { EvidenceRow, FactRow, ReferenceRow } from '#libs/database/commit-row-types.ts';
import type { ParkedPosition } from '#libs/database/parked-submissions.ts';
import type { RecordedReference } from '#libs/ledger/book-decider.ts';
import type { DecodedEntry, EntryItem, LogEntry } from './log-entry.ts';
import type { SubmissionVerdict } from './verdict.ts';

/** A book within a batch: as it was before the batch, and as the submissions so far have left it. */
export interface WorkingBook extends BookKey {
  readonly partition: number;
  readonly before: LoadedBook<unknown>;
  book: unknown;
  sequence: number;
  versionCount: number;
  versionAt: Moment | null;
  recordedAt: Moment;
  parked: boolean;
}

/** A fact with the further data that its published event carries. */
export interface RecordedEvent {
  readonly row: FactRow;
  readonly record: DecodedEntry['record'];
  /** Number of the event of this request in this partition that carries the evidence. */
  readonly evidenceEventNumber: number;
}

/** A submission that is parked by this batch. */
export interface NewlyParked {
  readonly entry: LogEntry;
  /** Undefined where the record's key names no book. */
  readonly book: BookKey | undefined;
  /** Undefined for a record that cannot be decoded. */
  readonly item: EntryItem | undefined;
  /** Undefined where the submission only follows a parked one. */
  readonly cause: unknown;
}

export interface BatchResult {
  readonly books: Map<string, WorkingBook>;
  readonly facts: FactRow[];
  readonly references: ReferenceRow[];
  readonly evidence: EvidenceRow[];
  readonly verdicts: SubmissionVerdict[];
  readonly events: RecordedEvent[];
  readonly parked: NewlyParked[];
  /** Parked submissions that a release decided or dropped. */
  readonly released: ParkedPosition[];
  /** Parked submissions that failed again in a release. */
  readonly parkedAgain: { readonly position: ParkedPosition; readonly cause: unknown }[];
  /** The next event number of each partition. */
  readonly nextEvents: Map<number, number>;
}

/** References recorded so far in this batch, by `referenceKey`. */
export type BatchReferences = Map<string, RecordedReference>;

export interface BatchInput {
  readonly entries: readonly LogEntry[];
  readonly deciderFor: DeciderFor;
  /** The book before the batch; an empty one where nothing was recorded. */
  readonly currentBook: (key: BookKey) => LoadedBook<unknown>;
  readonly recordedReferences: ReadonlyMap<string, RecordedReference>;
  readonly nextEvent: (partition: number) => number;
  /** Read for every submission: the last one of a long batch must not be decided after its deadline. */
  readonly clock: () => Moment;
}

export function emptyBatchResult(): BatchResult {
  return {
    books: new Map(),
    facts: [],
    references: [],
    evidence: [],
    verdicts: [],
    events: [],
    parked: [],
    released: [],
    parkedAgain: [],
    nextEvents: new Map(),
  };
}

/** The book of the batch under this key, taken into the batch at its first submission. */
export function workingBook(result: BatchResult, input: BatchInput, partition: number, key: BookKey): WorkingBook {
  const text = bookKeyText(key);
  const known = result.books.get(text);
  if (known !== undefined) return known;
  const before = input.currentBook(key);
  const { tenantId, bookId, book, sequence, versionCount, versionAt, recordedAt, parked } = before;
  const working = { tenantId, bookId, partition, before, book, sequence, versionCount, versionAt, recordedAt, parked };
  result.books.set(text, working);
  return working;
}

export function nextEventNumber({ nextEvents }: BatchResult, input: BatchInput, partition: number): number {
  return nextEvents.get(partition) ?? input.nextEvent(partition);
}
