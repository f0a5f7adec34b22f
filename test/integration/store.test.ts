/** The store by itself, in a database of its own: what one call commits, and what it refuses to. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import type { Moment } from '#libs/calendar/moment.ts';
import { emptyBook, loadBooks } from '#libs/database/books.ts';
import {
  type BookRow,
  type CommitBatch,
  commitBatch,
  type FactRow,
  type ReferenceRow,
} from '#libs/database/commit-batch.ts';
import { type Database, openDatabase, openPool, query } from '#libs/database/database.ts';
import { eventsAfter } from '#libs/database/events.ts';
import { migrate } from '#libs/database/migrate.ts';
import { partitionStates, takeOver } from '#libs/database/partitions.ts';
import { PublishingLocks } from '#libs/database/publishing-locks.ts';
import { findReferences, referenceKey } from '#libs/database/references.ts';
import type { BookDecider } from '#libs/ledger/book-decider.ts';
import { DependencyUnavailableError } from '#libs/runtime/dependency-unavailable.ts';
import { eventually, house } from './tenant.ts';

/** A book that remembers the bodies of its facts, and drops snapshots that do not begin as its own do. */
const list: BookDecider<readonly string[]> = {
  empty: () => [],
  decide: () => {
    throw new Error('nothing is decided here');
  },
  currentRecord: () => ({ status: 200, body: '' }),
  replay: (book, { body }) => [...book, body],
  encode: (book) => `1${JSON.stringify(book)}`,
  decode: (text) => (text.startsWith('1') ? (JSON.parse(text.slice(1)) as string[]) : undefined),
  derive: () => ({}),
};
const kindOf = () => list as BookDecider<unknown>;

const scratch = `scratch_${randomUUID().slice(0, 8)}`;
let owner: pg.Client;
let database: Database;
beforeAll(async () => {
  const { databaseUrl, servicesDatabaseUrl } = house().stack;
  owner = new pg.Client({ connectionString: databaseUrl });
  await owner.connect();
  await owner.query(`CREATE DATABASE ${scratch}`);
  const url = new URL(databaseUrl);
  url.pathname = `/${scratch}`;
  await migrate(url.href);
  // As the services log in: whatever is done here, they may do.
  const services = new URL(servicesDatabaseUrl);
  services.pathname = url.pathname;
  database = openDatabase({ url: services.href, name: 'store' });
});
afterAll(async () => {
  await database.end();
  await owner.query(`DROP DATABASE ${scratch} WITH (FORCE)`);
  await owner.end();
});

const none = {
  fences: [],
  facts: [],
  references: [],
  evidence: [],
  books: [],
  snapshots: [],
  loanStates: [],
  dueSpans: [],
  tenancies: [],
  keys: [],
  configurations: [],
  verdicts: [],
} satisfies CommitBatch;

interface Stated {
  readonly client: string;
  readonly sequence: number;
  readonly partition: number;
  readonly eventNo: number;
  readonly reference?: string;
  readonly feed?: boolean;
}

let moment = 1_700_000_000_000_000;

function factRow({ client, sequence, partition, eventNo, reference, feed = false }: Stated): FactRow {
  moment += 1;
  const about = feed ? { loanId: randomUUID(), eventId: randomUUID(), occurredOn: 20_000 } : {};
  return {
    tenantId: 'acme',
    bookId: `c/${client}`,
    sequence,
    fact: { kind: 'told', body: JSON.stringify({ client, sequence, say: 'ñ "\\' }), counts: true, ...about },
    versionCount: sequence,
    versionAt: moment as Moment,
    reference: reference === undefined ? undefined : referenceRow(client, sequence, reference),
    recordedAt: moment as Moment,
    requestId: randomUUID(),
    item: 0,
    partition,
    offset: eventNo - 1,
    eventNo,
  };
}

function referenceRow(client: string, sequence: number, reference: string): ReferenceRow {
  const digest = Buffer.from(`${client}-${sequence}`);
  return {
    tenantId: 'acme',
    namespace: 'receipts',
    reference,
    digest,
    bookId: `c/${client}`,
    kind: 'told',
    subject: 's',
    sequence,
  };
}

function bookRow({ tenantId, bookId, sequence, recordedAt, partition }: FactRow): BookRow {
  const standing = emptyBook(kindOf, { tenantId, bookId });
  return { ...standing, partition, sequence, versionCount: sequence, versionAt: recordedAt, recordedAt };
}

