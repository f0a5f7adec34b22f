/** A cell of an earlier release has undivided tables: everything reads the same there, and a rebuild divides them. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readAdministrationFacts } from '#libs/database/administration-facts.ts';
import { BookRowReader } from '#libs/database/book-row-reader.ts';
import { readBookBytes } from '#libs/database/book-sizes.ts';
import { type BookKey, type LoadedBook, loadBooks, manyBooks } from '#libs/database/books.ts';
import { type Database, untimed } from '#libs/database/database.ts';
import { areTablesDivided } from '#libs/database/divide-tables.ts';
import { findCommittedRequests, readFactEvidence } from '#libs/database/evidence.ts';
import { createLookups } from '#libs/database/immutable-lookups.ts';
import { PartitionDatabases } from '#libs/database/partition-databases.ts';
import { moveOwner } from '#libs/database/partitions.ts';
import { numberRange } from '#libs/database/placement-view.ts';
import { openDatabase, openOwnerDatabase } from '#libs/database/pool.ts';
import { readClientsBefore } from '#libs/database/read-client-and-credit-pages.ts';
import { countEventsWithin, readEventsAfter, readFactsAfter } from '#libs/database/read-events.ts';
import { readRecordedLoans } from '#libs/database/read-loans.ts';
import { findReferences, type ReferenceName } from '#libs/database/references.ts';
import { readListedTenancy } from '#libs/database/tenancies.ts';
import { bookKey } from '#libs/kafka/book-key-partition.ts';
import { TopicWriter } from '#libs/kafka/topic-writer.ts';
import { topics } from '#libs/kafka/topics.ts';
import type { Namespace } from '#libs/ledger/book-decider.ts';
import { clientBookId, tenancyBookId } from '#libs/ledger/book-id.ts';
import { runToEnd } from '#libs/ledger/cooperative-loop.ts';
import { silentLogger } from '#libs/runtime/logging.ts';
import { deciderFor } from '#libs/tenant/decider-for.ts';
import { auditStored } from '#libs/verify/audit/audit-stored.ts';
import { formatFinding } from '#libs/verify/audit/findings.ts';
import { ResolvedData } from '#libs/verify/audit/read-ingress-lookups.ts';
import { ShortSnapshots } from '#libs/verify/audit/snapshots.ts';
import { findLeftRows, type LeftRows, removeMoved } from '#libs/verify/move/remove-moved.ts';
import { foldShare } from '#libs/verify/rebuild/fold-books.ts';
import { rebuild } from '#libs/verify/rebuild/rebuild.ts';
import { servingSchema } from '#libs/verify/rebuild/shadow-schema.ts';
import { writeEvents } from '#libs/verify/rebuild/write-events.ts';
import { databaseCount, hasSeveralDatabases } from '#test/stack/database-count.ts';
import { partitionOf } from '#test/support/partitions.ts';
import { RandomActivity } from '#test/support/random-activity.ts';
import { createScratchDatabase } from '#test/support/scratch-database.ts';
import { testEnvironment } from '#test/support/tenant.ts';
import { openTestDatabases } from '#test/support/test-databases.ts';
import { ScratchCell } from './scratch-cell.ts';
import { recordHistory, type TenancyHistory } from './tenancy-history.ts';

const timeoutMs = 120_000;

let cell: ScratchCell;
let activity: RandomActivity;
let history: TenancyHistory;
beforeAll(async () => {
  const here = testEnvironment();
  cell = await ScratchCell.open({ isDivided: false });
  const { databases, close } = await openTestDatabases(here, { name: 'history', connections: 1 });
  const historyOf = await recordHistory({ kafka: cell.servicesKafka, databases, codec: cell.submissionCodec });
  activity = await RandomActivity.open(here, 24);
  await activity.run(60);
  await activity.busyClient();
  history = await historyOf(activity.tenant.id);
  await close();
}, timeoutMs);
afterAll(async () => {
  await activity.tenant.close();
  await cell.close();
});

async function fill(owner: Database): Promise<void> {
  for (const [partition, events] of history.events) {
    // In two parts: most books of the second one are there already.
    const half = events.length >> 1;
    for (const part of [events.slice(0, half), events.slice(half)]) await writeEvents(owner, part);
    const text = 'UPDATE partitions SET next_event = $2, next_offset = 1000000 WHERE partition = $1';
    await owner.query(text, [partition, events.length + 1]);
  }
  await foldShare(owner, { index: 0, count: 1 }, () => undefined);
}

async function publish(): Promise<void> {
  const writer = await TopicWriter.open(cell.kafka);
  for (const [partition, events] of history.events)
    for (const event of events) {
      const key = bookKey(event.tenant_id, event.book_id);
      await writer.append({ topic: topics.bookEvents, partition, key, value: cell.eventCodec.encode(event) });
    }
  await writer.close();
}

const partitionOfBook = ({ tenantId, bookId }: BookKey): number => partitionOf(bookKey(tenantId, bookId));

/** A book that is read lazily from its snapshot is not equal to another one of the same content. */
function encoded({ book, ...rest }: LoadedBook<unknown>): object {
  return { ...rest, book: runToEnd(deciderFor(rest.bookId).encode(book)) };
}

