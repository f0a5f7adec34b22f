/**
 * Who owned a partition and was not heard of for a while, and then owns it again beside others: whatever became of its
 * session meanwhile, and whoever published in its place, the topic tells each fact once, in the order of its partition.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import pg from 'pg';
import { type Database, openDatabase } from '#libs/database/database.ts';
import { migrate } from '#libs/database/migrate.ts';
import { AvroCodec } from '#libs/kafka/avro.ts';
import type { BookEvent } from '#libs/kafka/book-event.ts';
import { connectKafka, type KafkaClient, type WarnLog } from '#libs/kafka/kafka.ts';
import { SchemaRegistry } from '#libs/kafka/schema-registry.ts';
import { bookEventAvro } from '#libs/kafka/schemas.ts';
import { topics } from '#libs/kafka/topics.ts';
import { mint } from '#libs/runtime/uuid.ts';
import { Processor, type ProcessorOptions } from '#services/processor/processor.ts';
import { Publisher } from '#services/processor/publisher.ts';
import { eventually, type House, house } from '#test/integration/tenant.ts';
import { type Adding, recordOf, sum, tenantId } from './adding.ts';
import { seeded } from './lenders.ts';
import { Line } from './lone-processor.ts';
import { withTopic } from './topic-of-its-own.ts';

const rounds = Number(process.env['FAULT_ROUNDS'] ?? 1);
const seed = Number(process.env['FAULT_SEED'] ?? Date.now() % 1_000_000);
const name = `publishing_${process.pid}_${Date.now()}`;
const partitions = [0, 1, 2];
/** What a person is called for. */
let alerts: { readonly partition: number; readonly why: string }[] = [];
const say = {
  warn: () => undefined,
  error: ({ partition }: { partition: number }, why: string) => alerts.push({ partition, why }),
} as unknown as WarnLog;
const silent = { own: () => undefined, offer: () => undefined, stop: async () => undefined } as unknown as Publisher;

let stack: House['stack'];
let server: pg.Client;
let log: KafkaClient;
let codec: AvroCodec<BookEvent, BookEvent<number>>;
let topic: string;
let url: URL;
let round = 0;
let story: Story;

beforeAll(async () => {
  ({ stack } = house());
  server = new pg.Client({ connectionString: stack.databaseUrl });
  await server.connect();
  log = connectKafka(stack.kafkaBrokers, name);
  codec = await AvroCodec.register(new SchemaRegistry(stack.schemaRegistryUrl), bookEventAvro);
  console.log(`publishing with seed ${seed}`);
});
afterAll(() => server.end());

/** A database and a topic for every test: partitions begin at nothing. */
beforeEach(async () => {
  round += 1;
  topic = `${name}_${round}`;
  await server.query(`CREATE DATABASE ${topic}`);
  url = new URL(stack.databaseUrl);
  url.pathname = `/${topic}`;
  await migrate(url.href);
  const admin = log.admin();
  await admin.connect();
  await admin.createTopics({ waitForLeaders: true, topics: [{ topic, numPartitions: partitions.length }] });
  await admin.disconnect();
  alerts = [];
  story = new Story();
});
afterEach(() => story.end());

/** A processor and its publisher. The log is a list in memory, of which it is given what it is to have read. */
class Owner {
  /** What its publisher asks of the store may meet something on the way. */
  readonly line: Line;
  readonly #database: Database;
  readonly #publisher: Publisher;
  readonly #processor: Processor;

  constructor({ publishes = true } = {}) {
    this.#database = openDatabase({ url: url.href, name: 'publishing' });
    const kafka = withTopic(log, topics.bookEvents, topic);
    this.line = new Line(this.#database);
    const parts = { kafka, codec, database: this.line.database, locks: this.#database, say };
    this.#publisher = publishes ? new Publisher(parts) : silent;
    this.#processor = new Processor({
      name: 'publishing',
      kindOf: () => sum,
      database: this.#database,
      codec: { decode: (value: Buffer) => recordOf(JSON.parse(value.toString()) as Adding) },
      messenger: { rowsIfAway: () => [], tell: async () => undefined, tellKeysChanged: () => undefined },
      snapshots: { offer: () => undefined },
      publisher: this.#publisher,
      parkedLog: { append: async () => undefined },
      mostFacts: 10_000,
      say,
    } as unknown as ProcessorOptions);
  }

