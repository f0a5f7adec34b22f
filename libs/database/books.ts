/** What Postgres keeps of a book, and how it is stood up again: its snapshot and the facts after it. */

import type { Moment } from '#libs/calendar/moment.ts';
import type { BookDecider, StoredFact } from '#libs/ledger/book-decider.ts';
import { type Database, type Queryable, query } from './database.ts';
import { textArray } from './pg-array.ts';
import { onConnection, type Watch } from './reading.ts';

export interface BookKey {
  readonly tenantId: string;
  readonly bookId: string;
}

/** As one word, for what is kept by name. */
export function bookKeyText({ tenantId, bookId }: BookKey): string {
  return `${tenantId}/${bookId}`;
}

/** A book that stands: what it amounts to, and which facts that holds. */
export interface LoadedBook<B> extends BookKey {
  readonly book: B;
  /** How many facts it holds: 1 to this, without a gap. */
  readonly sequence: number;
  readonly versionCount: number;
  readonly versionAt: Moment | null;
  /** The last moment of recording; the next is later. */
  readonly recordedAt: Moment;
  readonly dueFrom: number | null;
  readonly parked: boolean;
  /** The sequence Postgres's snapshot stands at, 0 where there is none. */
  readonly snapshotAt: number;
  /** Why it cannot be stood up: what it amounts to is known to nobody then, and nothing may be decided on it. */
  readonly replayError?: unknown;
}

/** Of a book's row what says which facts it holds, and facts of it. */
export interface StoredBookRow {
  sequence: number;
  version_count: number;
  version_at: number | null;
  recorded_at: number;
  due_from: number | null;
  parked: boolean;
  tail: FactTuple[] | null;
}

type FactTuple = [sequence: number, kind: string, body: string, recordedAt: number];

/** What a book is stood up from. */
interface BookRows extends StoredBookRow {
  tenant_id: string;
  book_id: string;
  shot_sequence: number | null;
  shot: string | null;
}

export type DeciderFor = (bookId: string) => BookDecider<unknown>;

export function emptyBook(kindOf: DeciderFor, { tenantId, bookId }: BookKey): LoadedBook<unknown> {
  return {
    tenantId,
    bookId,
    book: kindOf(bookId).empty(tenantId, bookId),
    sequence: 0,
    versionCount: 0,
    versionAt: null,
    recordedAt: 0 as Moment,
    dueFrom: null,
    parked: false,
    snapshotAt: 0,
  };
}

/**
 * Books nothing was ever recorded in are left out. All of them as of one moment, but for those whose snapshot cannot be used:
 * their facts are read a moment later.
 */
export function loadBooks(
  database: Queryable,
  kindOf: DeciderFor,
  names: readonly BookKey[],
): Promise<LoadedBook<unknown>[]> {
  return standUpFrom(
    (some, fromFacts) => loadRows(database, some, fromFacts),
    names,
    (row) => standUp(kindOf, row),
  );
}

/** The same, the time of reading the rows and that of standing up what they tell told apart. */
export function loadBooksTimed(
  database: Database,
  watch: Watch,
  kindOf: DeciderFor,
  names: readonly BookKey[],
): Promise<LoadedBook<unknown>[]> {
  return standUpTimed(database, watch, names, (row) => standUp(kindOf, row));
}

/** The same, none kept back by another: one that cannot be stood up says why it is unsound. */
export function loadEachTimed(
  database: Database,
  watch: Watch,
  kindOf: DeciderFor,
  names: readonly BookKey[],
): Promise<LoadedBook<unknown>[]> {
  return standUpTimed(database, watch, names, (row) => standUpOrLie(kindOf, row));
}

type StandUp = (row: BookRows) => LoadedBook<unknown> | undefined;

function standUpTimed(
  database: Database,
  watch: Watch,
  names: readonly BookKey[],
  stand: StandUp,
): Promise<LoadedBook<unknown>[]> {
  return standUpFrom(
    (some, fromFacts) => onConnection(database, watch, (on) => loadRows(on, some, fromFacts)),
    names,
    stand,
    (work) => watch.measure('derive', work),
  );
}