/** What every read of facts and evidence answers. */
async function readAll(database: Database): Promise<unknown> {
  const tenantId = activity.tenant.id;
  const databases = PartitionDatabases.of(database);
  const keys = [tenancyBookId, ...activity.clients.map(clientBookId)].map((bookId) => ({ tenantId, bookId }));
  const reader = new BookRowReader(database);
  const evidence = keys.map((key) => readFactEvidence(databases, untimed, { ...key, sequences: [1, 2, 3] }));
  const events = [...history.events.keys()].map((partition) => readEventsAfter(database, partition, 0, 10_000));
  const bounds = { maxEvents: 100, maxBytes: 10_000 };
  const requests = [...history.events].flatMap(([partition, events]) =>
    events.map(({ request_id }) => ({ requestId: request_id, partition })),
  );
  const loans = activity.loans.map(({ id, client }) => ({ loanId: id, clientId: client }));
  const noFilter = { person: '', action: '', day: '' };
  return {
    books: new Map((await loadBooks(database, deciderFor, keys)).map((loaded) => [loaded.bookId, encoded(loaded)])),
    rows: await Promise.all(
      keys.flatMap((key) => [0, 1].map((after) => reader.read({ ...key, after, maxLaterFacts: 1_000 }, untimed))),
    ),
    sizes: await readBookBytes(database, keys),
    evidence: await Promise.all(evidence),
    events: await Promise.all(events),
    facts: await readFactsAfter(database, partitionOfBook(keys[0] as BookKey), 0, bounds),
    within: await countEventsWithin(database, partitionOfBook(keys[0] as BookKey), 0, bounds),
    committed: await findCommittedRequests(database, requests),
    clients: await readClientsBefore(databases, untimed, { tenantId, from: [], limit: 100 }),
    loans: await readRecordedLoans(databases, untimed, { tenantId, loans }),
    acts: await readAdministrationFacts(database, tenantId, noFilter, { before: 1_000_000, limit: 100 }),
    tenancy: await readListedTenancy(database, tenantId),
    references: await findReferences(database, recordedNames()),
    bookOfReceipt: await Promise.all(
      recordedNames()
        .filter(({ namespace }) => namespace === 'receipts')
        .map(({ reference }) => createLookups(databases, 1_000_000).bookOfReceipt.find(tenantId, reference)),
    ),
    listedReferences: await readRecordedReferences(database),
  };
}

function recordedNames(): ReferenceName[] {
  return [...history.events.values()].flat().flatMap(({ tenant_id: tenantId, reference }) => {
    if (reference === null) return [];
    return [{ tenantId, namespace: reference.namespace as Namespace, reference: reference.reference }];
  });
}

async function readRecordedReferences(database: Database): Promise<object[]> {
  const text = 'SELECT * FROM recorded_references ORDER BY tenant_id, namespace, reference';
  return (await database.query(text)).rows;
}

/** The kinds of facts whose row of a reference repeats what the fact says. */
async function storedSubjects(database: Database): Promise<string[]> {
  const text = `SELECT DISTINCT kind FROM reference_hashes JOIN facts USING (partition, event_number) WHERE subject IS NOT NULL`;
  return (await database.query<{ kind: string }>(text)).rows.map(({ kind }) => kind);
}

async function countReferenceRows(database: Database): Promise<object> {
  const text = `SELECT (SELECT count(*)::int FROM submission_references) AS "byName",
    (SELECT count(*)::int FROM reference_hashes) AS "byHash"`;
  return (await database.query(text)).rows[0];
}

interface Plan {
  readonly 'Relation Name'?: string;
  readonly 'Index Cond'?: string;
  readonly Plans?: readonly Plan[];
}

/** How the rows of a table are looked up. */
const lookupConditions: readonly (readonly [table: RegExp, condition: RegExp])[] = [
  [/^request_evidence/, /request_id|idempotency_key/],
  [/^submission_references$/, /tenant_id.*namespace.*reference/],
  [/^reference_hashes$/, /name_hash/],
];

/** The tables of requests and references that a plan may read row by row, instead of looking up one. */
function scannedTables({ 'Relation Name': name = '', 'Index Cond': condition = '', Plans = [] }: Plan): string[] {
  const isScan = lookupConditions.some(([table, lookup]) => table.test(name) && !lookup.test(condition));
  return [...(isScan ? [name] : []), ...Plans.flatMap(scannedTables)];
}

