/** Looks at everything that is kept, and says what does not hold. An empty list is a house that is whole. */
import pg from 'pg';
import type { Moment } from '#libs/calendar/moment.ts';
import { AvroCodec } from '#libs/kafka/avro.ts';
import type { BookEvent } from '#libs/kafka/book-event.ts';
import { connectKafka } from '#libs/kafka/kafka.ts';
import { LogReader } from '#libs/kafka/log-reader.ts';
import { SchemaRegistry } from '#libs/kafka/schema-registry.ts';
import { bookEventAvro } from '#libs/kafka/schemas.ts';
import { topics } from '#libs/kafka/topics.ts';
import { deciderFor } from '#libs/tenant/decider-for.ts';
import { eventually, type House } from '#test/integration/tenant.ts';
import type { Acknowledged } from './lenders.ts';

/** Each finds rows that must not be there. */
const contradictions: Readonly<Record<string, string>> = {
  'a book is not what its facts are': `
    SELECT b.tenant_id, b.book_id, b.sequence, count(f.sequence) AS facts, max(f.sequence) AS last
    FROM books b LEFT JOIN facts f USING (tenant_id, book_id)
    GROUP BY b.tenant_id, b.book_id, b.sequence, b.version_count
    HAVING count(f.sequence) <> b.sequence OR coalesce(max(f.sequence), 0) <> b.sequence
      OR count(*) FILTER (WHERE f.counts) <> b.version_count`,
  'moments of a book do not rise': `
    SELECT tenant_id, book_id, sequence FROM (
      SELECT tenant_id, book_id, sequence, recorded_at, lag(recorded_at) OVER (PARTITION BY tenant_id, book_id ORDER BY sequence) AS before
      FROM facts) f WHERE recorded_at <= before`,
  'facts without a book':
    'SELECT f.tenant_id, f.book_id FROM facts f LEFT JOIN books b USING (tenant_id, book_id) WHERE b.book_id IS NULL',
  'a partition does not count its facts without a gap': `
    SELECT p.partition, p.next_event, count(f.event_no), max(f.event_no) FROM partitions p LEFT JOIN facts f USING (partition)
    GROUP BY p.partition, p.next_event HAVING count(f.event_no) <> p.next_event - 1 OR coalesce(max(f.event_no), 0) <> p.next_event - 1`,
  'a feed has a gap': `
    SELECT c.tenant_id, c.next, count(f.number), max(f.number) FROM counters c LEFT JOIN feed f USING (tenant_id)
    WHERE c.name = 'feed' GROUP BY c.tenant_id, c.next HAVING count(f.number) <> c.next - 1 OR coalesce(max(f.number), 0) <> c.next - 1`,
  'a fact of a Loan is not in the feed as it is kept': `
    SELECT f.tenant_id, f.book_id, f.sequence, f.feed_no FROM facts f
    LEFT JOIN feed n ON n.tenant_id = f.tenant_id AND n.number = f.feed_no
    WHERE (f.loan_id IS NOT NULL AND f.event_id IS NOT NULL) <> (f.feed_no IS NOT NULL)
      OR (f.feed_no IS NOT NULL AND (n.event_id, n.loan_id, n.kind, n.recorded_at) IS DISTINCT FROM (f.event_id, f.loan_id, f.kind, f.recorded_at))`,
  'the feed tells a book in another order than its own': `
    SELECT tenant_id, book_id, sequence FROM (
      SELECT tenant_id, book_id, sequence, feed_no, lag(feed_no) OVER (PARTITION BY tenant_id, book_id ORDER BY sequence) AS before
      FROM facts WHERE feed_no IS NOT NULL) f WHERE feed_no <= before`,
  'a reference names a fact that is not there': `
    SELECT r.tenant_id, r.reference FROM refs r LEFT JOIN facts f USING (tenant_id, book_id, sequence) WHERE f.sequence IS NULL`,
  'a fact was recorded under a reference that is not kept': `
    SELECT f.tenant_id, f.reference FROM facts f LEFT JOIN refs r USING (tenant_id, namespace, reference)
    WHERE f.reference IS NOT NULL AND (r.sequence IS NULL OR r.sequence <> f.sequence OR r.book_id <> f.book_id)`,
  'a fact has no evidence': `
    SELECT f.tenant_id, f.book_id, f.sequence FROM facts f LEFT JOIN evidence e USING (request_id, partition) WHERE e.request_id IS NULL`,
  'a snapshot is ahead of its book':
    'SELECT tenant_id, book_id FROM snapshots s JOIN books b USING (tenant_id, book_id) WHERE s.sequence > b.sequence',
};

export async function findings(
  { stack }: House,
  tenantId: string,
  acknowledged: ReadonlyMap<string, Acknowledged>,
): Promise<string[]> {
  const database = new pg.Client({ connectionString: stack.databaseUrl });
  await database.connect();
  try {
    return [
      ...(await contradictory(database)),
      ...(await parked(database, tenantId)),
      ...(await notRecorded(database, tenantId, acknowledged)),
      ...(await snapshotsUnlikeTheirFold(database, tenantId)),
      ...(await topicUnlikeTheFacts(database, stack)),
    ];
  } finally {
    await database.end();
  }
}