/** A batch of these facts, their books and their evidence. */
function batchOf(epoch: number, facts: readonly FactRow[]): CommitBatch {
  const last = facts.at(-1) as FactRow;
  const fromOffset = facts[0]?.offset ?? 0;
  const { partition, offset, eventNo } = last;
  const fence = { partition, epoch, fromOffset, nextOffset: offset + 1, nextEvent: eventNo + 1 };
  return {
    ...none,
    fences: [fence],
    facts,
    references: facts.flatMap(({ reference }) => reference ?? []),
    books: facts.map(bookRow).filter((row, at, all) => all.findLastIndex((each) => each.bookId === row.bookId) === at),
    evidence: facts.map(({ requestId, partition }) => ({
      requestId,
      partition,
      tenantId: 'acme',
      method: 'POST',
      target: '/',
      ts: 1,
      fp: 'f',
      signature: Buffer.from([0, 255]),
      idempotencyKey: null,
      body: Buffer.from([1, 0, 254]),
      bodyEncoding: 'identity',
      actor: null,
      callerRequestId: null,
      takenInAt: 1,
    })),
  };
}

async function own(partition: number): Promise<number> {
  return (await takeOver(database, 'test', [partition])).get(partition)?.epoch ?? 0;
}

describe('a batch is committed', () => {
  test('whole, and is read back as it was decided', async () => {
    const epoch = await own(0);
    const facts = [1, 2].map((at) =>
      factRow({ client: 'ana', sequence: at, partition: 0, eventNo: at, reference: `ana-${at}` }),
    );
    expect(await commitBatch(database, batchOf(epoch, facts))).toMatchObject({ outcome: 'committed' });
    const [book] = await loadBooks(database, kindOf, [
      { tenantId: 'acme', bookId: 'c/ana' },
      { tenantId: 'acme', bookId: 'c/nobody' },
    ]);
    expect(book).toMatchObject({
      sequence: 2,
      versionCount: 2,
      book: facts.map(({ fact }) => fact.body),
      recordedAt: facts[1]?.recordedAt,
    });
    const name = { tenantId: 'acme', namespace: 'receipts' as const, reference: 'ana-2' };
    expect((await findReferences(database, [name])).get(referenceKey(name))).toMatchObject({
      bookId: 'c/ana',
      sequence: 2,
    });
    const events = await eventsAfter(database, 0, 0, 10);
    expect(events.map(({ sequence, body }) => [sequence, body])).toEqual(
      facts.map(({ eventNo, fact }) => [eventNo, fact.body]),
    );
    expect(events[0]?.evidence).toMatchObject({
      'lending.Evidence': { body: Buffer.from([1, 0, 254]), signature: Buffer.from([0, 255]) },
    });
  });

  test('not at all by who no longer owns the partition', async () => {
    const epoch = await own(1);
    await own(1);
    const fact = factRow({ client: 'late', sequence: 1, partition: 1, eventNo: 1 });
    expect(await commitBatch(database, batchOf(epoch, [fact]))).toEqual({ outcome: 'fenced' });
    expect((await partitionStates(database, [1])).get(1)).toMatchObject({ nextOffset: 0, nextEvent: 1 });
    expect(await loadBooks(database, kindOf, [{ tenantId: 'acme', bookId: 'c/late' }])).toEqual([]);
  });

  test('not at all where one of its references is taken', async () => {
    const epoch = await own(2);
    const first = factRow({ client: 'bea', sequence: 1, partition: 2, eventNo: 1, reference: 'wanted' });
    await commitBatch(database, batchOf(epoch, [first]));
    const others = [
      factRow({ client: 'cho', sequence: 1, partition: 2, eventNo: 2, reference: 'free' }),
      factRow({ client: 'dov', sequence: 1, partition: 2, eventNo: 3, reference: 'wanted' }),
    ];
    expect(await commitBatch(database, batchOf(epoch, others))).toEqual({ outcome: 'reference_taken' });
    const free = { tenantId: 'acme', namespace: 'receipts' as const, reference: 'free' };
    expect((await findReferences(database, [free])).size).toBe(0);
  });

  test('not at all where it was decided before another of its partition was committed', async () => {
    const epoch = await own(9);
    const fact = (client: string) => factRow({ client, sequence: 1, partition: 9, eventNo: 1 });
    await commitBatch(database, batchOf(epoch, [fact('fox')]));
    expect(await commitBatch(database, batchOf(epoch, [fact('gus')]))).toEqual({ outcome: 'fenced' });
    expect((await partitionStates(database, [9])).get(9)).toMatchObject({ nextOffset: 1, nextEvent: 2 });
  });

  test('once, though its request stands in the log twice', async () => {
    const epoch = await own(3);
    const fact = factRow({ client: 'eve', sequence: 1, partition: 3, eventNo: 1 });
    await commitBatch(database, batchOf(epoch, [fact]));
    const again = { ...fact, sequence: 2, eventNo: 2, offset: 1 };
    expect(await commitBatch(database, batchOf(epoch, [again]))).toEqual({ outcome: 'repeated' });
  });

  test('with numbers of the feed that have no gap and no two alike, whoever commits at the same moment', async () => {
    const epochs = await Promise.all([4, 5, 6, 7].map(own));
    const commits = [4, 5, 6, 7].flatMap((partition, at) => {
      let before = Promise.resolve();
      return Array.from({ length: 10 }, (_, turn) => {
        const sequences = [turn * 2 + 1, turn * 2 + 2];
        const facts = sequences.map((sequence) =>
          factRow({ client: `feed-${partition}`, sequence, partition, eventNo: sequence, feed: true }),
        );
        // The commits of one owner follow one another; those of different owners do not.
        const committed = before.then(() => commitBatch(database, batchOf(epochs[at] as number, facts)));
        before = committed.then(() => undefined);
        return committed.then((done) =>
          facts.map((fact) => (done.outcome === 'committed' ? done.feedNumberOf(fact) : null)),
        );
      });
    });
    const numbers = (await Promise.all(commits)).flat();
    expect(numbers.toSorted((a, b) => (a ?? 0) - (b ?? 0))).toEqual(Array.from({ length: 80 }, (_, at) => at + 1));
    const { rows } = await database.query("SELECT number FROM feed WHERE tenant_id = 'acme' ORDER BY number");
    expect(rows.map((row: { number: number }) => row.number)).toEqual(Array.from({ length: 80 }, (_, at) => at + 1));
  });
});