async function findingsOf(database: Database): Promise<string[]> {
  const options = { database, deciderFor, logger: silentLogger, maxFindings: 100 };
  const read = new ShortSnapshots(database).read;
  const { findings } = await auditStored(read, options, new ResolvedData(PartitionDatabases.of(database)));
  return findings.listed.map(formatFinding);
}

/** One database does not have the numbers of several without gaps. */
const testOfOneDatabase = hasSeveralDatabases ? test.skip : test;

test.each([true, false])(
  'the row of a book has the bytes of its facts, and books without them are counted, where tables are divided: %s',
  async (isDivided) => {
    const scratch = await createScratchDatabase('sizes', { isDivided });
    const owner = openOwnerDatabase({ url: scratch.ownerUrl, name: 'sizes' }, servingSchema);
    try {
      await fill(owner);
      const text = `SELECT book_id, fact_bytes, (SELECT sum(bytes_of_fact(kind, body::text))::bigint FROM facts f
        WHERE f.tenant_id = b.tenant_id AND f.book_id = b.book_id) AS counted FROM books b`;
      const { rows } = await owner.query<{ book_id: string; fact_bytes: number; counted: number }>(text);
      expect(rows.length).toBeGreaterThan(activity.clients.length);
      expect(rows.filter(({ fact_bytes, counted }) => fact_bytes !== counted)).toEqual([]);
      const keys = rows.map(({ book_id }) => ({ tenantId: activity.tenant.id, bookId: book_id }));
      const sizes = await readBookBytes(owner, keys);
      await owner.query('UPDATE books SET fact_bytes = NULL');
      const counted = await readBookBytes(owner, keys);
      const ratios = [...counted].map(([key, bytes]) => (sizes.get(key) ?? 0) / bytes);
      expect(ratios).toHaveLength(keys.length);
      expect(Math.min(...ratios)).toBeGreaterThan(0.9);
      expect(Math.max(...ratios)).toBeLessThan(4);
    } finally {
      await owner.end();
      await scratch.drop();
    }
  },
  timeoutMs,
);

test.each([true, false])(
  'few books are read as in a page of many, where tables are divided: %s',
  async (isDivided) => {
    const scratch = await createScratchDatabase('pages', { isDivided });
    const owner = openOwnerDatabase({ url: scratch.ownerUrl, name: 'pages' }, servingSchema);
    try {
      await fill(owner);
      const tenantId = activity.tenant.id;
      const unknown = Array.from({ length: 16 }, (_, index) => `unknown-${index}`);
      const bookIds = [tenancyBookId, ...[...activity.clients, ...unknown].map(clientBookId)];
      const keys = bookIds.map((bookId) => ({ tenantId, bookId }));
      expect(keys.length).toBeGreaterThanOrEqual(manyBooks);
      const stored = await owner.query<{ books: number; snapshots: number }>(
        'SELECT (SELECT count(*)::int FROM books) AS books, (SELECT count(*)::int FROM snapshots) AS snapshots',
      );
      const { books, snapshots } = stored.rows[0] ?? { books: 0, snapshots: 0 };
      expect(snapshots > 0 && snapshots < books).toBe(true);
      const few = await Promise.all(keys.map((key) => loadBooks(owner, deciderFor, [key])));
      const byId = (books: readonly LoadedBook<unknown>[]) =>
        new Map(books.map((book) => [book.bookId, encoded(book)]));
      expect(byId(await loadBooks(owner, deciderFor, keys))).toEqual(byId(few.flat()));
    } finally {
      await owner.end();
      await scratch.drop();
    }
  },
  timeoutMs,
);

testOfOneDatabase(
  'both layouts read the same, and a rebuild divides the tables of an undivided cell',
  async () => {
    const { kafka, owner, url: ownerUrl } = cell;
    await fill(owner);
    await publish();
    expect(await areTablesDivided(owner)).toBe(false);
    expect(await findingsOf(owner)).toEqual([]);
    const undivided = await readAll(owner);
    const references = recordedNames().length;
    expect(references).toBeGreaterThan(50);
    expect(await countReferenceRows(owner)).toEqual({ byName: references, byHash: 0 });
    const { schemaRegistryUrl } = testEnvironment().stack;
    const options = { kafka, schemaRegistryUrl, ownerUrl, logger: silentLogger };
    for (let time = 0; time < 2; time += 1) {
      const { differences, previousSchema } = await rebuild(options);
      expect(differences).toEqual([]);
      await owner.query(`DROP SCHEMA ${previousSchema} CASCADE`);
      expect(await areTablesDivided(owner)).toBe(true);
      expect(await countReferenceRows(owner)).toEqual({ byName: 0, byHash: references });
      expect(await storedSubjects(owner)).not.toContain('receipt_reported');
      expect(await findingsOf(owner)).toEqual([]);
      expect(await readAll(owner)).toEqual(undivided);
    }
  },
  timeoutMs,
);