  async own(assigned: readonly number[]): Promise<void> {
    await this.#processor.takeOver(assigned);
  }

  isAt(partition: number, offset: number): boolean {
    return (this.#processor.offsets.get(partition) ?? 0) >= offset;
  }

  deliver(partition: number, offset: number): void {
    const bookId = `c/p${partition}`;
    const value = Buffer.from(JSON.stringify({ bookId, by: 1, requestId: mint() }));
    void this.#processor.deliver(partition, [{ offset, key: Buffer.from(`${tenantId}/${bookId}`), value }]);
  }

  async stop(): Promise<void> {
    await this.#processor.stop();
    await this.#publisher.stop();
    await this.#database.end();
  }
}

/** What happens to owners and their partitions, and what the topic tells in the end. */
class Story {
  readonly owners = [new Owner(), new Owner(), new Owner({ publishes: false })];
  readonly #ends = new Map(partitions.map((partition) => [partition, 0]));

  /** Nobody tells whoever owned them before. */
  async own(owner: number, assigned: readonly number[]): Promise<void> {
    await this.owners[owner]?.own(assigned);
  }

  /** So many facts, committed. */
  async record(owner: number, partition: number, many: number): Promise<void> {
    const from = this.#ends.get(partition) ?? 0;
    for (let offset = from; offset < from + many; offset += 1) this.owners[owner]?.deliver(partition, offset);
    this.#ends.set(partition, from + many);
    await eventually(() => this.owners[owner]?.isAt(partition, from + many) === true);
  }

  /** As the next owner does with one that neither works nor ends, and as Postgres does when it is started again. */
  async endSessions(): Promise<void> {
    await server.query(
      `SELECT pg_terminate_backend(pid) FROM pg_locks JOIN pg_database d ON d.oid = database
       WHERE locktype = 'advisory' AND granted AND d.datname = $1`,
      [topic],
    );
  }

  /** As after a restore: no fact behind this one was ever recorded. */
  async setBack(partition: number, to: number): Promise<void> {
    await asOwner('DELETE FROM facts WHERE partition = $1 AND event_no > $2', [partition, to]);
    await asOwner('UPDATE partitions SET next_offset = $2::bigint, next_event = $2::bigint + 1 WHERE partition = $1', [
      partition,
      to,
    ]);
    await asOwner(
      `UPDATE books b SET sequence = f.sequence, version_count = f.version_count, recorded_at = f.recorded_at
         FROM facts f WHERE b.partition = $1 AND f.partition = $1 AND f.event_no = $2 AND f.book_id = b.book_id`,
      [partition, to],
    );
    this.#ends.set(partition, to);
  }

  /** Every partition's facts, each once and in order. */
  async isTold(): Promise<void> {
    const due = [...this.#ends].map(([partition, facts]) => [
      partition,
      Array.from({ length: facts }, (_, at) => at + 1),
    ]);
    const facts = [...this.#ends.values()].reduce((sum, many) => sum + many, 0);
    await eventually(async () => (await held()) >= facts, 30_000);
    // For whoever still believes to have something to tell.
    await pause(500);
    expect(Object.fromEntries(await told())).toEqual(Object.fromEntries(due));
  }

