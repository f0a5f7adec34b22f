/**
 * A processor with a database of its own, whose records are delivered directly and whose books are sums. Single database
 * statements can be intercepted.
 */
import pg from 'pg';
import type { Database } from '#libs/database/database.ts';
import { openDatabase } from '#libs/database/pool.ts';
import type { SubmissionRecord } from '#libs/kafka/submission-record.ts';
import type { TopicRecord } from '#libs/kafka/topic-consumer.ts';
import type { BookDecider } from '#libs/ledger/book-decider.ts';
import { type LogFields, silentLogger } from '#libs/runtime/logging.ts';
import { newUuid } from '#libs/runtime/uuid.ts';
import { isRefusal } from '#libs/schema/refusals.ts';
import type { BookMemoryLimits } from '#services/processor/plan-book-loading.ts';
import { Processor, type ProcessorOptions } from '#services/processor/processor.ts';
import type { SubmissionVerdict } from '#services/processor/verdict.ts';
import { addressOf, createMigratedDatabase } from '#test/support/migrated-database.ts';
import { eventually, testEnvironment } from '#test/support/tenant.ts';
import { addRecord, sumBook, tenantId } from './sum-book.ts';

/** Runs in place of a statement; `execute` runs the statement itself. */
type Interception = (execute: () => Promise<unknown>) => Promise<unknown>;

export class InterceptedDatabase {
  readonly #database: Database;
  /** By statement name, in the order they were added. Each is used once. */
  readonly #interceptions = new Map<string, Interception[]>();

  constructor(database: Database) {
    this.#database = database;
  }

  intercept(statementName: string, interception: Interception): void {
    this.#interceptions.set(statementName, [...(this.#interceptions.get(statementName) ?? []), interception]);
  }

  get database(): Database {
    return { query: this.#query, connect: () => this.#database.connect() } as object as Database;
  }

  #query = (statement: pg.QueryConfig & { readonly name: string }): Promise<unknown> => {
    const execute = (): Promise<unknown> => this.#database.query(statement);
    return this.#interceptions.get(statement.name)?.shift()?.(execute) ?? execute();
  };
}

export interface AddOptions {
  readonly client: string;
  readonly by: number;
  readonly reference?: string;
  /** Default: a new one. */
  readonly requestId?: string;
}

export const partition = 3;

export const wideBookLimits: BookMemoryLimits = { maxBatchBytes: 100_000_000, maxEntryBytes: 100_000_000 };

export class IsolatedProcessor {
  readonly database: Database;
  readonly url: string;
  readonly #owner: pg.Client;
  readonly #name: string;
  processor!: Processor;
  intercepted!: InterceptedDatabase;
  decider: BookDecider<number> = sumBook;
  /** Replaces the decoding of records. */
  decodeRecord: (value: Buffer) => SubmissionRecord | Promise<SubmissionRecord> = (value) => this.decode(value);
  offset = 0;
  /** For the next processor. */
  bookLimits = wideBookLimits;
  #testNumber = 0;
  #verdicts = new Map<string, string[]>();
  /** The events that were logged as errors. */
  alerts: string[] = [];
  /** How many events wait to be published. */
  enqueuedEvents = 0;
  /** Why the processor would have exited. */
  dataLosses: string[] = [];

  private constructor(owner: pg.Client, name: string) {
    this.#owner = owner;
    this.#name = name;
    this.url = addressOf(name);
    this.database = openDatabase({ url: this.url, name });
  }

  static async open(prefix: string): Promise<IsolatedProcessor> {
    const { databaseUrl } = testEnvironment().stack;
    const name = `${prefix}_${process.pid}_${Date.now()}`;
    const owner = new pg.Client({ connectionString: databaseUrl });
    await owner.connect();
    await createMigratedDatabase(owner, name);
    return new IsolatedProcessor(owner, name);
  }

  async close(): Promise<void> {
    await this.processor.stop();
    await this.database.end();
    await this.#owner.query(`DROP DATABASE ${this.#name} WITH (FORCE)`);
    await this.#owner.end();
  }

