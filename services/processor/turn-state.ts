/** What a batch has come to so far: in memory alone, and known to nobody before it is committed. */

import type { Moment } from '#libs/calendar/moment.ts';
import { type BookKey, bookKeyText, type DeciderFor, type LoadedBook } from '#libs/database/books.ts';
import type { EvidenceRow, FactRow, ReferenceRow } from '#libs/database/commit-batch.ts';
import type { ParkedPlace } from '#libs/database/parked.ts';
import type { RecordedReference } from '#libs/ledger/book-decider.ts';
import type { DecodedEntry, LogEntry, PendingItem } from './log-entry.ts';
import type { Verdict } from './verdict.ts';

/** A book within a batch: what it was when the batch began, and what it is by now. */
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

/** What an event of the topic says beside its fact. */
export interface PendingEvent {
  readonly row: FactRow;
  readonly record: DecodedEntry['record'];
  /** The event of this request in this partition that carries the evidence. */
  readonly evidenceAt: number;
}

export interface ParkedEntry {
  readonly taken: LogEntry;
  /** The book that waits; undefined where the record does not say whose it is. */
  readonly book: BookKey | undefined;
  /** What of the record waits; undefined for a record that cannot be read. */
  readonly pending: PendingItem | undefined;
  /** Undefined for what only stands behind another. */
  readonly fault: unknown;
}

export interface BatchResult {
  readonly books: Map<string, WorkingBook>;
  readonly facts: FactRow[];
  readonly references: ReferenceRow[];
  readonly evidence: EvidenceRow[];
  readonly verdicts: Verdict[];
  readonly events: PendingEvent[];
  readonly parked: ParkedEntry[];
  /** What was parked and waits no more. */
  readonly released: ParkedPlace[];
  /** What broke again when it was released. */
  readonly parkedStill: { readonly place: ParkedPlace; readonly fault: unknown }[];
  readonly nextEvents: Map<number, number>;
}

export interface BatchInput {
  readonly records: readonly LogEntry[];
  readonly kindOf: DeciderFor;
  /** The books of the batch as they stand; one that is absent is empty. */
  readonly standing: (name: BookKey) => LoadedBook<unknown>;
  readonly recorded: ReadonlyMap<string, RecordedReference>;
  /** What the next event of a partition is numbered. */
  readonly nextEvent: (partition: number) => number;
  /** Asked at every turn: what stands at the end of a long batch must not be decided after its patience. */
  readonly clock: () => Moment;
}

export function emptyTurn(): BatchResult {
  return {
    books: new Map(),
    facts: [],
    references: [],
    evidence: [],
    verdicts: [],
    events: [],
    parked: [],
    released: [],
    parkedStill: [],
    nextEvents: new Map(),
  };
}

export function workingOn(turn: BatchResult, input: BatchInput, partition: number, name: BookKey): WorkingBook {
  const key = bookKeyText(name);
  const known = turn.books.get(key);
  if (known !== undefined) return known;
  const before = input.standing(name);
  const { tenantId, bookId, book, sequence, versionCount, versionAt, recordedAt, parked } = before;
  const working = { tenantId, bookId, partition, before, book, sequence, versionCount, versionAt, recordedAt, parked };
  turn.books.set(key, working);
  return working;
}