test('every statement of the services looks requests and references up, also where the planner would rather join whole tables', async () => {
  const scratch = await createScratchDatabase('plans');
  const database = openDatabase({ url: scratch.servicesUrl, name: 'plans', connections: 1 });
  try {
    await readAll(database);
    await database.query('SET enable_nestloop = off');
    const text = "SELECT name, statement FROM pg_prepared_statements WHERE statement ~ 'evidence|reference_hashes'";
    const { rows: statements } = await database.query<{ name: string; statement: string }>(text);
    expect(statements.length).toBeGreaterThan(5);
    for (const { name, statement } of statements) {
      const { rows } = await database.query(`EXPLAIN (GENERIC_PLAN, FORMAT JSON) ${statement}`);
      expect([name, scannedTables(rows[0]['QUERY PLAN'][0].Plan)]).toEqual([name, []]);
    }
  } finally {
    await database.end();
    await scratch.drop();
  }
});

describe.each([true, false])('where tables are divided: %s', (isDivided) => {
  test(
    'what a moved partition left is removed, also by a second call after an interruption',
    async () => {
      const tenantId = activity.tenant.id;
      // That with the most facts.
      const [[partition] = [0]] = [...history.events].sort(([, one], [, other]) => other.length - one.length);
      const scratch = await createScratchDatabase('removal', { isDivided });
      const owner = openOwnerDatabase({ url: scratch.ownerUrl, name: 'removal' }, servingSchema);
      try {
        await fill(owner);
        const readRest = async (condition: string): Promise<unknown> => {
          const books = `SELECT tenant_id, book_id FROM books WHERE partition ${condition}`;
          const counted = {
            facts: `facts WHERE partition ${condition}`,
            evidence: `evidence WHERE body IS NOT NULL AND partition ${condition}`,
            books: `books WHERE partition ${condition}`,
            references: `recorded_references WHERE (tenant_id, book_id) IN (${books})`,
            listed: `listed_records WHERE (tenant_id, book_id) IN (${books})`,
            feed: `feed WHERE number IN (SELECT feed_number FROM facts WHERE partition ${condition})`,
          };
          const selected = Object.entries(counted).map(
            ([name, from]) => `(SELECT count(*)::int FROM ${from}) AS ${name}`,
          );
          return (await owner.query(`SELECT ${selected.join(', ')}`)).rows[0];
        };
        const others = await readRest(`<> ${partition}`);
        const highest = `SELECT max(feed_number) AS number FROM facts WHERE partition = $1`;
        const { rows: numbers } = await owner.query<{ number: number }>(highest, [partition]);
        // The database that gave the numbers, in the cell where the history was recorded.
        const databases = [...Array(databaseCount).keys()];
        const number = databases.findIndex((each) => (numbers[0]?.number ?? 0) <= numberRange(each).lastNumber);
        await owner.query('UPDATE partitions SET owner = $2 WHERE partition = $1', [partition, moveOwner]);
        const from = { database: owner, name: 'north', number };
        const leftRows = async () => (await findLeftRows(from, partition)) as LeftRows;
        const interrupt = (): void => {
          throw new Error('interrupted');
        };
        await expect(removeMoved(await leftRows(), interrupt)).rejects.toThrow('interrupted');
        await removeMoved(await leftRows());
        expect(await readRest(`= ${partition}`)).toEqual({
          facts: 0,
          evidence: 0,
          books: 0,
          references: 0,
          listed: 0,
          feed: 0,
        });
        expect(await readRest(`<> ${partition}`)).toEqual(others);
        const { rows: totals } = await owner.query(
          `SELECT (SELECT count(*)::int FROM recorded_references) AS references, (SELECT count(*)::int FROM feed) AS feed,
            (SELECT count(*)::int FROM listed_records) AS listed,
            (SELECT count(*)::int FROM request_bodies b WHERE NOT EXISTS (
              SELECT FROM request_evidence e WHERE e.request_id = b.request_id)) AS bodies`,
        );
        const { references, feed, listed } = others as Record<'references' | 'feed' | 'listed', number>;
        expect(totals).toEqual([{ references, feed, listed, bodies: 0 }]);
        const kept = `SELECT number FROM removed_numbers WHERE tenant_id = $1 AND name = 'feed'`;
        expect((await owner.query(kept, [tenantId])).rows).toEqual(numbers);
      } finally {
        await owner.end();
        await scratch.drop();
      }
    },
    timeoutMs,
  );
});