async function contradictory(database: pg.Client): Promise<string[]> {
  const found: string[] = [];
  for (const [what, query] of Object.entries(contradictions)) {
    const { rows } = await database.query(`${query} LIMIT 5`);
    for (const row of rows) found.push(`${what}: ${JSON.stringify(row)}`);
  }
  return found;
}

async function parked(database: pg.Client, tenantId: string): Promise<string[]> {
  const { rows } = await database.query('SELECT book_id FROM books WHERE parked AND tenant_id = $1', [tenantId]);
  return rows.map((row: { book_id: string }) => `${row.book_id} is parked`);
}

/** Everything that was acknowledged is there once, as it was acknowledged. */
async function notRecorded(
  database: pg.Client,
  tenantId: string,
  acknowledged: ReadonlyMap<string, Acknowledged>,
): Promise<string[]> {
  const { rows } = await database.query(
    'SELECT namespace, reference, subject, book_id FROM refs WHERE tenant_id = $1',
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
    if (row === undefined) found.push(`${namespace} ${reference} was acknowledged and is not recorded`);
    else if (row.subject !== (id ?? row.subject) || row.book_id !== bookId)
      found.push(`${reference} was acknowledged as ${id} of ${bookId} and is ${row.subject} of ${row.book_id}`);
  }
  const twice = await database.query(
    `SELECT namespace, reference, count(*) FROM facts WHERE tenant_id = $1 AND reference IS NOT NULL
     GROUP BY namespace, reference HAVING count(*) > 1`,
    [tenantId],
  );
  for (const row of twice.rows) found.push(`recorded twice: ${JSON.stringify(row)}`);
  return found;
}

interface FactOfBook {
  book_id: string;
  sequence: string;
  kind: string;
  body: string;
  recorded_at: string;
}

async function snapshotsUnlikeTheirFold(database: pg.Client, tenantId: string): Promise<string[]> {
  const { rows: facts } = await database.query(
    'SELECT book_id, sequence, kind, body::text AS body, recorded_at FROM facts WHERE tenant_id = $1 ORDER BY book_id, sequence',
    [tenantId],
  );
  const { rows: shots } = await database.query('SELECT book_id, sequence, data FROM snapshots WHERE tenant_id = $1', [
    tenantId,
  ]);
  const byBook = Map.groupBy(facts as FactOfBook[], ({ book_id }) => book_id);
  const found: string[] = [];
  for (const { book_id, sequence, data } of shots as { book_id: string; sequence: string; data: string }[]) {
    const kind = deciderFor(book_id);
    let book = kind.empty(tenantId, book_id);
    for (const fact of (byBook.get(book_id) ?? []).slice(0, Number(sequence))) {
      book = kind.replay(book, {
        sequence: Number(fact.sequence),
        kind: fact.kind,
        body: fact.body,
        recordedAt: Number(fact.recorded_at) as Moment,
      });
    }
    if (kind.encode(book) !== data)
      found.push(`the snapshot of ${book_id} at ${sequence} is not the fold of its facts`);
  }
  return found;
}

/** Every fact once, in the order of its partition, as it is kept. */
async function topicUnlikeTheFacts(database: pg.Client, stack: House['stack']): Promise<string[]> {
  const { rows } = await database.query(
    'SELECT partition, event_no, book_id, body::text AS body FROM facts ORDER BY partition, event_no',
  );
  const kept = new Map(
    rows.map((row: { partition: number; event_no: string; book_id: string; body: string }) => [
      `${row.partition}/${row.event_no}`,
      row,
    ]),
  );
  const found: string[] = [];
  const last = new Map<number, bigint>();
  let told = 0;
  const codec = await AvroCodec.register<BookEvent, BookEvent<number>>(
    new SchemaRegistry(stack.schemaRegistryUrl),
    bookEventAvro,
  );
  const reader = await LogReader.open({
    kafka: connectKafka(stack.kafkaBrokers, 'findings'),
    groupId: `findings-${Date.now()}-${Math.random()}`,
    topic: topics.bookEvents,
    say: { warn: () => undefined, error: () => undefined },
    takeOver: async (partitions) => new Map(partitions.map((partition) => [partition, 0])),
    deliver(partition, records) {
      for (const { value } of records) {
        const event = codec.decode(value ?? Buffer.alloc(0)) as BookEvent;
        const due = (last.get(partition) ?? 0n) + 1n;
        if (event.sequence !== due)
          found.push(`partition ${partition} of the topic tells ${event.sequence} where ${due} is due`);
        if (event.sequence < due) continue;
        last.set(partition, event.sequence);
        told += 1;
        const fact = kept.get(`${partition}/${event.sequence}`);
        if (fact?.body !== event.body || fact.book_id !== event.book_id)
          found.push(`event ${partition}/${event.sequence} is not its fact`);
      }
      return undefined;
    },
    onLost: (cause) => found.push(String(cause)),
    onCrash: (cause) => found.push(String(cause)),
  });
  await eventually(() => told >= kept.size, 60_000).catch(() =>
    found.push(`the topic tells ${told} of ${kept.size} facts`),
  );
  await reader.stop();
  return found.slice(0, 20);
}
