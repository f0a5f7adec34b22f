/** What a batch decided, as the rows that are committed and the books that stand afterwards. */
import { bookKeyText, type DeciderFor, type LoadedBook } from '#libs/database/books.ts';
import type { BookRow, CommitBatch, FenceRow, SnapshotRow, VerdictRow } from '#libs/database/commit-batch.ts';
import type { DerivedRows } from '#libs/ledger/book-decider.ts';
import { parkedRecords, parkedRows } from './parking.ts';
import type { BatchResult, WorkingBook } from './turn-state.ts';

/** However long a book is, up to some thousands, writing its snapshot costs each of its facts about the same. */
const fewestFacts = 32;
const shareOfFacts = 6;
/** What comes after a snapshot is folded by whoever reads the book from it. */
const mostFacts = 1_024;
/**
 * Facts of the snapshots of one batch, all together, but for one snapshot of whatever length: everybody in it waits for
 * them. A book that is passed over writes its own with its next fact.
 */
const mostWritten = 8_192;

export interface Prepared {
  readonly batch: Omit<CommitBatch, 'verdicts'> & { readonly verdicts: VerdictRow[] };
  /** What stands on the shelf and is read by others from now on. */
  readonly standing: BookRow[];
}

export function prepare(turn: BatchResult, kindOf: DeciderFor, fences: readonly FenceRow[]): Prepared {
  const snapshots: SnapshotRow[] = [];
  let written = 0;
  const books: BookRow[] = [];
  const standing: BookRow[] = [];
  const changed: { working: WorkingBook; derived: DerivedRows }[] = [];
  for (const working of turn.books.values()) {
    if (working.sequence === working.before.sequence && working.parked === working.before.parked) continue;
    const kind = kindOf(working.bookId);
    const derived = working.book === working.before.book ? {} : kind.derive(working.before.book, working.book);
    changed.push({ working, derived });
    const leavesRoom = written === 0 || written + working.sequence <= mostWritten;
    const snapshot = leavesRoom ? snapshotOf(working, (book) => kind.encode(book)) : undefined;
    if (snapshot !== undefined) {
      snapshots.push(snapshot);
      kind.compact?.(working.book);
      written += snapshot.sequence;
    }
    const after = standingAfter(working, derived, snapshot);
    books.push(after);
    // Nobody may be shown what nobody could stand up.
    if (working.before.replayError === undefined) standing.push(after);
  }
  return {
    standing,
    batch: {
      fences,
      facts: turn.facts,
      references: turn.references,
      evidence: turn.evidence,
      books,
      snapshots,
      dueSpans: changed.flatMap(({ working: { tenantId, bookId }, derived: { dueSpans } }) =>
        dueSpans === undefined ? [] : [{ tenantId, bookId, spans: dueSpans }],
      ),
      loanStates: rowsOf(changed, (derived) => derived.loanStates),
      tenancies: changed.flatMap(({ derived }) => derived.tenancies ?? []),
      keys: rowsOf(changed, (derived) => derived.keys),
      configurations: rowsOf(changed, (derived) => derived.configurations),
      verdicts: [],
      ...parkingOf(turn),
    },
  };
}

function parkingOf({ parked, released }: BatchResult): Pick<CommitBatch, 'parking'> {
  const put = parkedRows(parked);
  if (put.length + released.length === 0) return {};
  return { parking: { put, records: parkedRecords(parked), taken: released } };
}

function rowsOf<Row extends object>(
  changed: readonly { working: WorkingBook; derived: DerivedRows }[],
  rows: (derived: DerivedRows) => readonly Row[] | undefined,
): (Row & { tenantId: string })[] {
  return changed.flatMap(({ working, derived }) =>
    (rows(derived) ?? []).map((row) => ({ ...row, tenantId: working.tenantId })),
  );
}

function snapshotOf(working: WorkingBook, encode: (book: unknown) => string): SnapshotRow | undefined {
  const { tenantId, bookId, sequence, before } = working;
  const pace = Math.min(mostFacts, Math.max(fewestFacts, sequence / shareOfFacts));
  const after = pace * (1 + staggerOf(bookKeyText(working)));
  if (sequence - before.snapshotAt < after) return undefined;
  return { tenantId, bookId, sequence, data: encode(working.book) };
}

/**
 * From 0 to 1, by the book's name: where a thousand Clients are reported alike, the snapshots of all of them would fall
 * due in one batch, and everybody would wait for it.
 */
function staggerOf(name: string): number {
  let hash = 0;
  for (let at = 0; at < name.length; at += 1) hash = (Math.imul(hash, 31) + name.charCodeAt(at)) | 0;
  return (Math.imul(hash, 0x9e37_79b1) >>> 0) / 2 ** 32;
}

function standingAfter(working: WorkingBook, derived: DerivedRows, snapshot: SnapshotRow | undefined): BookRow {
  const { before, partition, book, sequence, versionCount, versionAt, recordedAt, parked } = working;
  const after: LoadedBook<unknown> = {
    tenantId: working.tenantId,
    bookId: working.bookId,
    book,
    sequence,
    versionCount,
    versionAt,
    recordedAt,
    parked,
    dueFrom: derived.dueFrom === undefined ? before.dueFrom : derived.dueFrom,
    snapshotAt: snapshot?.sequence ?? before.snapshotAt,
  };
  return { ...after, partition };
}
