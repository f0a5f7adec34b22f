/**
 * A process that checks the store and the topic after a fault and prints the result as JSON. It has the environment of an
 * operator. usage: check-cell.ts STATE ACKNOWLEDGED TENANCY; the state says where the last check ended.
 */
import { readFileSync } from 'node:fs';
import pg from 'pg';
import { readJsonFile } from '#deploy/dev/dev-files.ts';
import { findPrimaryUrl } from '#libs/database/postgres-servers.ts';
import { AvroCodec } from '#libs/kafka/avro-codec.ts';
import { type BookEvent, bookEventSchema } from '#libs/kafka/book-event.ts';
import { connectKafka } from '#libs/kafka/kafka-client.ts';
import { SchemaRegistry } from '#libs/kafka/schema-registry.ts';
import { readTopicTails } from '#libs/kafka/topic-offsets.ts';
import { topics } from '#libs/kafka/topics.ts';
import { writePrivateFile } from '#libs/runtime/private-file.ts';

export type CellCheck = {
  /** Acknowledged and not recorded: their references. */
  readonly lost: readonly string[];
  /** Recorded by two facts. */
  readonly doubled: readonly string[];
  /** Event numbers of a partition, or fact numbers of a book, that the topic misses. */
  readonly gaps: readonly string[];
  /** Events that the topic has again: readers drop them by their number (decision 0016). */
  readonly repeats: number;
  /** Facts in the store that the topic does not hold yet. */
  readonly unpublished: number;
};

/** By partition and by book: the number of the last event and of the last fact. */
type TopicState = {
  readonly offsets: Record<string, number>;
  readonly events: Record<string, number>;
  readonly facts: Record<string, number>;
};

const publishTimeoutMs = 30_000;
const [stateFile = '', acknowledgedFile = '', tenantId = ''] = process.argv.slice(2);
const { KAFKA_BROKERS = '', SCHEMA_REGISTRY_URL = '', DATABASE_OWNER_URL = '' } = process.env;
const database = new pg.Client({ connectionString: await findPrimaryUrl(DATABASE_OWNER_URL) });
await database.connect();
const state = readJsonFile<TopicState>(stateFile) ?? { offsets: {}, events: {}, facts: {} };
const recorded = await checkStore();
const published = await checkTopicUntilPublished();
await database.end();
writePrivateFile(stateFile, JSON.stringify(state));
console.log(JSON.stringify({ ...recorded, ...published } satisfies CellCheck));
process.exit(0);

async function checkStore(): Promise<Pick<CellCheck, 'lost' | 'doubled'>> {
  const acknowledged = readFileSync(acknowledgedFile, 'utf8').split('\n').filter(Boolean);
  const counts = await database.query<{ reference: string; count: string }>(
    "SELECT namespace || '/' || reference AS reference, count(*) FROM facts WHERE tenant_id = $1 AND reference IS NOT NULL GROUP BY 1",
    [tenantId],
  );
  const facts = new Map(counts.rows.map(({ reference, count }) => [reference, Number(count)]));
  return {
    lost: acknowledged.filter((reference) => !facts.has(reference)),
    doubled: [...facts].filter(([, count]) => count > 1).map(([reference]) => reference),
  };
}

/** The publisher follows the commits, and may have to wait for Kafka itself. */
async function checkTopicUntilPublished(): Promise<Pick<CellCheck, 'gaps' | 'repeats' | 'unpublished'>> {
  const gaps: string[] = [];
  let repeats = 0;
  const deadline = Date.now() + publishTimeoutMs;
  for (;;) {
    repeats += await readNewEvents(gaps);
    const unpublished = await countUnpublished();
    if (unpublished <= 0 || Date.now() > deadline) return { gaps, repeats, unpublished };
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

async function countUnpublished(): Promise<number> {
  const { rows } = await database.query<{ partition: number; last: string }>(
    'SELECT partition, max(event_number) AS last FROM facts GROUP BY partition',
  );
  return rows.reduce((sum, { partition, last }) => sum + Number(last) - (state.events[partition] ?? 0), 0);
}

/** How many of them are repeats. */
async function readNewEvents(gaps: string[]): Promise<number> {
  let repeats = 0;
  const codec = await AvroCodec.open<BookEvent, BookEvent<number>>(
    new SchemaRegistry(SCHEMA_REGISTRY_URL),
    bookEventSchema,
  );
  const { rows } = await database.query<{ partition: number }>('SELECT partition FROM partitions ORDER BY partition');
  const tails = await readTopicTails(
    connectKafka(KAFKA_BROKERS, 'check-cell'),
    topics.bookEvents,
    rows.map(({ partition }) => partition),
    (partition) => state.offsets[partition] ?? 0,
  );
  for (const [partition, { records, nextOffset }] of tails) {
    for (const { value } of records) {
      const event = codec.decode(value) as BookEvent;
      if (Number(event.sequence) <= (state.events[partition] ?? 0)) repeats += 1;
      else checkEvent(partition, event, gaps);
    }
    state.offsets[partition] = nextOffset;
  }
  return repeats;
}

function checkEvent(partition: number, event: BookEvent, gaps: string[]): void {
  const book = `${event.tenant_id}/${event.book_id}`;
  const [number, fact] = [Number(event.sequence), Number(event.fact)];
  const expected = (state.events[partition] ?? 0) + 1;
  if (number !== expected) gaps.push(`partition ${partition}: event ${number}, expected ${expected}`);
  const expectedFact = (state.facts[book] ?? 0) + 1;
  if (fact !== expectedFact) gaps.push(`${book}: fact ${fact}, expected ${expectedFact}`);
  state.events[partition] = number;
  state.facts[book] = fact;
}