  /** A new processor without interceptions, and new books. */
  async reset(): Promise<void> {
    this.#testNumber += 1;
    this.#verdicts = new Map();
    this.alerts = [];
    this.enqueuedEvents = 0;
    this.dataLosses = [];
    this.bookLimits = wideBookLimits;
    this.decider = sumBook;
    this.decodeRecord = (value) => this.decode(value);
    this.intercepted = new InterceptedDatabase(this.database);
    this.processor = this.createProcessor(this.intercepted);
    await this.processor.takeOver([partition]);
  }

  createProcessor({ database }: InterceptedDatabase): Processor {
    return new Processor({
      instanceName: this.#name,
      deciderFor: () => this.decider,
      database,
      codec: { decode: (value: Buffer) => this.decodeRecord(value) },
      verdictPublisher: {
        rowsIfRedisUnavailable: () => [],
        publish: async (verdicts: readonly SubmissionVerdict[]) => {
          for (const verdict of verdicts) this.#addVerdict(verdict);
        },
        notifyKeysChanged: () => undefined,
        notifyFeedAdvanced: () => undefined,
      },
      snapshotWriter: { enqueue: () => undefined },
      eventPublisher: {
        enqueue: (events: readonly unknown[]) => {
          this.enqueuedEvents += events.length;
        },
        assign: () => undefined,
      },
      parkedTopic: { append: async () => undefined },
      maxCachedBytes: 15_000_000,
      bookLimits: this.bookLimits,
      onDataLoss: ({ message }: Error) => this.dataLosses.push(message),
      logger: { ...silentLogger, error: ({ event }: LogFields) => void this.alerts.push(event) },
    } as object as ProcessorOptions);
  }

  #addVerdict(verdict: SubmissionVerdict): void {
    const { requestId, outcome } = verdict.message();
    const text = isRefusal(outcome) ? outcome.code : `${outcome.status} ${outcome.body}`;
    this.#verdicts.set(requestId, [...this.verdictsOf(requestId), text]);
  }

  /** A new processor takes the partition over. Pending interceptions stay. */
  async restart(): Promise<void> {
    this.processor = this.createProcessor(this.intercepted);
    await this.processor.takeOver([partition]);
  }

  verdictsOf(requestId: string): string[] {
    return this.#verdicts.get(requestId) ?? [];
  }

  decode(value: Buffer): SubmissionRecord {
    const { client, ...request } = JSON.parse(value.toString()) as AddOptions & { readonly requestId: string };
    return addRecord({ ...request, bookId: this.bookOf(client) });
  }

  /** Every test has books of its own. */
  bookOf(client: string): string {
    return `c/${client}-${this.#testNumber}`;
  }

  deliver(value: Buffer, client: string): void {
    const record: TopicRecord = { offset: this.offset, key: Buffer.from(`${tenantId}/${this.bookOf(client)}`), value };
    this.offset += 1;
    void this.processor.deliver(partition, [record]);
  }

  /** The verdict on the request. */
  async add(options: AddOptions): Promise<string> {
    const requestId = options.requestId ?? newUuid();
    const before = this.verdictsOf(requestId).length;
    this.deliver(Buffer.from(JSON.stringify({ ...options, requestId })), options.client);
    await eventually(() => this.verdictsOf(requestId).length > before);
    return this.verdictsOf(requestId).at(-1) as string;
  }

  async bookRow(client: string): Promise<{ sequence: number; parked: boolean; facts: number } | undefined> {
    const text = `SELECT sequence, parked, (SELECT count(*) FROM facts f WHERE f.book_id = b.book_id) AS facts
      FROM books b WHERE book_id = $1`;
    const { rows } = await this.database.query(text, [this.bookOf(client)]);
    return rows[0];
  }

  async nextOffset(): Promise<number> {
    const { rows } = await this.database.query('SELECT next_offset FROM partitions WHERE partition = $1', [partition]);
    return rows[0].next_offset;
  }

  waitUntilProcessed(): Promise<void> {
    return eventually(async () => (await this.nextOffset()) === this.offset);
  }
}
