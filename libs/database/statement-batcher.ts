/**
 * Answers all requests that wait with one statement. One request for each statement takes seven times the processor time of
 * eight: of Postgres 145 instead of 23 µs for each request, of this process 300 instead of 40.
 */
import { DependencyUnavailableError } from '#libs/runtime/dependency.ts';
import { type Database, type Queryable, type StageTimer, withConnection } from './database.ts';

/** By the position of the request in the statement, from 1. */
export type RowsByPosition<Row> = ReadonlyMap<number, Row>;

export interface BatchedStatement<Request, Row> {
  readonly run: (connection: Queryable, requests: readonly Request[]) => Promise<RowsByPosition<Row>>;
  /** How much a request may return: a statement that returns much would delay the other requests in it. */
  readonly sizeOf: (request: Request) => number;
  readonly maxSize: number;
  /** While one statement runs, requests wait for the next one, but for so long only until a second one may run. */
  readonly gatherMs: number;
}

/** While so many statements run, requests wait for the next one. */
const maxStatements = 2;
const maxRequestsPerStatement = 64;

/** Requests that one statement answers. */
class Batch<Request, Row> {
  readonly requests: Request[] = [];
  size = 0;
  readonly connected = Promise.withResolvers<void>();
  readonly rows = Promise.withResolvers<RowsByPosition<Row>>();
}

export class StatementBatcher<Request, Row> {
  readonly #database: Database;
  readonly #statement: BatchedStatement<Request, Row>;
  #waiting: Batch<Request, Row>[] = [];
  #statements = 0;
  /** By `performance.now()`, when the last statement was sent. */
  #sentAt = Number.NEGATIVE_INFINITY;
  #isSendScheduled = false;
  #gathering: NodeJS.Timeout | undefined;

  constructor(database: Database, statement: BatchedStatement<Request, Row>) {
    this.#database = database;
    this.#statement = statement;
  }

  /** The row as it is after the call began; undefined where there is none. */
  async read(request: Request, timer: StageTimer): Promise<Row | undefined> {
    const batch = this.#openBatch(request);
    const position = batch.requests.push(request);
    this.#scheduleSend();
    await timer.measure('conn', () => batch.connected.promise);
    return timer.measure('db', async () => {
      const rows = await batch.rows.promise.catch((cause: unknown) => this.#readAlone(batch, position, cause));
      return rows.get(position);
    });
  }

  /** A row that cannot be read must not fail the requests for others. */
  async #readAlone({ requests }: Batch<Request, Row>, position: number, cause: unknown): Promise<RowsByPosition<Row>> {
    if (requests.length === 1 || (cause instanceof DependencyUnavailableError && !isStatementTimeout(cause)))
      throw cause;
    const rows = await this.#statement.run(this.#database, requests.slice(position - 1, position));
    return new Map([...rows.values()].map((row) => [position, row]));
  }

  #openBatch(request: Request): Batch<Request, Row> {
    const size = this.#statement.sizeOf(request);
    let batch = this.#waiting.at(-1);
    const hasRoom =
      batch !== undefined &&
      batch.requests.length < maxRequestsPerStatement &&
      batch.size + size <= this.#statement.maxSize;
    if (batch === undefined || !hasRoom) {
      batch = new Batch();
      this.#waiting.push(batch);
    }
    batch.size += size;
    return batch;
  }

  /** What arrives in the same turn of the event loop shares a statement. */
  #scheduleSend(): void {
    if (this.#isSendScheduled || this.#waiting.length === 0) return;
    if (this.#freeStatements() === 0) {
      this.#sendAfterGathering();
      return;
    }
    this.#isSendScheduled = true;
    setImmediate(() => {
      this.#isSendScheduled = false;
      clearTimeout(this.#gathering);
      this.#gathering = undefined;
      const next = this.#waiting.splice(0, this.#freeStatements());
      for (const batch of next) void this.#send(batch);
    });
  }

  /** The statement that runs may wait for a network that is gone, and nothing else may arrive. */
  #sendAfterGathering(): void {
    if (this.#gathering !== undefined || this.#statements === maxStatements) return;
    const delayMs = this.#sentAt + this.#statement.gatherMs - performance.now();
    this.#gathering = setTimeout(() => {
      this.#gathering = undefined;
      this.#scheduleSend();
    }, delayMs);
  }

  #freeStatements(): number {
    const isGathering = this.#waiting.length === 1 && performance.now() - this.#sentAt < this.#statement.gatherMs;
    return Math.max(0, (isGathering ? 1 : maxStatements) - this.#statements);
  }

  async #send(batch: Batch<Request, Row>): Promise<void> {
    this.#statements += 1;
    this.#sentAt = performance.now();
    const rows = this.#readBatch(batch);
    // The requests learn of a failure from `rows`.
    await rows.catch(() => undefined);
    this.#statements -= 1;
    batch.connected.resolve();
    batch.rows.resolve(rows);
    this.#scheduleSend();
  }

  #readBatch({ requests, connected }: Batch<Request, Row>): Promise<RowsByPosition<Row>> {
    const timer: StageTimer = {
      measure: async (stage, work) => {
        const result = await work();
        if (stage === 'conn') connected.resolve();
        return result;
      },
    };
    return withConnection(this.#database, timer, (connection) => this.#statement.run(connection, requests));
  }
}

function isStatementTimeout({ cause }: DependencyUnavailableError): boolean {
  return (cause as { readonly code?: unknown } | undefined)?.code === '57014';
}
