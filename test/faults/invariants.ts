/** Checks the whole database and the topic after a fault. An empty list means that every invariant holds. */
import type { Moment } from '#libs/calendar/moment.ts';
import type { Database } from '#libs/database/database.ts';
import type { PartitionDatabases } from '#libs/database/partition-databases.ts';
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
import { openTestDatabases, queryAll } from '#test/support/test-databases.ts';
import type { AcknowledgedWrite } from './workload.ts';

/** Queries for rows that must not exist. */
const violationQueries: Readonly<Record<string, string>> = {
  'a book row does not match its facts': `
    SELECT b.tenant_id, b.book_id, b.sequence, count(f.sequence) AS facts, max(f.sequence) AS last
    FROM books b LEFT JOIN facts f USING (tenant_id, book_id)
    GROUP BY b.tenant_id, b.book_id, b.sequence, b.version_count, b.fact_bytes
    HAVING count(f.sequence) <> b.sequence OR coalesce(max(f.sequence), 0) <> b.sequence
      OR coalesce(sum(bytes_of_fact(f.kind, f.body::text)), 0) IS DISTINCT FROM b.fact_bytes
      OR count(*) FILTER (WHERE f.counts) <> b.version_count`,
  'the moments of a book do not rise': `
    SELECT tenant_id, book_id, sequence FROM (
      SELECT tenant_id, book_id, sequence, recorded_at, lag(recorded_at) OVER (PARTITION BY tenant_id, book_id ORDER BY sequence) AS before
      FROM facts) f WHERE recorded_at <= before`,
  'a fact has no book':
    'SELECT f.tenant_id, f.book_id FROM facts f LEFT JOIN books b USING (tenant_id, book_id) WHERE b.book_id IS NULL',
  'the event numbers of a partition have a gap': `
    SELECT p.partition, p.next_event, count(f.event_number), max(f.event_number) FROM partitions p LEFT JOIN facts f USING (partition)
    WHERE p.partition NOT IN (SELECT partition FROM partition_placement)
    GROUP BY p.partition, p.next_event HAVING count(f.event_number) <> p.next_event - 1 OR coalesce(max(f.event_number), 0) <> p.next_event - 1`,
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
    SELECT r.tenant_id, r.reference FROM recorded_references r LEFT JOIN facts f USING (tenant_id, book_id, sequence) WHERE f.sequence IS NULL`,
  'the hash of a reference differs from its fact': `
    SELECT r.name_hash FROM reference_hashes r LEFT JOIN facts f USING (partition, event_number)
    WHERE r.name_hash IS DISTINCT FROM reference_hash(f.tenant_id, f.namespace, f.reference)`,
  'the reference of a fact is missing': `
    SELECT f.tenant_id, f.reference FROM facts f LEFT JOIN recorded_references r USING (tenant_id, namespace, reference)
    WHERE f.reference IS NOT NULL AND (r.sequence IS NULL OR r.sequence <> f.sequence OR r.book_id <> f.book_id)`,
  'a fact has no evidence': `
    SELECT f.tenant_id, f.book_id, f.sequence FROM facts f LEFT JOIN evidence e USING (request_id, partition) WHERE e.request_id IS NULL`,
  'a snapshot is ahead of its book':
    'SELECT tenant_id, book_id FROM snapshots s JOIN books b USING (tenant_id, book_id) WHERE s.sequence > b.sequence',
};

export async function findViolations(
  environment: TestEnvironment,
  tenantId: string,
  acknowledged: ReadonlyMap<string, AcknowledgedWrite>,
): Promise<string[]> {
  const { databases, close } = await openTestDatabases(environment, { name: 'invariants', as: 'audit' });
  try {
    return [
      ...(await databases.readAll(inconsistentRows)).flat(),
      ...(await gapsInFeeds(databases)),
      ...(await parkedBooks(databases, tenantId)),
      ...(await lostOrRepeatedWrites(databases, tenantId, acknowledged)),
      ...(await wrongSnapshots(databases, tenantId)),
      ...(await wrongEvents(databases, environment.stack)),
    ];
  } finally {
    await close();
  }
}

async function inconsistentRows(database: Database): Promise<string[]> {
  const found: string[] = [];
  for (const [what, query] of Object.entries(violationQueries)) {
    const { rows } = await database.query(`${query} LIMIT 5`);
    for (const row of rows) found.push(`${what}: ${JSON.stringify(row)}`);
  }
  return found;
}

/** Each database numbers what it records; a partition that moves takes its numbers along (decision 0090). */
async function gapsInFeeds(databases: PartitionDatabases): Promise<string[]> {
  const text = `SELECT tenant_id, number >> 40 AS database, count(*), max(number % (1::bigint << 40)) AS last
    FROM feed GROUP BY tenant_id, number >> 40`;
  type Row = { readonly tenant_id: string; readonly database: number; readonly count: number; readonly last: number };
  const rows = await queryAll<Row>(databases, 'invariant_feeds', text);
  return [...Map.groupBy(rows, ({ tenant_id, database }) => `${tenant_id} of database ${database}`)].flatMap(
    ([feed, parts]) => {
      const count = parts.reduce((sum, part) => sum + part.count, 0);
      const last = Math.max(...parts.map((part) => part.last));
      return count === last ? [] : [`the feed ${feed} has a gap: ${count} events up to ${last}`];
    },
  );
}

async function parkedBooks(databases: PartitionDatabases, tenantId: string): Promise<string[]> {
  const text = 'SELECT book_id FROM books WHERE parked AND tenant_id = $1';
  const rows = await queryAll<{ book_id: string }>(databases, 'invariant_parked', text, [tenantId]);
  return rows.map(({ book_id }) => `${book_id} is parked`);
}

/** Every acknowledged write must be recorded exactly once, as acknowledged. */
async function lostOrRepeatedWrites(
  databases: PartitionDatabases,
  tenantId: string,
  acknowledged: ReadonlyMap<string, AcknowledgedWrite>,
): Promise<string[]> {
  const text = 'SELECT namespace, reference, subject, book_id FROM recorded_references WHERE tenant_id = $1';
  const rows = await queryAll<ReferenceRow>(databases, 'invariant_references', text, [tenantId]);
  const recorded = new Map(rows.map((row) => [`${row.namespace} ${row.reference}`, row]));
  const found: string[] = [];
  for (const [reference, { namespace, bookId, id }] of acknowledged) {
    const row = recorded.get(`${namespace} ${reference}`);
    if (row === undefined) found.push(`${namespace} ${reference} was acknowledged but is not recorded`);
    else if (row.subject !== (id ?? row.subject) || row.book_id !== bookId)
      found.push(`${reference} was acknowledged as ${id} of ${bookId} but is ${row.subject} of ${row.book_id}`);
  }
  // Also one that two databases recorded.
  const referencesText = 'SELECT namespace, reference FROM facts WHERE tenant_id = $1 AND reference IS NOT NULL';
  const references = await queryAll<ReferenceRow>(databases, 'invariant_facts', referencesText, [tenantId]);
  for (const [reference, facts] of Map.groupBy(references, (row) => `${row.namespace} ${row.reference}`))
    if (facts.length > 1) found.push(`${reference} was recorded ${facts.length} times`);
  return found;
}

interface ReferenceRow {
  readonly namespace: string;
  readonly reference: string;
  readonly subject: string;
  readonly book_id: string;
}

interface BookFactRow {
  readonly book_id: string;
  readonly sequence: number;
  readonly kind: string;
  readonly body: string;
  readonly recorded_at: Moment;
}

async function wrongSnapshots(databases: PartitionDatabases, tenantId: string): Promise<string[]> {
  const factsText = `SELECT book_id, sequence, kind, body::text AS body, recorded_at FROM facts WHERE tenant_id = $1
    ORDER BY book_id, sequence`;
  const facts = await queryAll<BookFactRow>(databases, 'invariant_books', factsText, [tenantId]);
  const snapshotsText = 'SELECT book_id, sequence, data FROM snapshots WHERE tenant_id = $1';
  type Snapshot = Pick<BookFactRow, 'book_id' | 'sequence'> & { readonly data: string };
  const snapshots = await queryAll<Snapshot>(databases, 'invariant_snapshots', snapshotsText, [tenantId]);
  const byBook = Map.groupBy(facts, ({ book_id }) => book_id);
  const found: string[] = [];
  for (const { book_id, sequence, data } of snapshots) {
    const decider = deciderFor(book_id);
    let book = decider.empty(tenantId, book_id);
    for (const { recorded_at: recordedAt, ...fact } of (byBook.get(book_id) ?? []).slice(0, sequence))
      book = decider.replay(book, { ...fact, recordedAt });
    if (runToEnd(decider.encode(book)) !== data)
      found.push(`the snapshot of ${book_id} at ${sequence} differs from the fold of its facts`);
  }
  return found;
}

interface EventFactRow {
  readonly partition: number;
  readonly event_number: number;
  readonly book_id: string;
  readonly body: string;
}

async function factsByEvent(databases: PartitionDatabases): Promise<Map<string, EventFactRow>> {
  const text = 'SELECT partition, event_number, book_id, body::text AS body FROM facts';
  const rows = await queryAll<EventFactRow>(databases, 'invariant_events', text);
  return new Map(rows.map((row) => [`${row.partition}/${row.event_number}`, row]));
}

/** The topic must hold every fact once, in order, with equal content. */
async function wrongEvents(databases: PartitionDatabases, stack: TestEnvironment['stack']): Promise<string[]> {
  const recordedAtStart = (await factsByEvent(databases)).size;
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
  const facts = await factsByEvent(databases);
  for (const { place, event } of events) {
    const fact = facts.get(place);
    if (fact?.body !== event.body || fact.book_id !== event.book_id) found.push(`event ${place} differs from its fact`);
  }
  return found.slice(0, 20);
}