async function standUpFrom(
  read: (names: readonly BookKey[], fromFacts: boolean) => Promise<readonly BookRows[]>,
  names: readonly BookKey[],
  stand: StandUp,
  deriving: <T>(work: () => T) => T | Promise<T> = (work) => work(),
): Promise<LoadedBook<unknown>[]> {
  const rows = await read(names, false);
  const standing = await deriving(() => rows.map(stand));
  const unusable = rows
    .filter((_, at) => standing[at] === undefined)
    .map((row) => ({ tenantId: row.tenant_id, bookId: row.book_id }));
  const whole = unusable.length === 0 ? [] : await read(unusable, true);
  const folded = await deriving(() => whole.map(stand));
  return [...standing, ...folded].filter((each) => each !== undefined);
}

/** A book that cannot be stood up from what is recorded, as its row says that it lies. */
export async function lyingBook(
  database: Queryable,
  kindOf: DeciderFor,
  name: BookKey,
  fault: unknown,
): Promise<LoadedBook<unknown>> {
  const text = `SELECT sequence, version_count, version_at, recorded_at, due_from, parked, NULL AS tail FROM books
    WHERE tenant_id = $1 AND book_id = $2`;
  const [row] = await query<StoredBookRow>(database, 'lying_book', text, [name.tenantId, name.bookId]);
  const unsound = unsoundBook(kindOf, name, fault);
  // As if its snapshot were new: none is made of it.
  return row === undefined ? unsound : { ...unsound, ...standingOf(row), snapshotAt: row.sequence };
}

/** The snapshots and the facts after them; with `fromFacts` all the facts. */
function loadRows(database: Queryable, names: readonly BookKey[], fromFacts: boolean): Promise<BookRows[]> {
  return query<BookRows>(database, 'load_books', 'SELECT * FROM load_books($1, $2, $3)', [
    textArray(names.map((name) => name.tenantId)),
    textArray(names.map((name) => name.bookId)),
    fromFacts,
  ]);
}

/** Undefined where the text is of another format or cannot be read: either way the book is folded from its facts. */
export function readSnapshot(kind: BookDecider<unknown>, text: string): unknown {
  try {
    return kind.decode(text);
  } catch {
    return undefined;
  }
}

/** Undefined where the snapshot cannot be used and the facts before it were not asked for. */
function standUp(kindOf: DeciderFor, row: BookRows): LoadedBook<unknown> | undefined {
  const kind = kindOf(row.book_id);
  let book = row.shot === null ? kind.empty(row.tenant_id, row.book_id) : readSnapshot(kind, row.shot);
  if (book === undefined) return undefined;
  for (const fact of factsOf(row)) book = kind.replay(book, fact);
  return {
    tenantId: row.tenant_id,
    bookId: row.book_id,
    book,
    ...standingOf(row),
    snapshotAt: row.shot_sequence ?? 0,
  };
}

function standUpOrLie(kindOf: DeciderFor, row: BookRows): LoadedBook<unknown> | undefined {
  try {
    return standUp(kindOf, row);
  } catch (fault) {
    return unsoundBook(kindOf, { tenantId: row.tenant_id, bookId: row.book_id }, fault);
  }
}

export function unsoundBook(kindOf: DeciderFor, name: BookKey, fault: unknown): LoadedBook<unknown> {
  return { ...emptyBook(kindOf, name), replayError: fault };
}

export function standingOf(row: StoredBookRow) {
  return {
    sequence: row.sequence,
    versionCount: row.version_count,
    versionAt: row.version_at as Moment | null,
    recordedAt: row.recorded_at as Moment,
    dueFrom: row.due_from,
    parked: row.parked,
  };
}

export function storedFact([sequence, kind, body, at]: FactTuple): StoredFact {
  return { sequence, kind, body, recordedAt: at as Moment };
}

function factsOf(row: BookRows): StoredFact[] {
  const facts = (row.tail ?? []).map(storedFact);
  const first = row.shot_sequence ?? 0;
  // A gap would be a book that says something else than what was recorded.
  if (facts.length !== row.sequence - first) {
    throw new Error(
      `${row.tenant_id}/${row.book_id} holds ${row.sequence} facts, its snapshot ${first}, its tail ${facts.length}`,
    );
  }
  return facts;
}
