/** Loads books from Postgres: the stored snapshot and the facts after it. */
import type { Moment } from '#libs/calendar/moment.ts';
import { emptyBookBytes, factBytes, snapshotBytes } from '#libs/ledger/book-bytes.ts';
import type { BookDecider, StoredFact } from '#libs/ledger/book-decider.ts';
import type { CooperativeTask } from '#libs/ledger/cooperative-loop.ts';
import { mapTasksInParts } from '#libs/runtime/run-in-parts.ts';
import { type Database, type Queryable, query, type StageTimer, withConnection } from './database.ts';
import { textArray } from './pg-binary.ts';

export interface BookKey {
  readonly tenantId: string;
  readonly bookId: string;
}

/** The key as one string, for maps and caches. */
export function bookKeyText({ tenantId, bookId }: BookKey): string {
  return `${tenantId}/${bookId}`;
}

/** A book's state after its last fact, and which facts it is folded from. */
export interface LoadedBook<B> extends BookKey {
  readonly book: B;
  /** The number of facts: 1 to this, without a gap. */
  readonly sequence: number;
  readonly versionCount: number;
  readonly versionAt: Moment | null;
  /** When the last fact was recorded; the next one is recorded later. */
  readonly recordedAt: Moment;
  readonly dueFrom: number | null;
  readonly parked: boolean;
  /** The sequence of the snapshot in Postgres, 0 without one. */
  readonly snapshotSequence: number;
  /** About how much memory `book` takes. */
  readonly bytes: number;
  /** Set where the facts could not be replayed: `book` is empty then, and nothing may be decided on it. */
  readonly replayError?: unknown;
}

/** The last fact of a book at some moment: a book at the same position holds the same facts. */
export interface BookPosition {
  readonly sequence: number;
  readonly recordedAt: Moment;
}

export interface SizedBookPosition extends BookPosition {
  /** About the memory of the bodies of all facts. Null where the row of the book does not say it. */
  readonly factBytes: number | null;
}

/** The position of the row `b` of `books`. */
export const positionSql = 'json_build_array(b.sequence, b.recorded_at, b.fact_bytes)';

/** What `positionSql` returns; null where the book does not exist any more. */
export type PositionTuple = readonly [sequence: number, recordedAt: Moment, factBytes: number | null] | null;

export function toBookPosition(tuple: PositionTuple): SizedBookPosition {
  const [sequence, recordedAt, factBytes] = tuple ?? [0, 0 as Moment, 0];
  return { sequence, recordedAt, factBytes };
}

/** A row of `books`, possibly with facts after a known sequence. */
export interface StoredBookRow {
  readonly sequence: number;
  readonly version_count: number;
  readonly version_at: number | null;
  readonly recorded_at: number;
  readonly due_from: number | null;
  readonly parked: boolean;
  readonly later_facts: readonly FactTuple[] | null;
}

type FactTuple = readonly [sequence: number, kind: string, body: string, recordedAt: number];

/** A row of the SQL function load_books. */
interface LoadBooksRow extends StoredBookRow {
  readonly tenant_id: string;
  readonly book_id: string;
  readonly snapshot_sequence: number | null;
  readonly snapshot: string | null;
}

export type DeciderFor = (bookId: string) => BookDecider<unknown>;

export function emptyBook(deciderFor: DeciderFor, { tenantId, bookId }: BookKey): LoadedBook<unknown> {
  return {
    tenantId,
    bookId,
    book: deciderFor(bookId).empty(tenantId, bookId),
    sequence: 0,
    versionCount: 0,
    versionAt: null,
    recordedAt: 0 as Moment,
    dueFrom: null,
    parked: false,
    snapshotSequence: 0,
    bytes: emptyBookBytes,
  };
}

export function unreplayableBook(deciderFor: DeciderFor, key: BookKey, replayError: unknown): LoadedBook<unknown> {
  return { ...emptyBook(deciderFor, key), replayError };
}

/**
 * Books without facts are left out. All are read as of one moment, except those whose snapshot cannot be used: their
 * facts are read a moment later. Throws where facts cannot be replayed.
 */
