/** Checks the whole database and the topic after a fault. An empty list means that every invariant holds. */

import pg from 'pg';
import type { Moment } from '#libs/calendar/moment.ts';
import { AvroCodec } from '#libs/kafka/avro-codec.ts';
import { type BookEvent, bookEventSchema } from '#libs/kafka/book-event.ts';
import { connectKafka } from '#libs/kafka/kafka-client.ts';
import { SchemaRegistry } from '#libs/kafka/schema-registry.ts';
import { TopicConsumer } from '#libs/kafka/topic-consumer.ts';
import { topics } from '#libs/kafka/topics.ts';
import { runToEnd } from '#libs/ledger/cooperative-loop.ts';
import { silentLogger } from '#libs/runtime/logging.ts';
import { deciderFor } from '#libs/tenant/decider-for.ts';
import { partitionCount } from '#test/support/partitions.ts';
import { eventually, type TestEnvironment } from '#test/support/tenant.ts';
import type { AcknowledgedWrite } from './workload.ts';

/** Queries for rows that must not exist. */
const violationQueries: Readonly<Record<string, string>> = {
  'a book row does not match its facts': `
    SELECT b.tenant_id, b.book_id, b.sequence, count(f.sequence) AS facts, max(f.sequence) AS last
    FROM books b LEFT JOIN facts f USING (tenant_id, book_id)
    GROUP BY b.tenant_id, b.book_id, b.sequence, b.version_count
    HAVING count(f.sequence) <> b.sequence OR coalesce(max(f.sequence), 0) <> b.sequence
      OR count(*) FILTER (WHERE f.counts) <> b.version_count`,
  'the moments of a book do not rise': `
    SELECT tenant_id, book_id, sequence FROM (
      SELECT tenant_id, book_id, sequence, recorded_at, lag(recorded_at) OVER (PARTITION BY tenant_id, book_id ORDER BY sequence) AS before
      FROM facts) f WHERE recorded_at <= before`,
  'a fact has no book':
    'SELECT f.tenant_id, f.book_id FROM facts f LEFT JOIN books b USING (tenant_id, book_id) WHERE b.book_id IS NULL',
  'the event numbers of a partition have a gap': `
    SELECT p.partition, p.next_event, count(f.event_number), max(f.event_number) FROM partitions p LEFT JOIN facts f USING (partition)
    GROUP BY p.partition, p.next_event HAVING count(f.event_number) <> p.next_event - 1 OR coalesce(max(f.event_number), 0) <> p.next_event - 1`,
  'the feed has a gap': `
    SELECT tenant_id, count(*), max(number) FROM feed GROUP BY tenant_id HAVING count(*) <> max(number)`,
  'a fact of a Loan differs from its feed entry': `
    SELECT f.tenant_id, f.book_id, f.sequence, f.feed_number FROM facts f
    LEFT JOIN feed n ON n.tenant_id = f.tenant_id AND n.number = f.feed_number
    WHERE (f.loan_id IS NOT NULL AND f.event_id IS NOT NULL) <> (f.feed_number IS NOT NULL)
      OR (f.feed_number IS NOT NULL AND (n.event_id, n.loan_id, n.kind, n.recorded_at) IS DISTINCT FROM (f.event_id, f.loan_id, f.kind, f.recorded_at))`,
  'the feed has the facts of a book in another order': `
    SELECT tenant_id, book_id, sequence FROM (
      SELECT tenant_id, book_id, sequence, feed_number, lag(feed_number) OVER (PARTITION BY tenant_id, book_id ORDER BY sequence) AS before
      FROM facts WHERE feed_number IS NOT NULL) f WHERE feed_number <= before`,
  'a reference names a missing fact': `
    SELECT r.tenant_id, r.reference FROM submission_references r LEFT JOIN facts f USING (tenant_id, book_id, sequence) WHERE f.sequence IS NULL`,
  'the reference of a fact is missing': `
    SELECT f.tenant_id, f.reference FROM facts f LEFT JOIN submission_references r USING (tenant_id, namespace, reference)
    WHERE f.reference IS NOT NULL AND (r.sequence IS NULL OR r.sequence <> f.sequence OR r.book_id <> f.book_id)`,
  'a fact has no evidence': `
    SELECT f.tenant_id, f.book_id, f.sequence FROM facts f LEFT JOIN evidence e USING (request_id, partition) WHERE e.request_id IS NULL`,
  'a snapshot is ahead of its book':
    'SELECT tenant_id, book_id FROM snapshots s JOIN books b USING (tenant_id, book_id) WHERE s.sequence > b.sequence',
};

export async function findViolations(
  { stack }: TestEnvironment,
  tenantId: string,
  acknowledged: ReadonlyMap<string, AcknowledgedWrite>,
): Promise<string[]> {
  const database = new pg.Client({ connectionString: stack.databaseUrl });
  await database.connect();
  try {
    return [
      ...(await inconsistentRows(database)),
      ...(await parkedBooks(database, tenantId)),
      ...(await lostOrRepeatedWrites(database, tenantId, acknowledged)),
      ...(await wrongSnapshots(database, tenantId)),
      ...(await wrongEvents(database, stack)),
    ];
  } finally {
    await database.end();
  }
}

async function inconsistentRows(database: pg.Client): Promise<string[]> {
  const found: string[] = [];
  for (const [what, query] of Object.entries(violationQueries)) {
    const { rows } = await database.query(`${query} LIMIT 5`);
    for (const row of rows) found.push(`${what}: ${JSON.stringify(row)}`);
  }
  return found;
}

async function parkedBooks(database: pg.Client, tenantId: string): Promise<string[]> {
  const { rows } = await database.query('SELECT book_id FROM books WHERE parked AND tenant_id = $1', [tenantId]);
  return rows.map((row: { book_id: string }) => `${row.book_id} is parked`);
}