describe('what is listed in the whole Tenancy', () => {
  const loanOf = (client: string, loanId: string) => ({
    loanId,
    clientId: client,
    reference: 'l-1',
    configurationId: 'ins-000001',
    configurationVersion: 3,
    state: 'active',
  });

  test('a Loan that a receipt of the same batch settles, in the state it was left in', async () => {
    const epoch = await own(10);
    const issuing = factRow({ client: 'gil', sequence: 1, partition: 10, eventNo: 1, feed: true });
    const loanId = issuing.fact.loanId as string;
    const issued = { ...issuing, fact: { ...issuing.fact, loan: loanOf('gil', loanId) } };
    const paid = factRow({ client: 'gil', sequence: 2, partition: 10, eventNo: 2 });
    const loanStates = [{ tenantId: 'acme', loanId, state: 'settled' }];
    const committed = await commitBatch(database, { ...batchOf(epoch, [issued, paid]), loanStates });
    expect(committed).toMatchObject({ outcome: 'committed' });
    const { rows } = await database.query('SELECT state FROM loans WHERE loan_id = $1', [loanId]);
    expect(rows).toEqual([{ state: 'settled' }]);
    const [first, second] = await eventsAfter(database, 10, 0, 10);
    expect(first?.issued).toEqual({ configuration_id: 'ins-000001', configuration_version: 3 });
    expect(second?.issued).toBeNull();
  });

  test('is told by the fact that listed it, with the number it took', async () => {
    const epoch = await own(11);
    const facts = [1, 2, 3].map((at) => {
      const row = factRow({ client: 'hal', sequence: at, partition: 11, eventNo: at });
      const listed = { listing: 'things', id: `thing-${at}`, row: `{"at":${at}}` };
      return at === 2 ? row : { ...row, fact: { ...row.fact, listed } };
    });
    const committed = await commitBatch(database, batchOf(epoch, facts));
    if (committed.outcome !== 'committed') throw new Error(committed.outcome);
    expect(facts.map(committed.listedNumberOf)).toEqual([1, null, 2]);
    expect((await eventsAfter(database, 11, 0, 10)).map(({ listed }) => listed)).toEqual([
      { listing: 'things', number: 1, id: 'thing-1', row: '{"at":1}' },
      null,
      { listing: 'things', number: 2, id: 'thing-3', row: '{"at":3}' },
    ]);
  });
});

