/** What one call of `commitBatch` writes, and when it writes nothing. */

import { hash, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Moment } from '#libs/calendar/moment.ts';
import { bookKeyText, emptyBook, loadBooks } from '#libs/database/books.ts';
import { commitBatch, tryCommit } from '#libs/database/commit-batch.ts';
import type { BookRow, CommitRows, EvidenceRow, FactRow, ReferenceRow } from '#libs/database/commit-row-types.ts';
import { type Database, inRolledBackTransaction } from '#libs/database/database.ts';
import { commitRowsAttributes, encodeRows, numberFacts } from '#libs/database/encode-commit-rows.ts';
import { migrationsDir } from '#libs/database/migration-file.ts';
import { readPartitionPositions, takeOverPartitions } from '#libs/database/partitions.ts';
import { readEventsAfter } from '#libs/database/read-events.ts';
import { findReferences, referenceKey } from '#libs/database/references.ts';
import type { BookDecider } from '#libs/ledger/book-decider.ts';
import { shortTask } from '#libs/ledger/cooperative-loop.ts';
import { createScratchDatabase, type ScratchDatabase } from '#test/support/scratch-database.ts';

/** A book that is the list of its facts' bodies. A snapshot that does not begin with '1' is of another format. */
const listDecider: BookDecider<readonly string[]> = {
  empty: () => [],
  decide: () => {
    throw new Error('not used by these tests');
  },
  currentRecord: () => ({ status: 200, body: '' }),
  replay: (book, { body }) => [...book, body],
  encode: (book) => shortTask(() => `1${JSON.stringify(book)}`),
  decode: (text) => shortTask(() => (text.startsWith('1') ? (JSON.parse(text.slice(1)) as string[]) : undefined)),
  derive: () => ({}),
};
const deciderFor = () => listDecider as BookDecider<unknown>;

let scratch: ScratchDatabase;
let database: Database;
beforeAll(async () => {
  scratch = await createScratchDatabase('commit-batch');
  ({ database } = scratch);
});
afterAll(() => scratch.drop());

const emptyRows = {
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
} satisfies CommitRows;

interface FactOptions {
  readonly client: string;
  readonly sequence: number;
  readonly partition: number;
  readonly eventNo: number;
  readonly reference?: string;
  readonly feed?: boolean;
}

let moment = 1_700_000_000_000_000;

function factRow({ client, sequence, partition, eventNo, reference, feed = false }: FactOptions): FactRow {
  moment += 1;
  const about = feed ? { loanId: randomUUID(), eventId: randomUUID(), occurredOn: 20_000 } : {};
  return {
    tenantId: 'acme',
    bookId: `c/${client}`,
    sequence,
    fact: { kind: 'noted', body: JSON.stringify({ client, sequence, text: 'ñ "\\' }), counts: true, ...about },
    versionCount: sequence,
    versionAt: moment as Moment,
    reference: reference === undefined ? undefined : referenceRow(client, sequence, reference),
    recordedAt: moment as Moment,
    requestId: randomUUID(),
    item: 0,
    partition,
    offset: eventNo - 1,
    eventNumber: eventNo,
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
    kind: 'noted',
    subject: 's',
    sequence,
  };
}

function bookRow({ tenantId, bookId, sequence, recordedAt, partition }: FactRow): BookRow {
  const book = emptyBook(deciderFor, { tenantId, bookId });
  return { ...book, partition, sequence, versionCount: sequence, versionAt: recordedAt, recordedAt };
}

/** The rows of a batch with these facts, their books and their evidence. */
function batchOf(epoch: number, facts: readonly FactRow[]): CommitRows {
  const last = facts.at(-1) as FactRow;
  const fromOffset = facts[0]?.offset ?? 0;
  const { partition, offset, eventNumber: eventNo } = last;
  const fence = { partition, epoch, fromOffset, nextOffset: offset + 1, nextEvent: eventNo + 1 };
  return {
    ...emptyRows,
    fences: [fence],
    facts,
    references: facts.flatMap(({ reference }) => reference ?? []),
    books: facts
      .map(bookRow)
      .filter((row, at, all) => all.findLastIndex((each) => bookKeyText(each) === bookKeyText(row)) === at),
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
      receivedAt: 1,
    })),
  };
}