/** Every acknowledged write must be recorded exactly once, as acknowledged. */
async function lostOrRepeatedWrites(
  database: pg.Client,
  tenantId: string,
  acknowledged: ReadonlyMap<string, AcknowledgedWrite>,
): Promise<string[]> {
  const { rows } = await database.query(
    'SELECT namespace, reference, subject, book_id FROM submission_references WHERE tenant_id = $1',
    [tenantId],
  );
  const recorded = new Map(
    rows.map((row: { namespace: string; reference: string; subject: string; book_id: string }) => [
      `${row.namespace} ${row.reference}`,
      row,
    ]),
  );
  const found: string[] = [];
  for (const [reference, { namespace, bookId, id }] of acknowledged) {
    const row = recorded.get(`${namespace} ${reference}`);
    if (row === undefined) found.push(`${namespace} ${reference} was acknowledged but is not recorded`);
    else if (row.subject !== (id ?? row.subject) || row.book_id !== bookId)
      found.push(`${reference} was acknowledged as ${id} of ${bookId} but is ${row.subject} of ${row.book_id}`);
  }
  const twice = await database.query(
    `SELECT namespace, reference, count(*) FROM facts WHERE tenant_id = $1 AND reference IS NOT NULL
     GROUP BY namespace, reference HAVING count(*) > 1`,
    [tenantId],
  );
  for (const row of twice.rows) found.push(`recorded twice: ${JSON.stringify(row)}`);
  return found;
}

interface BookFactRow {
  book_id: string;
  sequence: string;
  kind: string;
  body: string;
  recorded_at: string;
}

async function wrongSnapshots(database: pg.Client, tenantId: string): Promise<string[]> {
  const { rows: facts } = await database.query(
    'SELECT book_id, sequence, kind, body::text AS body, recorded_at FROM facts WHERE tenant_id = $1 ORDER BY book_id, sequence',
    [tenantId],
  );
  const { rows: snapshots } = await database.query(
    'SELECT book_id, sequence, data FROM snapshots WHERE tenant_id = $1',
    [tenantId],
  );
  const byBook = Map.groupBy(facts as BookFactRow[], ({ book_id }) => book_id);
  const found: string[] = [];
  for (const { book_id, sequence, data } of snapshots as { book_id: string; sequence: string; data: string }[]) {
    const decider = deciderFor(book_id);
    let book = decider.empty(tenantId, book_id);
    for (const fact of (byBook.get(book_id) ?? []).slice(0, Number(sequence))) {
      book = decider.replay(book, {
        sequence: Number(fact.sequence),
        kind: fact.kind,
        body: fact.body,
        recordedAt: Number(fact.recorded_at) as Moment,
      });
    }
    if (runToEnd(decider.encode(book)) !== data)
      found.push(`the snapshot of ${book_id} at ${sequence} differs from the fold of its facts`);
  }
  return found;
}

interface EventFactRow {
  partition: number;
  event_number: string;
  book_id: string;
  body: string;
}

async function factsByEvent(database: pg.Client): Promise<Map<string, EventFactRow>> {
  const { rows } = await database.query(
    'SELECT partition, event_number, book_id, body::text AS body FROM facts ORDER BY partition, event_number',
  );
  return new Map((rows as EventFactRow[]).map((row) => [`${row.partition}/${row.event_number}`, row]));
}

/** The topic must hold every fact once, in order, with equal content. */
async function wrongEvents(database: pg.Client, stack: TestEnvironment['stack']): Promise<string[]> {
  const { rows } = await database.query('SELECT count(*)::int AS facts FROM facts');
  const recordedAtStart: number = rows[0].facts;
  const events: { readonly place: string; readonly event: BookEvent }[] = [];
  const found: string[] = [];
  const last = new Map<number, bigint>();
  /** Kept over a change of the group: a busy machine may miss its heartbeats. */
  const nextOffsets = new Map<number, number>();
  const codec = await AvroCodec.open<BookEvent, BookEvent<number>>(
    new SchemaRegistry(stack.schemaRegistryUrl),
    bookEventSchema,
  );
  const consumer = await TopicConsumer.open({
    kafka: connectKafka(stack.kafkaBrokers, 'invariants'),
    groupId: `invariants-${Date.now()}-${Math.random()}`,
    topic: topics.bookEvents,
    partitionCount,
    logger: silentLogger,
    onAssigned: async (partitions) =>
      new Map(partitions.map((partition) => [partition, nextOffsets.get(partition) ?? 0])),
    onRecords(partition, records) {
      for (const { offset, value } of records) {
        nextOffsets.set(partition, offset + 1);
        const event = codec.decode(value ?? Buffer.alloc(0)) as BookEvent;
        const expected = (last.get(partition) ?? 0n) + 1n;
        if (event.sequence !== expected)
          found.push(`partition ${partition} of the topic holds event ${event.sequence}, expected ${expected}`);
        if (event.sequence < expected) continue;
        last.set(partition, event.sequence);
        events.push({ place: `${partition}/${event.sequence}`, event });
      }
      return undefined;
    },
    onDataLoss: (cause) => found.push(String(cause)),
    onCrash: (cause) => found.push(String(cause)),
  });
  await eventually(() => events.length >= recordedAtStart, 60_000).catch(() =>
    found.push(`the topic holds ${events.length} of ${recordedAtStart} facts`),
  );
  await consumer.stop();
  // Facts are recorded meanwhile; each is committed before its event is published, so it is read after the events.
  const facts = await factsByEvent(database);
  for (const { place, event } of events) {
    const fact = facts.get(place);
    if (fact?.body !== event.body || fact.book_id !== event.book_id) found.push(`event ${place} differs from its fact`);
  }
  return found.slice(0, 20);
}
