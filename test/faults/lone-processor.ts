/**
 * A processor by itself, on a database of its own and handed its records directly: what it asks of the store may meet
 * something on the way, and the books are sums.
 */
import pg from 'pg';
import { type Database, openDatabase } from '#libs/database/database.ts';
import { migrate } from '#libs/database/migrate.ts';
import type { LogRecord } from '#libs/kafka/log-reader.ts';
import type { SubmissionRecord } from '#libs/kafka/submission.ts';
import type { BookDecider } from '#libs/ledger/book-decider.ts';
import { mint } from '#libs/runtime/uuid.ts';
import { isRefusal } from '#libs/schema/refusals.ts';
import { Processor, type ProcessorOptions } from '#services/processor/processor.ts';
import { eventually, house } from '#test/integration/tenant.ts';
import { recordOf, sum, tenantId } from './adding.ts';

/** Postgres, and a line to it that can break: each named statement may meet something the next time it is asked. */
export class Line {
  readonly #database: Database;
  readonly #met = new Map<string, ((ask: () => Promise<unknown>) => Promise<unknown>)[]>();

  constructor(database: Database) {
    this.#database = database;
  }

  next(name: string, meets: (ask: () => Promise<unknown>) => Promise<unknown>): void {
    this.#met.set(name, [...(this.#met.get(name) ?? []), meets]);
  }

  get database(): Database {
    return { query: this.#query, connect: () => this.#database.connect() } as unknown as Database;
  }

  #query = (statement: pg.QueryConfig & { readonly name: string }): Promise<unknown> => {
    const ask = (): Promise<unknown> => this.#database.query(statement);
    return this.#met.get(statement.name)?.shift()?.(ask) ?? ask();
  };
}

export interface Stated {
  readonly client: string;
  readonly by: number;
  readonly reference?: string;
  /** The same request once more. */
  readonly requestId?: string;
}

export const partition = 3;

export class LoneProcessor {
  readonly database: Database;
  readonly url: URL;
  readonly #owner: pg.Client;
  readonly #name: string;
  processor!: Processor;
  line!: Line;
  kind: BookDecider<number> = sum;
  /** Meets every record before it is read. */
  reads: (value: Buffer) => SubmissionRecord | Promise<SubmissionRecord> = (value) => this.decode(value);
  offset = 0;
  #round = 0;
  /** What was told of each request. */
  #told = new Map<string, string[]>();
  /** What a person is called for. */
  alerts: string[] = [];
  /** Why it would have ended. */
  losses: string[] = [];

  private constructor(owner: pg.Client, name: string, url: URL) {
    this.#owner = owner;
    this.#name = name;
    this.url = url;
    this.database = openDatabase({ url: url.href, name });
  }

  static async open(called: string): Promise<LoneProcessor> {
    const { databaseUrl } = house().stack;
    const name = `${called}_${process.pid}_${Date.now()}`;
    const owner = new pg.Client({ connectionString: databaseUrl });
    await owner.connect();
    await owner.query(`CREATE DATABASE ${name}`);
    const url = new URL(databaseUrl);
    url.pathname = `/${name}`;
    await migrate(url.href);
    return new LoneProcessor(owner, name, url);
  }

  async close(): Promise<void> {
    await this.processor.stop();
    await this.database.end();
    await this.#owner.query(`DROP DATABASE ${this.#name} WITH (FORCE)`);
    await this.#owner.end();
  }

  /** A processor and a line that are new, and books nobody has written to. */
  async another(): Promise<void> {
    this.#round += 1;
    this.#told = new Map();
    this.alerts = [];
    this.losses = [];
    this.kind = sum;
    this.reads = (value) => this.decode(value);
    this.line = new Line(this.database);
    this.processor = this.on(this.line);
    await this.processor.takeOver([partition]);
  }

  on({ database }: Line): Processor {
    const quiet = { offer: () => undefined, own: () => undefined };
    return new Processor({
      name: this.#name,
      kindOf: () => this.kind,
      database,
      codec: { decode: (value: Buffer) => this.reads(value) },
      messenger: {
        rowsIfAway: () => [],
        tell: async (verdicts: readonly { record: SubmissionRecord; item: number; outcome: unknown }[]) => {
          for (const { record, outcome } of verdicts)
            this.#told.set(record.request_id, [...this.heard(record.request_id), said(outcome)]);
        },
        tellKeysChanged: () => undefined,
        tellFed: () => undefined,
      },
      snapshots: quiet,
      publisher: quiet,
      parkedLog: { append: async () => undefined },
      mostFacts: 10_000,
      onLost: ({ message }: Error) => this.losses.push(message),
      say: { warn: () => undefined, error: (_: unknown, text: string) => this.alerts.push(text) },
    } as unknown as ProcessorOptions);
  }

  /** The line is whole again, and somebody else takes over. */
  async restart(): Promise<void> {
    this.processor = this.on(this.line);
    await this.processor.takeOver([partition]);
  }

  heard(requestId: string): string[] {
    return this.#told.get(requestId) ?? [];
  }

  decode(value: Buffer): SubmissionRecord {
    const { client, ...stated } = JSON.parse(value.toString()) as Stated & { readonly requestId: string };
    return recordOf({ ...stated, bookId: this.bookOf(client) });
  }

  /** Every test has books of its own. */
  bookOf(client: string): string {
    return `c/${client}-${this.#round}`;
  }

  put(value: Buffer, client: string): void {
    const record: LogRecord = { offset: this.offset, key: Buffer.from(`${tenantId}/${this.bookOf(client)}`), value };
    this.offset += 1;
    void this.processor.deliver(partition, [record]);
  }

  /** What was told of it. */
  async add(stated: Stated): Promise<string> {
    const requestId = stated.requestId ?? mint();
    const before = this.heard(requestId).length;
    this.put(Buffer.from(JSON.stringify({ ...stated, requestId })), stated.client);
    await eventually(() => this.heard(requestId).length > before);
    return this.heard(requestId).at(-1) as string;
  }

  async row(client: string): Promise<{ sequence: number; parked: boolean; facts: number } | undefined> {
    const text = `SELECT sequence, parked, (SELECT count(*) FROM facts f WHERE f.book_id = b.book_id) AS facts
      FROM books b WHERE book_id = $1`;
    const { rows } = await this.database.query(text, [this.bookOf(client)]);
    return rows[0];
  }

  async nextOffset(): Promise<number> {
    const { rows } = await this.database.query('SELECT next_offset FROM partitions WHERE partition = $1', [partition]);
    return rows[0].next_offset;
  }

  processed(): Promise<void> {
    return eventually(async () => (await this.nextOffset()) === this.offset);
  }
}

function said(outcome: unknown): string {
  if (isRefusal(outcome)) return outcome.code;
  const { status, body } = (outcome as () => { status: number; body: string })();
  return `${status} ${body}`;
}