async function takeOver(partition: number): Promise<number> {
  return (await takeOverPartitions(database, 'test', [partition])).get(partition)?.epoch ?? 0;
}

test('trial commits leave no rows and keep their connection', async () => {
  let opened = 0;
  const count = () => (opened += 1);
  database.on('connect', count);
  for (let trial = 0; trial < 3; trial += 1) await tryCommit(database, emptyRows);
  database.off('connect', count);
  expect(opened).toBeLessThanOrEqual(1);
});

test('the columns a batch is encoded with are those of the SQL type commit_rows, in the same order', async () => {
  const { rows } = await database.query(
    `SELECT a.attname AS name, t.typname AS type FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid
       WHERE a.attrelid = 'commit_rows'::regclass AND a.attnum > 0 ORDER BY a.attnum`,
  );
  expect(rows).toEqual(commitRowsAttributes);
});

describe('a batch', () => {
  test('is committed completely and read back as it was decided', async () => {
    const epoch = await takeOver(0);
    const facts = [1, 2].map((at) =>
      factRow({ client: 'ana', sequence: at, partition: 0, eventNo: at, reference: `ana-${at}` }),
    );
    expect(await commitBatch(database, batchOf(epoch, facts))).toMatchObject({ outcome: 'committed' });
    const [book] = await loadBooks(database, deciderFor, [
      { tenantId: 'acme', bookId: 'c/ana' },
      { tenantId: 'acme', bookId: 'c/unknown' },
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
    const events = await readEventsAfter(database, 0, 0, 10);
    expect(events.map(({ sequence, body }) => [sequence, body])).toEqual(
      facts.map(({ eventNumber: eventNo, fact }) => [eventNo, fact.body]),
    );
    expect(events[0]?.evidence).toMatchObject({
      'lending.Evidence': { body: Buffer.from([1, 0, 254]), signature: Buffer.from([0, 255]) },
    });
  });

  test('is not committed by a processor that lost the partition', async () => {
    const epoch = await takeOver(1);
    await takeOver(1);
    const fact = factRow({ client: 'late', sequence: 1, partition: 1, eventNo: 1 });
    expect(await commitBatch(database, batchOf(epoch, [fact]))).toEqual({ outcome: 'fenced' });
    expect((await readPartitionPositions(database, [1])).get(1)).toMatchObject({ nextOffset: 0, nextEvent: 1 });
    expect(await loadBooks(database, deciderFor, [{ tenantId: 'acme', bookId: 'c/late' }])).toEqual([]);
  });

  test('is not committed when one of its references is already taken', async () => {
    const epoch = await takeOver(2);
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

  test('is not committed when another batch of the partition was committed since it was decided', async () => {
    const epoch = await takeOver(9);
    const fact = (client: string) => factRow({ client, sequence: 1, partition: 9, eventNo: 1 });
    await commitBatch(database, batchOf(epoch, [fact('fox')]));
    expect(await commitBatch(database, batchOf(epoch, [fact('gus')]))).toEqual({ outcome: 'fenced' });
    expect((await readPartitionPositions(database, [9])).get(9)).toMatchObject({ nextOffset: 1, nextEvent: 2 });
  });

  test('is not committed again when its request is in the log twice', async () => {
    const epoch = await takeOver(3);
    const fact = factRow({ client: 'eve', sequence: 1, partition: 3, eventNo: 1 });
    await commitBatch(database, batchOf(epoch, [fact]));
    const again = { ...fact, sequence: 2, eventNo: 2, offset: 1 };
    expect(await commitBatch(database, batchOf(epoch, [again]))).toEqual({ outcome: 'repeated' });
  });

  test('numbers feed events without gaps or duplicates when several partitions commit concurrently', async () => {
    const epochs = await Promise.all([4, 5, 6, 7].map(takeOver));
    const commits = [4, 5, 6, 7].flatMap((partition, at) => {
      let before = Promise.resolve();
      return Array.from({ length: 10 }, (_, turn) => {
        const sequences = [turn * 2 + 1, turn * 2 + 2];
        const facts = sequences.map((sequence) =>
          factRow({ client: `feed-${partition}`, sequence, partition, eventNo: sequence, feed: true }),
        );
        // One owner commits in sequence; different owners commit concurrently.
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

describe.each([true, false])('a reference, where tables are divided: %s', (isDivided) => {
  let own: ScratchDatabase;
  beforeAll(async () => {
    own = await createScratchDatabase('references', { isDivided });
  });
  afterAll(() => own.drop());

  const nameOf = (reference: string) => ({ tenantId: 'acme', namespace: 'receipts' as const, reference });
  const find = async (reference: string) =>
    (await findReferences(own.database, [nameOf('absent'), nameOf(reference)])).get(referenceKey(nameOf(reference)));
  const takeOverIn = async (partition: number) =>
    (await takeOverPartitions(own.database, 'test', [partition])).get(partition)?.epoch ?? 0;

  test('is found with its first fact, and stored in one form only', async () => {
    const epoch = await takeOverIn(0);
    const odd = 'ñ "\\';
    const first = factRow({ client: 'ivo', sequence: 1, partition: 0, eventNo: 1, reference: 'r-1' });
    const second = factRow({ client: 'ivo', sequence: 2, partition: 0, eventNo: 2 });
    const third = factRow({ client: 'ivo', sequence: 3, partition: 0, eventNo: 3, reference: odd });
    const subject = randomUUID();
    const withId = {
      ...third,
      fact: { ...third.fact, body: JSON.stringify({ id: subject, text: odd }) },
      reference: { ...(third.reference as ReferenceRow), subject },
    };
    const rows = batchOf(epoch, [first, second, withId]);
    expect(await commitBatch(own.database, rows)).toMatchObject({ outcome: 'committed' });
    const common = { bookId: 'c/ivo', kind: 'noted' };
    const digestOf = (text: string): string => Buffer.from(text).toString('hex');
    expect(await find('r-1')).toEqual({ ...common, digest: digestOf('ivo-1'), subject: 's', sequence: 1 });
    expect(await find(odd)).toEqual({ ...common, digest: digestOf('ivo-3'), subject, sequence: 3 });
    expect(await find('absent')).toBeUndefined();
    const events = await readEventsAfter(own.database, 0, 0, 10);
    expect(events.map(({ reference }) => reference && [reference.reference, reference.subject])).toEqual([
      ['r-1', 's'],
      null,
      [odd, subject],
    ]);
    const listed = 'SELECT reference, subject, sequence FROM recorded_references ORDER BY sequence';
    expect((await own.database.query(listed)).rows).toEqual([
      { reference: 'r-1', subject: 's', sequence: 1 },
      { reference: odd, subject, sequence: 3 },
    ]);
    const byName = (await own.database.query('SELECT FROM submission_references')).rowCount;
    const byHash = 'SELECT name_hash, event_number, partition, subject FROM reference_hashes ORDER BY event_number';
    const hashes = [
      { name_hash: hashOf('r-1'), event_number: 1, partition: 0, subject: 's' },
      { name_hash: hashOf(odd), event_number: 3, partition: 0, subject: null },
    ];
    expect(byName).toBe(isDivided ? 0 : 2);
    expect((await own.database.query(byHash)).rows).toEqual(isDivided ? hashes : []);
  });

  /** As the documentation of the table says. */
  function hashOf(reference: string): string {
    const hex = hash('sha256', `acme\nreceipts\n${reference}`).slice(0, 32);
    return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
  }

  test('is recorded once by two partitions that commit it at the same time', async () => {
    const epochs = await Promise.all([1, 2].map(takeOverIn));
    const commit = (partition: number, epoch: number) => {
      const fact = factRow({ client: `mia-${partition}`, sequence: 1, partition, eventNo: 1, reference: 'at-once' });
      return commitBatch(own.database, batchOf(epoch, [fact]));
    };
    const results = await Promise.all(epochs.map((epoch, index) => commit(index + 1, epoch)));
    expect(results.map(({ outcome }) => outcome).sort()).toEqual(['committed', 'reference_taken']);
  });

  test('is not recorded where a row with its name has it', async () => {
    const epoch = await takeOverIn(3);
    await own.database.query(
      `INSERT INTO submission_references (tenant_id, namespace, reference, digest, book_id, kind, subject, sequence)
        VALUES ('acme', 'receipts', 'by-name', 'x', 'c/kim', 'noted', 's', 7)`,
    );
    const fact = factRow({ client: 'lea', sequence: 1, partition: 3, eventNo: 1, reference: 'by-name' });
    expect(await commitBatch(own.database, batchOf(epoch, [fact]))).toEqual({ outcome: 'reference_taken' });
    expect(await find('by-name')).toMatchObject({ bookId: 'c/kim', sequence: 7 });
  });

  test('whose fact is missing is not taken for one that was never recorded', async () => {
    const insert = "INSERT INTO reference_hashes VALUES ($1, 99, 5, 'x', NULL)";
    await own.database.query(insert, [hashOf('without a fact')]);
    await expect(find('without a fact')).rejects.toThrow(
      'the fact of the reference receipts without a fact is missing',
    );
  });

  test('is stored by functions whose results never change', async () => {
    const text = `SELECT reference_hash('acme', 'receipts', 'r-1') AS hash, subject_of_fact('{"id":"x","id2":"y"}', $1) AS of_body,
      subject_of_fact('{"loan":"x"}', $1) AS of_event, subject_of_fact('{"loan":"x"}', NULL) AS none`;
    const event = '6f1c0b1e-0000-4000-8000-000000000001';
    expect((await own.database.query(text, [event])).rows).toEqual([
      { hash: 'a19bafc3-2a7e-1519-9e8a-71b463e53b7f', of_body: 'x', of_event: event, none: null },
    ]);
  });

  test('comes from a request that is read as it was sent, however its row is stored', async () => {
    const epoch = await takeOverIn(4);
    const rows = batchOf(epoch, [factRow({ client: 'nil', sequence: 1, partition: 4, eventNo: 1 })]);
    const [sample] = rows.evidence as [EvidenceRow];
    const fp = '00ff5e1d00ff5e1d00ff5e1d00ff5e1d';
    const sent = [
      { method: 'POST', fp, bodyEncoding: 'identity' },
      { method: 'PUT', fp: fp.toUpperCase(), bodyEncoding: 'deflate' },
      { method: 'POST', fp: 'odd', bodyEncoding: 'identity' },
      { method: 'POST', fp: null, bodyEncoding: 'identity' },
    ].map((columns) => ({ ...sample, ...columns, requestId: randomUUID() }));
    const committed = await commitBatch(own.database, { ...rows, evidence: [sample, ...sent] });
    expect(committed).toMatchObject({ outcome: 'committed' });
    const text = 'SELECT method, fp, body_encoding AS "bodyEncoding" FROM evidence WHERE request_id = $1';
    for (const { requestId, method, fp, bodyEncoding } of sent)
      expect((await own.database.query(text, [requestId])).rows).toEqual([{ method, fp, bodyEncoding }]);
    const stored = await own.database.query(
      "SELECT method, fp, encode(fp_bytes, 'hex') AS bytes, body_encoding FROM request_evidence WHERE request_id = $1",
      [sent[0]?.requestId],
    );
    expect(stored.rows).toEqual([{ method: null, fp: null, bytes: fp, body_encoding: null }]);
  });
});

describe('a request that went to several partitions', () => {
  const bodyOf = (bytes: number) => Buffer.alloc(bytes, 'x');
  const evidenceOf = (rows: CommitRows, requestId: string, body: Buffer): CommitRows => ({
    ...rows,
    evidence: rows.evidence.map((row) => ({ ...row, requestId, body })),
  });

  test.each([
    [2_001, 1],
    [2_000, 0],
  ])('with a body of %d bytes has %d shared body, and every partition reads it', async (bytes, shared) => {
    const requestId = randomUUID();
    const rows: CommitRows[] = [];
    for (const partition of [0, 1, 2]) {
      const epoch = await takeOver(partition);
      const { nextOffset, nextEvent } = (await readPartitionPositions(database, [partition])).get(partition) ?? fail();
      const fact = factRow({ client: `many-${bytes}-${partition}`, sequence: 1, partition, eventNo: nextEvent });
      rows.push(evidenceOf(batchOf(epoch, [{ ...fact, requestId, offset: nextOffset }]), requestId, bodyOf(bytes)));
    }
    const [first, second, third] = rows as [CommitRows, CommitRows, CommitRows];
    // Two partitions in one commit, the third in a commit at the same time.
    const both: CommitRows = {
      ...first,
      fences: [...first.fences, ...second.fences],
      facts: [...first.facts, ...second.facts],
      books: [...first.books, ...second.books],
      evidence: [...first.evidence, ...second.evidence],
    };
    const results = await Promise.all([commitBatch(database, both), commitBatch(database, third)]);
    expect(results).toMatchObject([{ outcome: 'committed' }, { outcome: 'committed' }]);
    const { rows: bodies } = await database.query('SELECT body FROM request_bodies WHERE request_id = $1', [requestId]);
    expect(bodies).toHaveLength(shared);
    const { rows: read } = await database.query('SELECT body FROM evidence WHERE request_id = $1', [requestId]);
    expect(read).toEqual([0, 1, 2].map(() => ({ body: bodyOf(bytes) })));
  });
});

test('a commit reads as many pages after many commits during a long snapshot as before them', async () => {
  const reader = await scratch.owner.query('BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT count(*) FROM partitions');
  expect(reader).toBeDefined();
  const epoch = await takeOver(7);
  const { nextEvent } = (await readPartitionPositions(database, [7])).get(7) ?? fail();
  let next = nextEvent;
  const commitOne = async (): Promise<void> => {
    const fact = factRow({ client: `long-${next}`, sequence: 1, partition: 7, eventNo: next, feed: true });
    next += 1;
    expect(await commitBatch(database, batchOf(epoch, [fact]))).toMatchObject({ outcome: 'committed' });
  };
  const pagesOfCommit = async (): Promise<number> => {
    const fact = factRow({ client: `long-${next}`, sequence: 1, partition: 7, eventNo: next, feed: true });
    return countCommitPages(database, batchOf(epoch, [fact]));
  };
  try {
    // Each index is two levels deep by then, and stays so.
    for (let commits = 0; commits < 500; commits += 1) await commitOne();
    const before = await pagesOfCommit();
    for (let commits = 0; commits < 1_500; commits += 1) await commitOne();
    expect(await pagesOfCommit()).toBeLessThan(before + 10);
  } finally {
    await scratch.owner.query('ROLLBACK');
  }
});

/** How many pages the commit of these rows reads. It is rolled back. */
async function countCommitPages(pool: Database, rows: CommitRows): Promise<number> {
  const value = encodeRows(rows, numberFacts(rows.facts));
  return inRolledBackTransaction(pool, async (connection) => {
    const { rows: plan } = await connection.query('EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) SELECT commit_batch($1)', [
      value,
    ]);
    const root = plan[0]['QUERY PLAN'][0].Plan;
    return root['Shared Hit Blocks'] + root['Shared Read Blocks'];
  });
}

function fail(): never {
  throw new Error('the partition has no position');
}

describe('the listings of a Tenancy', () => {
  const loanOf = (client: string, loanId: string) => ({
    loanId,
    clientId: client,
    reference: 'l-1',
    configurationId: 'ins-000001',
    configurationVersion: 3,
    state: 'active',
  });

  test('show a Loan that a Receipt of the same batch settles in its final state', async () => {
    const epoch = await takeOver(10);
    const issuing = factRow({ client: 'gil', sequence: 1, partition: 10, eventNo: 1, feed: true });
    const loanId = issuing.fact.loanId as string;
    const issued = { ...issuing, fact: { ...issuing.fact, loan: loanOf('gil', loanId) } };
    const paid = factRow({ client: 'gil', sequence: 2, partition: 10, eventNo: 2 });
    const loanStates = [{ tenantId: 'acme', loanId, state: 'settled' }];
    const committed = await commitBatch(database, { ...batchOf(epoch, [issued, paid]), loanStates });
    expect(committed).toMatchObject({ outcome: 'committed' });
    const { rows } = await database.query('SELECT state FROM loans WHERE loan_id = $1', [loanId]);
    expect(rows).toEqual([{ state: 'settled' }]);
    const [first, second] = await readEventsAfter(database, 10, 0, 10);
    expect(first?.issued).toEqual({ configuration_id: 'ins-000001', configuration_version: 3 });
    expect(second?.issued).toBeNull();
  });

  test('number entries in the order of the facts that created them', async () => {
    const epoch = await takeOver(11);
    const facts = [1, 2, 3].map((at) => {
      const row = factRow({ client: 'hal', sequence: at, partition: 11, eventNo: at });
      const listed = { listing: 'things', id: `thing-${at}`, row: `{"at":${at}}` };
      return at === 2 ? row : { ...row, fact: { ...row.fact, listed } };
    });
    const committed = await commitBatch(database, batchOf(epoch, facts));
    if (committed.outcome !== 'committed') throw new Error(committed.outcome);
    expect(facts.map(committed.listedNumberOf)).toEqual([1, null, 2]);
    expect((await readEventsAfter(database, 11, 0, 10)).map(({ listed }) => listed)).toEqual([
      { listing: 'things', number: 1, id: 'thing-1', row: '{"at":1}' },
      null,
      { listing: 'things', number: 2, id: 'thing-3', row: '{"at":3}' },
    ]);
  });
});

test.each([true, false])(
  'the row of a book has the bytes of its facts, where tables are divided: %s',
  async (isDivided) => {
    const own = await createScratchDatabase('bytes-of-a-book', { isDivided });
    try {
      const { epoch = 0 } = (await takeOverPartitions(own.database, 'test', [0])).get(0) ?? {};
      let eventNo = 0;
      const factOf = (tenantId: string, client: string, sequence: number): FactRow => {
        eventNo += 1;
        return { ...factRow({ client, sequence, partition: 0, eventNo }), tenantId };
      };
      const commit = (facts: readonly FactRow[]) => commitBatch(own.database, batchOf(epoch, facts));
      const sizes = async () => {
        const text = 'SELECT tenant_id, book_id, fact_bytes AS bytes FROM books ORDER BY tenant_id, book_id';
        return (await own.database.query<{ bytes: number | null }>(text)).rows.map(({ bytes }) => bytes);
      };
      const bytesOf = (...facts: readonly (FactRow | undefined)[]) =>
        facts.reduce((sum, row) => sum + 4 * Buffer.byteLength(row?.fact.body ?? ''), 0);
      // Two Tenancies have a Client of the same name.
      const first = [factOf('acme', 'ned', 1), factOf('acme', 'ned', 2), factOf('acme', 'olga-of-acme', 1)];
      await commit(first);
      expect(await sizes()).toEqual([bytesOf(first[0], first[1]), bytesOf(first[2])]);
      const second = [factOf('acme', 'ned', 3), factOf('best', 'ned', 1)];
      await commit(second);
      const ofAll = [bytesOf(first[0], first[1], second[0]), bytesOf(first[2]), bytesOf(second[1])];
      expect(await sizes()).toEqual(ofAll);
      await own.owner.query("UPDATE books SET fact_bytes = NULL WHERE tenant_id = 'acme'");
      const third = factOf('acme', 'ned', 4);
      await commit([third]);
      expect(await sizes()).toEqual([null, null, ofAll[2]]);
      const counting = readFileSync(join(migrationsDir, '022_count_bytes_of_books.sql'), 'utf8');
      await own.owner.query(counting);
      expect(await sizes()).toEqual([bytesOf(first[0], first[1], second[0], third), ...ofAll.slice(1)]);
    } finally {
      await own.drop();
    }
  },
);

describe('a book is loaded', () => {
  test('from its snapshot and later facts, or from all facts when the snapshot has another format', async () => {
    const epoch = await takeOver(8);
    const facts = [1, 2, 3].map((at) => factRow({ client: 'fay', sequence: at, partition: 8, eventNo: at }));
    const snapshot = (data: string) => [{ tenantId: 'acme', bookId: 'c/fay', sequence: 2, data }];
    await commitBatch(database, { ...batchOf(epoch, facts), snapshots: snapshot('1["stored","stored"]') });
    const name = { tenantId: 'acme', bookId: 'c/fay' };
    const third = facts[2]?.fact.body as string;
    expect((await loadBooks(database, deciderFor, [name]))[0]?.book).toEqual(['stored', 'stored', third]);
    const { partition, offset, eventNumber: eventNo } = facts[2] as FactRow;
    const fences = [{ partition, epoch, fromOffset: offset + 1, nextOffset: offset + 1, nextEvent: eventNo + 1 }];
    await commitBatch(database, { ...emptyRows, fences, snapshots: snapshot('0["older format"]') });
    expect((await loadBooks(database, deciderFor, [name]))[0]?.book).toEqual(facts.map(({ fact }) => fact.body));
  });
});