  async end(): Promise<void> {
    for (const owner of this.owners) await owner.stop();
    await server.query(`DROP DATABASE ${topic} WITH (FORCE)`);
  }
}

async function asOwner(text: string, values: readonly unknown[]): Promise<void> {
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  await client.query(text, values as unknown[]).finally(() => client.end());
}

/** How many records the topic holds. */
async function held(): Promise<number> {
  const admin = log.admin();
  await admin.connect();
  const ends = await admin.fetchTopicOffsets(topic);
  await admin.disconnect();
  return ends.reduce((sum, { high }) => sum + Number(high), 0);
}

/** The sequences of each partition as the topic tells them. */
async function told(): Promise<Map<number, number[]>> {
  const all = await held();
  const sequences = new Map(partitions.map((partition): [number, number[]] => [partition, []]));
  const consumer = log.consumer({ groupId: `${topic}-${mint()}` });
  await consumer.connect();
  await consumer.subscribe({ topic, fromBeginning: true });
  let read = 0;
  await consumer.run({
    autoCommit: false,
    async eachMessage({ partition, message: { value } }) {
      const event = (await codec.decode(value ?? Buffer.alloc(0))) as BookEvent;
      sequences.get(partition)?.push(Number(event.sequence));
      read += 1;
    },
  });
  await eventually(() => read >= all, 30_000);
  await consumer.disconnect();
  return sequences;
}

test('an owner whose session ended goes on with what was its own only where it has the right again', async () => {
  await story.own(0, [0]);
  await story.record(0, 0, 5);
  await eventually(async () => (await held()) === 5);
  await story.endSessions();
  await story.own(1, [0]);
  await story.record(1, 0, 3);
  await eventually(async () => (await held()) === 8);
  await story.own(0, [0, 1]);
  await story.record(0, 1, 2);
  await story.record(0, 0, 2);
  await story.isTold();
}, 60_000);

/** By an owner of its own, which tells nobody. */
const recorder = 2;

test('what is committed while a publisher that catches up reads the store is told like all else', async () => {
  await story.own(recorder, [0]);
  await story.record(recorder, 0, 3);
  story.owners[0]?.line.next('events_after', async (ask) => {
    const read = await ask();
    await story.record(0, 0, 2);
    return read;
  });
  await story.own(0, [0]);
  await eventually(async () => (await held()) === 5);
  expect(alerts).toEqual([]);
  await story.isTold();
});

test('a fact that is missing keeps back its own partition, with an alert, and no other', async () => {
  await story.own(recorder, partitions);
  for (const partition of partitions) await story.record(recorder, partition, 3);
  await asOwner('DELETE FROM facts WHERE partition = 1 AND event_no = 2', []);
  await story.own(0, partitions);
  await eventually(async () => (await held()) === 6 && alerts.length > 0);
  expect(Object.fromEntries(await told())).toEqual({ 0: [1, 2, 3], 1: [], 2: [1, 2, 3] });
  expect(alerts).toEqual([{ partition: 1, why: expect.stringContaining('not in the database') }]);
});

test('a store that was set back and came as far again is told to nobody: the topic ends with another fact', async () => {
  await story.own(0, partitions);
  await story.record(0, 0, 3);
  await story.record(0, 1, 1);
  await eventually(async () => (await held()) === 4);
  await story.own(0, []);
  await story.setBack(0, 2);
  await story.own(recorder, partitions);
  await story.record(recorder, 0, 2);
  await story.record(recorder, 1, 1);
  await story.own(1, partitions);
  await eventually(async () => (await held()) === 5 && alerts.length > 0);
  expect(Object.fromEntries(await told())).toEqual({ 0: [1, 2, 3], 1: [1, 2], 2: [] });
  expect(alerts).toEqual([{ partition: 0, why: expect.stringContaining('ahead of the database') }]);
});

test('nor is one that was set back under its owner and has not come as far yet', async () => {
  await story.own(0, partitions);
  await story.record(0, 0, 3);
  await eventually(async () => (await held()) === 3);
  await story.setBack(0, 2);
  await story.own(0, partitions);
  await eventually(() => alerts.length > 0);
  await story.record(0, 0, 2);
  await story.record(0, 1, 1);
  await eventually(async () => (await held()) === 4);
  expect(Object.fromEntries(await told())).toEqual({ 0: [1, 2, 3], 1: [1], 2: [] });
});

test.each(Array.from({ length: rounds }, (_, lap) => seed * 100 + lap))(
  'nor does anything else that becomes of owners and their sessions tell a fact twice (%i)',
  async (seedOfLap) => {
    const random = seeded(seedOfLap);
    const pick = (below: number): number => Math.floor(random() * below);
    let owner = 0;
    let owned: number[] = [];
    for (let step = 0; step < 16; step += 1) {
      if (owned.length === 0 || random() < 0.3) {
        owner = pick(2);
        owned = partitions.filter(() => random() < 0.6);
        await story.own(owner, owned);
      }
      for (const partition of owned) if (random() < 0.6) await story.record(owner, partition, 1 + pick(4));
      if (random() < 0.4) await story.endSessions();
      await pause(pick(800));
    }
    await story.own(pick(2), partitions);
    await story.isTold();
  },
  90_000,
);
