/** The decision on a batch in the form that Postgres and the topic take: rows to commit, events to publish. */

import { bookKeyText, type DeciderFor } from '#libs/database/books.ts';
import type { CommittedResult } from '#libs/database/commit-batch.ts';
import type { BookRow, CommitRows, FenceRow, SnapshotRow, VerdictRow } from '#libs/database/commit-row-types.ts';
import { type BookEvent, bookEvent, type EventEvidence } from '#libs/kafka/book-event.ts';
import type { DerivedRows } from '#libs/ledger/book-decider.ts';
import { runToEnd } from '#libs/ledger/cooperative-loop.ts';
import type { BatchDecision, FactEvent, WorkingBook } from './batch-decision.ts';
import { parkedRecords, parkedRows } from './park-submissions.ts';

const minFactsPerSnapshot = 32;
/** A snapshot is written after this share of a book's facts is new, so that its cost per fact is about constant. */
const newFactsShare = 1 / 6;
/** A reader folds at most about twice this many facts after a snapshot. */
const maxFactsPerSnapshot = 1_024;
/** All snapshots of one batch together: every submission in it waits for them. One longer snapshot is always allowed. */
const maxSnapshotsPerBatch = { facts: 8_192, bytes: 12 * 1024 * 1024 };

export interface PreparedCommit {
  readonly rows: Omit<CommitRows, 'verdicts'> & { readonly verdicts: VerdictRow[] };
  /** The changed books after the batch. Books that cannot be replayed are left out: nothing may be read from them. */
  readonly books: BookRow[];
}

interface ChangedBook {
  readonly working: WorkingBook;
  readonly derived: DerivedRows;
}

export function toCommitRows(batch: BatchDecision, fences: readonly FenceRow[]): PreparedCommit {
  const { deciderFor } = batch.input;
  const changed = changedBooks(batch);
  const snapshots = snapshotRows(changed, deciderFor);
  const snapshotSequence = new Map(snapshots.map((row) => [bookKeyText(row), row.sequence]));
  const books = changed.map(({ working, derived }) =>
    bookRow(working, derived, snapshotSequence.get(bookKeyText(working))),
  );
  return {
    books: books.filter((_, index) => changed[index]?.working.before.replayError === undefined),
    rows: {
      fences,
      facts: batch.facts,
      references: batch.references,
      evidence: batch.evidence,
      books,
      snapshots,
      dueSpans: changed.flatMap(({ working: { tenantId, bookId }, derived: { dueSpans } }) =>
        dueSpans === undefined ? [] : [{ tenantId, bookId, spans: dueSpans }],
      ),
      // An index for listings only: reads and the audit compare it with the fold. It is written when a fact changes the
      // state, so a state that changes with time alone must not be stored.
      loanStates: derivedRows(changed, (derived) => derived.loanStates),
      tenancies: changed.flatMap(({ derived }) => derived.tenancies ?? []),
      keys: derivedRows(changed, (derived) => derived.keys),
      configurations: derivedRows(changed, (derived) => derived.configurations),
      verdicts: [],
      ...parking(batch),
    },
  };
}

function changedBooks({ books, input }: BatchDecision): ChangedBook[] {
  return [...books.values()]
    .filter(({ sequence, parked, before }) => sequence !== before.sequence || parked !== before.parked)
    .map((working) => {
      const { book, before, bookId } = working;
      return { working, derived: book === before.book ? {} : input.deciderFor(bookId).derive(before.book, book) };
    });
}

function snapshotRows(changed: readonly ChangedBook[], deciderFor: DeciderFor): SnapshotRow[] {
  const rows: SnapshotRow[] = [];
  let sum = { facts: 0, bytes: 0 };
  for (const { working } of changed) {
    const { tenantId, bookId, sequence, book, bytes } = working;
    if (!isSnapshotDue(working)) continue;
    const next = { facts: sum.facts + sequence, bytes: sum.bytes + bytes };
    const hasRoom = next.facts <= maxSnapshotsPerBatch.facts && next.bytes <= maxSnapshotsPerBatch.bytes;
    if (rows.length > 0 && !hasRoom) continue;
    const decider = deciderFor(bookId);
    rows.push({ tenantId, bookId, sequence, data: runToEnd(decider.encode(book)) });
    decider.compact?.(book);
    sum = next;
  }
  return rows;
}

function isSnapshotDue(working: WorkingBook): boolean {
  const { sequence, before } = working;
  const pace = Math.min(maxFactsPerSnapshot, Math.max(minFactsPerSnapshot, sequence * newFactsShare));
  return sequence - before.snapshotSequence >= pace * (1 + stagger(bookKeyText(working)));
}

/** From 0 to 1 by the book's key: snapshots of Clients that are reported together must not fall due in one batch. */
function stagger(key: string): number {
  let hash = 0;
  for (let at = 0; at < key.length; at += 1) hash = (Math.imul(hash, 31) + key.charCodeAt(at)) | 0;
  return (Math.imul(hash, 0x9e37_79b1) >>> 0) / 2 ** 32;
}

function bookRow(working: WorkingBook, derived: DerivedRows, snapshotSequence: number | undefined): BookRow {
  const { tenantId, bookId, partition, before, book, sequence, versionCount, versionAt, recordedAt, parked, bytes } =
    working;
  return {
    tenantId,
    bookId,
    partition,
    book,
    sequence,
    versionCount,
    versionAt,
    recordedAt,
    parked,
    bytes,
    dueFrom: derived.dueFrom === undefined ? before.dueFrom : derived.dueFrom,
    snapshotSequence: snapshotSequence ?? before.snapshotSequence,
  };
}

function derivedRows<Row extends object>(
  changed: readonly ChangedBook[],
  select: (derived: DerivedRows) => readonly Row[] | undefined,
): (Row & { tenantId: string })[] {
  return changed.flatMap(({ working: { tenantId }, derived }) =>
    (select(derived) ?? []).map((row) => ({ ...row, tenantId })),
  );
}

function parking({ parked, released }: BatchDecision): Pick<CommitRows, 'parking'> {
  const rows = parkedRows(parked);
  if (rows.length + released.length === 0) return {};
  return { parking: { parked: rows, records: parkedRecords(parked), released } };
}

/** The events to publish, with the numbers that the commit assigned. */
export function toBookEvents({ events }: BatchDecision, committed: CommittedResult): BookEvent<number>[] {
  return events.map(({ row, record, evidenceEventNumber }) =>
    bookEvent(row, {
      feedNumber: committed.feedNumberOf(row),
      listedNumber: committed.listedNumberOf(row),
      evidence: evidenceEventNumber === row.eventNumber ? eventEvidence(record) : evidenceEventNumber,
    }),
  );
}

function eventEvidence(record: FactEvent['record']): EventEvidence<number> {
  const { evidence, actor, caller_request_id, taken_in_at } = record;
  return { ...evidence, actor, caller_request_id, taken_in_at };
}
