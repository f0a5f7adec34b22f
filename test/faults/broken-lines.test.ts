/**
 * A processor whose line to the store breaks where it hurts most: after a commit whose end it is not told of, while it
 * asks what became of it, while it takes partitions over. What it then believes must never become what is kept.
 */
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import pg from 'pg';
import { isRefusal } from '#libs/contract/refusals.ts';
import type { LogRecord } from '#libs/log/log-reader.ts';
import type { SubmissionRecord } from '#libs/log/submission.ts';
import { type Database, openDatabase } from '#libs/store/database.ts';
import { migrate } from '#libs/store/migrate.ts';
import { mint } from '#libs/submission/mint.ts';
import { Processor, type ProcessorOptions } from '#services/processor/processor.ts';
import { eventually, house } from '#test/journeys/tenant.ts';
import { recordOf, sum, tenantId } from './adding.ts';

/** Postgres, and a line to it that can break: each named statement may meet something the next time it is asked. */
class Line {
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

const broken = Object.assign(new Error('the line is broken'), { code: 'ECONNRESET' });
const neverAsked = async (): Promise<never> => {
  throw broken;
};
const neverTold = async (ask: () => Promise<unknown>): Promise<never> => {
  await ask();
  throw broken;
};

interface Stated {
  readonly client: string;
  readonly by: number;
  readonly reference?: string;
  /** The same request once more. */
  readonly requestId?: string;
}

const name = `lines_${process.pid}_${Date.now()}`;
const partition = 3;

let owner: pg.Client;
let url: URL;
let database: Database;
let line: Line;
let processor: Processor;
let offset = 0;
let round = 0;
/** What was told of each request. */
let told: Map<string, string[]>;

beforeAll(async () => {
  const { databaseUrl } = house().stack;
  owner = new pg.Client({ connectionString: databaseUrl });
  await owner.connect();
  await owner.query(`CREATE DATABASE ${name}`);
  url = new URL(databaseUrl);
  url.pathname = `/${name}`;
  await migrate(url.href);
  database = openDatabase({ url: url.href, name: 'lines' });
});
afterAll(async () => {
  await processor.stop();
  await database.end();
  await owner.query(`DROP DATABASE ${name} WITH (FORCE)`);
  await owner.end();
});
beforeEach(async () => {
  round += 1;
  told = new Map();
  line = new Line(database);
  processor = processorOn(line);
  await processor.takeOver([partition]);
});

function processorOn({ database: asked }: Line): Processor {
  const quiet = { offer: () => undefined, own: () => undefined };
  return new Processor({
    name: 'lines',
    kindOf: () => sum,
    database: asked,
    codec: { decode },
    messenger: {
      rowsIfAway: () => [],
      async tell(verdicts: readonly { record: SubmissionRecord; outcome: unknown }[]) {
        for (const { record, outcome } of verdicts)
          told.set(record.request_id, [...heard(record.request_id), said(outcome)]);
      },
      tellKeysChanged: () => undefined,
      tellFed: () => undefined,
    },
    snapshots: quiet,
    publisher: quiet,
    parkedLog: { append: async () => undefined },
    mostFacts: 10_000,
    say: { warn: () => undefined, error: () => undefined },
  } as unknown as ProcessorOptions);
}

function heard(requestId: string): string[] {
  return told.get(requestId) ?? [];
}

function said(outcome: unknown): string {
  if (isRefusal(outcome)) return outcome.code;
  const { status, body } = (outcome as () => { status: number; body: string })();
  return `${status} ${body}`;
}

function decode(value: Buffer): SubmissionRecord {
  const { client, ...stated } = JSON.parse(value.toString()) as Stated & { readonly requestId: string };
  return recordOf({ ...stated, bookId: bookOf(client) });
}

/** Every test has books of its own. */
const bookOf = (client: string): string => `c/${client}-${round}`;

function put(value: Buffer, client: string): void {
  const record: LogRecord = { offset, key: Buffer.from(`${tenantId}/${bookOf(client)}`), value };
  offset += 1;
  void processor.deliver(partition, [record]);
}

/** What was told of it. */
async function add(stated: Stated): Promise<string> {
  const requestId = stated.requestId ?? mint();
  const before = heard(requestId).length;
  put(Buffer.from(JSON.stringify({ ...stated, requestId })), stated.client);
  await eventually(() => heard(requestId).length > before);
  return heard(requestId).at(-1) as string;
}

async function row(client: string): Promise<{ sequence: number; parked: boolean; facts: number } | undefined> {
  const text = `SELECT sequence, parked, (SELECT count(*) FROM facts f WHERE f.book_id = b.book_id) AS facts
    FROM books b WHERE book_id = $1`;
  const { rows } = await database.query(text, [bookOf(client)]);
  return rows[0];
}

async function nextOffset(): Promise<number> {
  const { rows } = await database.query('SELECT next_offset FROM partitions WHERE partition = $1', [partition]);
  return rows[0].next_offset;
}

function processed(): Promise<void> {
  return eventually(async () => (await nextOffset()) === offset);
}

test('a commit whose end nobody was told of, nor what became of it, is answered as it was and followed by the next', async () => {
  expect(await add({ client: 'ana', by: 5 })).toBe('201 {"after":5}');
  line.next('commit_batch', neverTold);
  line.next('partition_states', neverAsked);
  const requestId = mint();
  put(Buffer.from(JSON.stringify({ client: 'ana', by: 7, reference: `r-${round}`, requestId })), 'ana');
  await processed();
  expect(await add({ client: 'ana', by: 7, reference: `r-${round}` })).toBe('200 {"after":12}');
  expect(await add({ client: 'bea', by: 1 })).toBe('201 {"after":1}');
  expect(await row('ana')).toEqual({ sequence: 2, parked: false, facts: 2 });
  expect(await row('bea')).toEqual({ sequence: 1, parked: false, facts: 1 });
  const { rows } = await database.query(
    'SELECT next_event, (SELECT max(event_no) FROM facts WHERE partition = $1) AS last FROM partitions WHERE partition = $1',
    [partition],
  );
  expect(rows[0].next_event).toBe(rows[0].last + 1);
});

test('a request that was committed without a word is not decided again where the log holds it twice', async () => {
  await add({ client: 'ana', by: 5 });
  line.next('commit_batch', neverTold);
  const requestId = mint();
  const again = { client: 'ana', by: -5, requestId };
  put(Buffer.from(JSON.stringify(again)), 'ana');
  await processed();
  put(Buffer.from(JSON.stringify(again)), 'ana');
  await processed();
  expect(heard(requestId)).toEqual([]);
  expect(await row('ana')).toEqual({ sequence: 2, parked: false, facts: 2 });
});

test('nor by whoever has taken the partition over since', async () => {
  await add({ client: 'ana', by: 5 });
  const requestId = mint();
  const again = { client: 'ana', by: -5, requestId };
  expect(await add(again)).toBe('201 {"after":0}');
  processor = processorOn(line);
  await processor.takeOver([partition]);
  put(Buffer.from(JSON.stringify(again)), 'ana');
  await processed();
  expect(heard(requestId)).toEqual(['201 {"after":0}']);
});

test('what is delivered once more is passed over, and the partition never goes back', async () => {
  const again = { client: 'ana', by: 5, requestId: mint() };
  const at = offset;
  await add(again);
  await add({ client: 'ana', by: 6 });
  processor = processorOn(line);
  await processor.takeOver([partition]);
  const places: number[] = [];
  for (let commit = 0; commit < 2; commit += 1) {
    line.next('commit_batch', async (ask) => {
      const done = await ask();
      places.push(await nextOffset());
      return done;
    });
  }
  const key = Buffer.from(`${tenantId}/${bookOf('ana')}`);
  void processor.deliver(partition, [{ offset: at, key, value: Buffer.from(JSON.stringify(again)) }]);
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(await add({ client: 'ana', by: 7 })).toBe('201 {"after":18}');
  expect(places).toEqual([offset]);
  expect(heard(again.requestId)).toEqual(['201 {"after":5}']);
});

test('books are read again where a takeover failed while another wrote to them', async () => {
  await add({ client: 'ana', by: 5 });
  line.next('take_over', neverAsked);
  await expect(processor.takeOver([partition])).rejects.toThrow();
  const here = processor;
  processor = processorOn(new Line(database));
  await processor.takeOver([partition]);
  expect(await add({ client: 'ana', by: 100 })).toBe('201 {"after":105}');
  processor = here;
  await processor.takeOver([partition]);
  expect(await add({ client: 'ana', by: -50 })).toBe('201 {"after":55}');
  expect(await row('ana')).toEqual({ sequence: 3, parked: false, facts: 3 });
});

test('a record that cannot be read parks its book as the book is, in memory or not', async () => {
  await add({ client: 'ana', by: 5 });
  await add({ client: 'ana', by: 6 });
  processor = processorOn(line);
  await processor.takeOver([partition]);
  put(Buffer.from('no record'), 'ana');
  await processed();
  expect(await row('ana')).toEqual({ sequence: 2, parked: true, facts: 2 });
});

test('what was committed is told before what stands behind it is decided', async () => {
  const rest = Promise.withResolvers<void>();
  const first = mint();
  // The first is committed while the second waits for its book.
  line.next('commit_batch', (ask) => ask());
  line.next('load_books', (ask) => ask());
  line.next('load_books', async (ask) => {
    await rest.promise;
    return ask();
  });
  const records = [mint(), mint()].map((requestId, at): LogRecord => {
    const client = at === 0 ? 'ana' : 'bea';
    const padding = 'x'.repeat(512 * 1024);
    const value = Buffer.from(JSON.stringify({ client, by: 1, requestId: at === 0 ? first : requestId, padding }));
    return { offset: offset + at, key: Buffer.from(`${tenantId}/${bookOf(client)}`), value };
  });
  offset += 2;
  void processor.deliver(partition, records);
  await eventually(() => heard(first).length > 0);
  rest.resolve();
  await processed();
  expect(await row('bea')).toMatchObject({ sequence: 1 });
});