describe('a book is stood up', () => {
  test('from its snapshot and the facts after it, or from its facts where the snapshot is of another format', async () => {
    const epoch = await own(8);
    const facts = [1, 2, 3].map((at) => factRow({ client: 'fay', sequence: at, partition: 8, eventNo: at }));
    const snapshot = (data: string) => [{ tenantId: 'acme', bookId: 'c/fay', sequence: 2, data }];
    await commitBatch(database, { ...batchOf(epoch, facts), snapshots: snapshot('1["held","held"]') });
    const name = { tenantId: 'acme', bookId: 'c/fay' };
    const third = facts[2]?.fact.body as string;
    expect((await loadBooks(database, kindOf, [name]))[0]?.book).toEqual(['held', 'held', third]);
    const { partition, offset, eventNo } = facts[2] as FactRow;
    const fences = [{ partition, epoch, fromOffset: offset + 1, nextOffset: offset + 1, nextEvent: eventNo + 1 }];
    await commitBatch(database, { ...none, fences, snapshots: snapshot('0["of an older format"]') });
    expect((await loadBooks(database, kindOf, [name]))[0]?.book).toEqual(facts.map(({ fact }) => fact.body));
  });
});

describe('a service', () => {
  test.each([
    'UPDATE facts SET kind = kind',
    'DELETE FROM facts',
    'UPDATE refs SET book_id = book_id',
    'DELETE FROM evidence',
    'DROP TABLE facts',
    'ALTER TABLE books ADD COLUMN x int',
  ])('may not %s', async (statement) => {
    await expect(database.query(statement)).rejects.toMatchObject({ code: '42501' });
  });
});

describe('a line to the store', () => {
  test('may break while somebody holds it and asks nothing: they are told when they ask, and nobody else', async () => {
    const pool = openDatabase({ url: database.options.connectionString as string, name: 'broken', connections: 1 });
    const held = await pool.connect();
    const { rows } = await held.query('SELECT pg_backend_pid() AS pid');
    const gone = new Promise((resolve) => held.once('end', resolve));
    await owner.query('SELECT pg_terminate_backend($1)', [rows[0].pid]);
    await gone;
    await expect(query(held, 'whatever', 'SELECT 1 AS one', [])).rejects.toThrow(DependencyUnavailableError);
    held.release();
    expect(await query(pool, 'whatever', 'SELECT 1 AS one', [])).toEqual([{ one: 1 }]);
    await pool.end();
  });

  test('that is not let in is the world’s fault, whatever the code it is told by', async () => {
    const url = database.options.connectionString as string;
    const pool = openPool({ url, name: 'nobody', connections: 1 }, '-c role=nobody_there');
    await expect(pool.query('SELECT 1')).rejects.toMatchObject({ code: '22023' });
    await expect(query(pool, 'whatever', 'SELECT 1', [])).rejects.toThrow(DependencyUnavailableError);
    await pool.end();
  });

  test('on which somebody stands still within a transaction is ended, and what they locked is another’s', async () => {
    const url = database.options.connectionString as string;
    // Without the watch of its own process, which stands still as well.
    const pool = openDatabase({ url, name: 'stopped', connections: 1, answeredWithinMs: 300 });
    const held = await pool.connect();
    await held.query('BEGIN');
    await held.query('SELECT FROM partitions WHERE partition = 11 FOR UPDATE');
    expect([...(await takeOver(database, 'next', [11])).keys()]).toEqual([11]);
    held.release();
    await pool.end();
  });

  test('is not taken for dead by a process that was busy itself for longer than it waits', async () => {
    const url = database.options.connectionString as string;
    const pool = openDatabase({ url, name: 'busy', connections: 1, heldAtMostMs: 200 });
    await query(pool, 'whatever', 'SELECT 1 AS one', []);
    const asked = query(pool, 'whatever', 'SELECT 1 AS one', []);
    for (const until = performance.now() + 600; performance.now() < until; );
    expect(await asked).toEqual([{ one: 1 }]);
    await pool.end();
  });
});

describe('the right to publish a partition', () => {
  test("is one session's, given back by it, and taken from one that does not end", async () => {
    const first = new PublishingLocks(database);
    const second = new PublishingLocks(database);
    expect(await first.take(9)).toBe(true);
    expect(await second.take(9)).toBe(false);
    await first.release(9);
    expect(await second.take(9)).toBe(true);
    // The second does nothing more, and is not asked either.
    await eventually(() => first.take(9));
    await expect(second.confirm([9])).rejects.toThrow('publishing locks');
    await first.confirm([9]);
    await expect(first.confirm([9, 10])).rejects.toThrow('publishing locks');
    first.close();
    second.close();
  });
});
