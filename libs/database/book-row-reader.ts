/**
 * Reads the rows of books, with one statement for all requests that wait: a statement for each took a third of the
 * main thread's time of a read.
 */
import { DependencyUnavailableError } from '#libs/runtime/dependency.ts';
import type { BookKey, StoredBookRow } from './books.ts';
import { type Database, type Queryable, query, type StageTimer, withConnection } from './database.ts';
import { int8Array, textArray } from './pg-binary.ts';

export interface BookRowRequest extends BookKey {
  /** The facts after this sequence are read too, if there are at most `maxLaterFacts`. */
  readonly after: number;
  readonly maxLaterFacts: number;
}

/** While so many statements run, requests wait for the next one. */
const maxStatements = 2;
const maxRowsPerStatement = 64;
/** A statement with many facts would delay the other requests in it. */
const maxFactsPerStatement = 4_096;

const rowsSql = `
  SELECT k.position, b.sequence, b.version_count, b.version_at, b.recorded_at, b.due_from, b.parked,
    CASE WHEN k.after > 0 AND b.sequence > k.after AND b.sequence <= k.after + k.max_later_facts THEN
      (SELECT json_agg(json_build_array(f.sequence, f.kind, f.body::text, f.recorded_at) ORDER BY f.sequence) FROM facts f
        WHERE f.tenant_id = b.tenant_id AND f.book_id = b.book_id AND f.sequence > k.after) END AS later_facts
  FROM unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[]) WITH ORDINALITY
    AS k(tenant_id, book_id, after, max_later_facts, position)
  JOIN books b ON b.tenant_id = k.tenant_id AND b.book_id = k.book_id`;

type NumberedRow = StoredBookRow & { readonly position: number };
type RowsByPosition = ReadonlyMap<number, StoredBookRow>;

/** Requests that one statement answers. */
class Batch {
  readonly requests: BookRowRequest[] = [];
  maxFacts = 0;
  readonly connected = Promise.withResolvers<void>();
  readonly rows = Promise.withResolvers<RowsByPosition>();
}

export class BookRowReader {
  readonly #database: Database;
  #waiting: Batch[] = [];
  #statements = 0;
  #isSendScheduled = false;

  constructor(database: Database) {
    this.#database = database;
  }

  /** The row as it is after the call began; undefined where the book has no facts. */
  async read(request: BookRowRequest, timer: StageTimer): Promise<StoredBookRow | undefined> {
    const batch = this.#openBatch(request);
    batch.maxFacts += request.maxLaterFacts;
    const position = batch.requests.push(request);
    this.#scheduleSend();
    await timer.measure('conn', () => batch.connected.promise);
    return timer.measure('db', async () => {
      const rows = await batch.rows.promise.catch((cause: unknown) => this.#readAlone(batch, position, cause));
      return rows.get(position);
    });
  }

  /** A row that cannot be read must not fail the requests for others. */
  async #readAlone({ requests }: Batch, position: number, cause: unknown): Promise<RowsByPosition> {
    if (requests.length === 1 || (cause instanceof DependencyUnavailableError && !isStatementTimeout(cause)))
      throw cause;
    const rows = await readRows(this.#database, requests.slice(position - 1, position));
    return new Map([...rows.values()].map((row) => [position, row]));
  }

  #openBatch({ maxLaterFacts }: BookRowRequest): Batch {
    const last = this.#waiting.at(-1);
    if (
      last !== undefined &&
      last.requests.length < maxRowsPerStatement &&
      last.maxFacts + maxLaterFacts <= maxFactsPerStatement
    )
      return last;
    const batch = new Batch();
    this.#waiting.push(batch);
    return batch;
  }

  /** What arrives in the same turn of the event loop shares a statement. */
  #scheduleSend(): void {
    if (this.#isSendScheduled || this.#waiting.length === 0 || this.#statements === maxStatements) return;
    this.#isSendScheduled = true;
    setImmediate(() => {
      this.#isSendScheduled = false;
      const next = this.#waiting.splice(0, maxStatements - this.#statements);
      for (const batch of next) void this.#send(batch);
    });
  }

  async #send(batch: Batch): Promise<void> {
    this.#statements += 1;
    const rows = this.#readBatch(batch);
    // The requests learn of a failure from `rows`.
    await rows.catch(() => undefined);
    this.#statements -= 1;
    batch.connected.resolve();
    batch.rows.resolve(rows);
    this.#scheduleSend();
  }

  #readBatch({ requests, connected }: Batch): Promise<RowsByPosition> {
    const timer: StageTimer = {
      measure: async (stage, work) => {
        const result = await work();
        if (stage === 'conn') connected.resolve();
        return result;
      },
    };
    return withConnection(this.#database, timer, (connection) => readRows(connection, requests));
  }
}

async function readRows(connection: Queryable, requests: readonly BookRowRequest[]): Promise<RowsByPosition> {
  const rows = await query<NumberedRow>(connection, 'book_rows', rowsSql, [
    textArray(requests.map(({ tenantId }) => tenantId)),
    textArray(requests.map(({ bookId }) => bookId)),
    int8Array(requests.map(({ after }) => after)),
    int8Array(requests.map(({ maxLaterFacts }) => maxLaterFacts)),
  ]);
  return new Map(rows.map((row) => [row.position, row]));
}

function isStatementTimeout({ cause }: DependencyUnavailableError): boolean {
  return (cause as { readonly code?: unknown } | undefined)?.code === '57014';
}