export function loadBooks(
  database: Queryable,
  deciderFor: DeciderFor,
  keys: readonly BookKey[],
): Promise<LoadedBook<unknown>[]> {
  return readAndReplay({
    keys,
    read: (missing, fromFacts) => readRows(database, missing, fromFacts),
    replay: (row) => replayRow(deciderFor, row),
    measure: (work) => work(),
  });
}

/** Like `loadBooks`, with the times of reading and replaying measured. */
export function loadBooksTimed(
  database: Database,
  timer: StageTimer,
  deciderFor: DeciderFor,
  keys: readonly BookKey[],
): Promise<LoadedBook<unknown>[]> {
  return readAndReplay({ keys, ...timedSteps(database, timer), replay: (row) => replayRow(deciderFor, row) });
}

/** Like `loadBooksTimed`; a book that cannot be replayed is returned with its `replayError`. */
export function loadBooksKeepingErrors(
  database: Database,
  timer: StageTimer,
  deciderFor: DeciderFor,
  keys: readonly BookKey[],
): Promise<LoadedBook<unknown>[]> {
  return readAndReplay({
    keys,
    ...timedSteps(database, timer),
    replay: (row) => replayRowKeepingError(deciderFor, row),
  });
}

/** A book that cannot be replayed, with the columns of its row. */
export async function loadUnreplayableBook(
  database: Queryable,
  deciderFor: DeciderFor,
  key: BookKey,
  replayError: unknown,
): Promise<LoadedBook<unknown>> {
  const text = `SELECT sequence, version_count, version_at, recorded_at, due_from, parked, NULL AS later_facts FROM books
    WHERE tenant_id = $1 AND book_id = $2`;
  const [row] = await query<StoredBookRow>(database, 'unreplayable_book', text, [key.tenantId, key.bookId]);
  const book = unreplayableBook(deciderFor, key, replayError);
  // As if its snapshot were current, so that none is made of it.
  return row === undefined ? book : { ...book, ...bookFields(row), snapshotSequence: row.sequence };
}

interface LoadSteps {
  readonly keys: readonly BookKey[];
  /** With `fromFacts` it ignores snapshots. */
  readonly read: (keys: readonly BookKey[], fromFacts: boolean) => Promise<readonly LoadBooksRow[]>;
  /** Undefined where the snapshot cannot be used. */
  readonly replay: (row: LoadBooksRow) => CooperativeTask<LoadedBook<unknown> | undefined>;
  readonly measure: <T>(work: () => Promise<T>) => Promise<T>;
}

function timedSteps(database: Database, timer: StageTimer): Pick<LoadSteps, 'read' | 'measure'> {
  return {
    read: (keys, fromFacts) => withConnection(database, timer, (connection) => readRows(connection, keys, fromFacts)),
    measure: (work) => timer.measure('derive', work),
  };
}

async function readAndReplay({ keys, read, replay, measure }: LoadSteps): Promise<LoadedBook<unknown>[]> {
  const rows = await read(keys, false);
  const fromSnapshots = await measure(() => mapTasksInParts(rows, replay));
  const remaining = rows
    .filter((_, index) => fromSnapshots[index] === undefined)
    .map((row) => ({ tenantId: row.tenant_id, bookId: row.book_id }));
  const remainingRows = remaining.length === 0 ? [] : await read(remaining, true);
  const fromFacts = await measure(() => mapTasksInParts(remainingRows, replay));
  return [...fromSnapshots, ...fromFacts].filter((book) => book !== undefined);
}

/**
 * From so many books on, the statement reads their facts itself: it opens the facts of all partitions, which takes as long as a few calls
 * of `facts_after`. For 50 books and 12 partitions it takes 7.3 ms of processor time instead of 9.9.
 */
export const manyBooks = 16;

const load = ['load_books', 'SELECT * FROM load_books($1, $2, $3)'] as const;
/** What the function load_books returns. */
const loadMany = [
  'load_many_books',
  `SELECT b.tenant_id, b.book_id, b.sequence, b.version_count, b.version_at, b.recorded_at, b.due_from, b.parked,
    s.sequence AS snapshot_sequence, s.data AS snapshot, CASE WHEN b.sequence > coalesce(s.sequence, 0)
      THEN (SELECT json_agg(json_build_array(f.sequence, f.kind, f.body::text, f.recorded_at) ORDER BY f.sequence) FROM facts f
        WHERE f.partition = b.partition AND f.tenant_id = b.tenant_id AND f.book_id = b.book_id AND f.sequence > coalesce(s.sequence, 0))
      END AS later_facts
  FROM unnest($1::text[], $2::text[]) AS wanted (tenant_id, book_id)
  JOIN books b USING (tenant_id, book_id)
  LEFT JOIN snapshots s ON NOT $3::boolean AND s.tenant_id = b.tenant_id AND s.book_id = b.book_id`,
] as const;

function readRows(database: Queryable, keys: readonly BookKey[], fromFacts: boolean): Promise<LoadBooksRow[]> {
  const [name, text] = keys.length < manyBooks ? load : loadMany;
  return query<LoadBooksRow>(database, name, text, [
    textArray(keys.map((key) => key.tenantId)),
    textArray(keys.map((key) => key.bookId)),
    fromFacts,
  ]);
}

/** Undefined where the text has another format or cannot be read: the book is folded from its facts then. */
export function* decodeSnapshot(decider: BookDecider<unknown>, text: string): CooperativeTask<unknown> {
  try {
    return yield* decider.decode(text);
  } catch {
    return undefined;
  }
}

function* replayRow(deciderFor: DeciderFor, row: LoadBooksRow): CooperativeTask<LoadedBook<unknown> | undefined> {
  const decider = deciderFor(row.book_id);
  const before =
    row.snapshot === null ? decider.empty(row.tenant_id, row.book_id) : yield* decodeSnapshot(decider, row.snapshot);
  if (before === undefined) return undefined;
  const bytes = row.snapshot === null ? emptyBookBytes : snapshotBytes(row.snapshot, row.snapshot_sequence ?? 0);
  const replayed = yield* replayFacts(decider, { book: before, bytes }, laterFacts(row));
  return {
    tenantId: row.tenant_id,
    bookId: row.book_id,
    ...replayed,
    ...bookFields(row),
    snapshotSequence: row.snapshot_sequence ?? 0,
  };
}

/** A short book is one part: to yield at each fact takes longer than most facts. */
const bytesPerPart = 256 * 1024;

/** The book after these facts, and about how much memory it takes then. */
export function* replayFacts(
  decider: BookDecider<unknown>,
  before: Pick<LoadedBook<unknown>, 'book' | 'bytes'>,
  facts: readonly StoredFact[],
): CooperativeTask<Pick<LoadedBook<unknown>, 'book' | 'bytes'>> {
  let { book, bytes } = before;
  let workedBytes = 0;
  for (const fact of facts) {
    // The larger the book, the longer a fact may take.
    workedBytes += bytes;
    if (workedBytes > bytesPerPart) {
      yield;
      workedBytes = 0;
    }
    book = decider.replay(book, fact);
    bytes += factBytes(fact);
  }
  return { book, bytes };
}

function* replayRowKeepingError(
  deciderFor: DeciderFor,
  row: LoadBooksRow,
): CooperativeTask<LoadedBook<unknown> | undefined> {
  try {
    return yield* replayRow(deciderFor, row);
  } catch (cause) {
    return unreplayableBook(deciderFor, { tenantId: row.tenant_id, bookId: row.book_id }, cause);
  }
}

export function bookFields(row: StoredBookRow) {
  return {
    sequence: row.sequence,
    versionCount: row.version_count,
    versionAt: row.version_at as Moment | null,
    recordedAt: row.recorded_at as Moment,
    dueFrom: row.due_from,
    parked: row.parked,
  };
}

export function toStoredFact([sequence, kind, body, recordedAt]: FactTuple): StoredFact {
  return { sequence, kind, body, recordedAt: recordedAt as Moment };
}

function laterFacts(row: LoadBooksRow): StoredFact[] {
  const facts = (row.later_facts ?? []).map(toStoredFact);
  const snapshotSequence = row.snapshot_sequence ?? 0;
  if (facts.length !== row.sequence - snapshotSequence) {
    throw new Error(
      `book ${row.tenant_id}/${row.book_id} has ${row.sequence} facts, but its snapshot covers ${snapshotSequence} and ${facts.length} follow`,
    );
  }
  return facts;
}
