/**
 * Processors that lose and regain partitions and database sessions while others publish: `lending.book-events` contains
 * each fact once, in the order of its partition.
 */
import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import kafkajs, { type Admin } from 'kafkajs';
import pg from 'pg';
import type { Database } from '#libs/database/database.ts';
import { oldestUnpublishedSeconds } from '#libs/database/oldest-unpublished.ts';
import { openDatabase } from '#libs/database/pool.ts';
import { readEventsAfter } from '#libs/database/read-events.ts';
import { AvroCodec } from '#libs/kafka/avro-codec.ts';
import { type BookEvent, bookEventSchema } from '#libs/kafka/book-event.ts';
import { connectKafka, type KafkaClient } from '#libs/kafka/kafka-client.ts';
import { SchemaRegistry } from '#libs/kafka/schema-registry.ts';
import { readTopicEnds } from '#libs/kafka/topic-end.ts';
import { withAdmin } from '#libs/kafka/topic-offsets.ts';
import { topics } from '#libs/kafka/topics.ts';
import { type Logger, silentLogger } from '#libs/runtime/logging.ts';
import { Random } from '#libs/runtime/random.ts';
import { newUuid } from '#libs/runtime/uuid.ts';
import { repairTopic } from '#libs/verify/repair/repair-topic.ts';
import { EventPublisher } from '#services/processor/event-publisher.ts';
import { Processor, type ProcessorOptions } from '#services/processor/processor.ts';
import { addressOf, createMigratedDatabase } from '#test/support/migrated-database.ts';
import { eventually, type TestEnvironment, testEnvironment } from '#test/support/tenant.ts';
import { InterceptedDatabase, wideBookLimits } from './in-process-processor.ts';
import { type AddRequest, addRecord, sumBook, tenantId } from './sum-book.ts';
import { withTopicReplaced } from './topic-override.ts';

const rounds = Number(process.env['FAULT_ROUNDS'] ?? 1);
const seed = Number(process.env['FAULT_SEED'] ?? Date.now() % 1_000_000);
const name = `publishing_${process.pid}_${Date.now()}`;
const partitions = [0, 1, 2];
/** Errors that were logged. */
let dataLosses: string[] = [];
let alerts: { readonly partition: unknown; readonly message: string }[] = [];
const logger: Logger = {
  ...silentLogger,
  error: ({ partition }, message) => void alerts.push({ partition, message }),
};
const noPublisher = {
  assign: () => undefined,
  enqueue: () => undefined,
  stop: async () => undefined,
} as unknown as EventPublisher;

let stack: TestEnvironment['stack'];
let server: pg.Client;
let kafka: KafkaClient;
/** Stays connected: the tests ask for offsets again and again. */
let offsetsAdmin: Admin;
let codec: AvroCodec<BookEvent, BookEvent<number>>;
let topic: string;
let url: string;
let testNumber = 0;
let scenario: Scenario;

beforeAll(async () => {
  ({ stack } = testEnvironment());
  server = new pg.Client({ connectionString: stack.databaseUrl });
  await server.connect();
  kafka = connectKafka(stack.kafkaBrokers, name);
  offsetsAdmin = kafka.admin();
  await offsetsAdmin.connect();
  codec = await AvroCodec.open(new SchemaRegistry(stack.schemaRegistryUrl), bookEventSchema);
  console.log(`publishing with seed ${seed}`);
});
afterAll(async () => {
  await server.end();
  await offsetsAdmin.disconnect();
});

/** Every test has an empty database and topic. */
beforeEach(async () => {
  testNumber += 1;
  topic = `${name}_${testNumber}`;
  await createMigratedDatabase(server, topic, { partitions: partitions.length });
  url = addressOf(topic);
  const admin = kafka.admin();
  await admin.connect();
  await createTopic(admin);
  await admin.disconnect();
  alerts = [];
  dataLosses = [];
  scenario = new Scenario();
});
afterEach(() => scenario.close());

/** The driver gives up waiting for leaders sooner than a busy broker names them. */
async function createTopic(admin: Admin): Promise<void> {
  await admin.createTopics({ waitForLeaders: false, topics: [{ topic, numPartitions: partitions.length }] });
  await eventually(() =>
    admin.fetchTopicOffsets(topic).then(
      () => true,
      () => false,
    ),
  );
}

/** A processor and its publisher. Submissions are delivered to it directly. */
class Owner {
  /** The database of the publisher. */
  readonly intercepted: InterceptedDatabase;
  readonly #database: Database;
  readonly #publisher: EventPublisher;
  readonly #processor: Processor;

  constructor({ publishes = true, recheckIntervalMs }: { publishes?: boolean; recheckIntervalMs?: number } = {}) {
    this.#database = openDatabase({ url, name: 'publishing' });
    const options = {
      kafka: withTopicReplaced(kafka, topics.bookEvents, topic),
      codec,
      partitionCount: partitions.length,
      lockDatabase: this.#database,
      logger,
      onDatabaseSetBack: (cause: Error) => this.#processor.stopAfterDataLoss(cause),
      ...(recheckIntervalMs === undefined ? {} : { recheckIntervalMs }),
    };
    this.intercepted = new InterceptedDatabase(this.#database);
    this.#publisher = publishes ? new EventPublisher({ ...options, database: this.intercepted.database }) : noPublisher;
    this.#processor = new Processor({
      instanceName: 'publishing',
      deciderFor: () => sumBook,
      database: this.#database,
      codec: { decode: (value: Buffer) => addRecord(JSON.parse(value.toString()) as AddRequest) },
      verdictPublisher: {
        rowsIfRedisUnavailable: () => [],
        publish: async () => undefined,
        notifyKeysChanged: () => undefined,
        notifyFeedAdvanced: () => undefined,
      },
      snapshotWriter: { enqueue: () => undefined },
      eventPublisher: this.#publisher,
      parkedTopic: { append: async () => undefined },
      maxCachedBytes: 15_000_000,
      bookLimits: wideBookLimits,
      logger,
      onDataLoss: ({ message }: Error) => dataLosses.push(message),
    } as unknown as ProcessorOptions);
  }

  async takeOver(assigned: readonly number[]): Promise<void> {
    await this.#processor.takeOver(assigned);
  }

  get firstUnpublished(): ReadonlyMap<number, number> {
    return this.#publisher.firstUnpublished;
  }

  get stoppedPartitions(): number {
    return this.#publisher.stoppedPartitions;
  }

  get ownedPartitions(): number[] {
    return [...this.#processor.partitions.keys()];
  }

  hasProcessed(partition: number, offset: number): boolean {
    return (this.#processor.offsets.get(partition) ?? 0) >= offset;
  }

  deliver(partition: number, offset: number): void {
    const bookId = `c/p${partition}`;
    const value = Buffer.from(JSON.stringify({ bookId, by: 1, requestId: newUuid() }));
    void this.#processor.deliver(partition, [{ offset, key: Buffer.from(`${tenantId}/${bookId}`), value }]);
  }

  /** Without waiting for what another owner's lock keeps it from publishing. */
  async stop(): Promise<void> {
    await this.#processor.stop();
    await this.#publisher.stop(0);
    await this.#database.end();
  }
}

/** Owners that take partitions over from each other, and the expected content of the topic. */
class Scenario {
  readonly owners = [new Owner(), new Owner(), new Owner({ publishes: false }), new Owner({ recheckIntervalMs: 500 })];
  readonly #nextOffsets = new Map(partitions.map((partition) => [partition, 0]));

  /** The previous owner is not informed. */
  async takeOver(owner: number, assigned: readonly number[]): Promise<void> {
    await this.owners[owner]?.takeOver(assigned);
  }

  /** Commits new facts. */
  async record(owner: number, partition: number, count: number): Promise<void> {
    const from = this.#nextOffsets.get(partition) ?? 0;
    for (let offset = from; offset < from + count; offset += 1) this.owners[owner]?.deliver(partition, offset);
    this.#nextOffsets.set(partition, from + count);
    await eventually(() => this.owners[owner]?.hasProcessed(partition, from + count) === true);
  }

  /** Terminates the sessions that hold locks, as the next owner or a restart of Postgres does. */
  async endSessions(): Promise<void> {
    await server.query(
      `SELECT pg_terminate_backend(pid) FROM pg_locks JOIN pg_database d ON d.oid = database
       WHERE locktype = 'advisory' AND granted AND d.datname = $1`,
      [topic],
    );
  }

  /** Deletes all facts after this one, as a restore does. */
  async setBack(partition: number, lastEvent: number): Promise<void> {
    await executeAsOwner('DELETE FROM facts WHERE partition = $1 AND event_number > $2', [partition, lastEvent]);
    await executeAsOwner(
      'UPDATE partitions SET next_offset = $2::bigint, next_event = $2::bigint + 1 WHERE partition = $1',
      [partition, lastEvent],
    );
    await executeAsOwner(
      `UPDATE books b SET sequence = f.sequence, version_count = f.version_count, recorded_at = f.recorded_at
         FROM facts f WHERE b.partition = $1 AND f.partition = $1 AND f.event_number = $2 AND f.book_id = b.book_id`,
      [partition, lastEvent],
    );
    this.#nextOffsets.set(partition, lastEvent);
  }

  /** The topic contains every fact once and in order. */
  async expectAllPublished(): Promise<void> {
    const expected = [...this.#nextOffsets].map(([partition, facts]) => [
      partition,
      Array.from({ length: facts }, (_, index) => index + 1),
    ]);
    const facts = [...this.#nextOffsets.values()].reduce((sum, count) => sum + count, 0);
    await eventually(async () => (await recordCount()) >= facts);
    // Time for repeated events, which must not appear.
    await sleep(500);
    expect(Object.fromEntries(await publishedSequences())).toEqual(Object.fromEntries(expected));
  }

  async close(): Promise<void> {
    await Promise.all(this.owners.map((owner) => owner.stop()));
    await server.query(`DROP DATABASE ${topic} WITH (FORCE)`);
  }
}

async function executeAsOwner(text: string, values: readonly unknown[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(text, values as unknown[]).finally(() => client.end());
}

/** The number of records in the topic. */
async function recordCount(): Promise<number> {
  const offsets = await offsetsAdmin.fetchTopicOffsets(topic);
  return offsets.reduce((sum, { low, high }) => sum + Number(high) - Number(low), 0);
}

/** The event numbers in the topic, by partition. */
async function publishedSequences(): Promise<Map<number, number[]>> {
  const events = await publishedEvents();
  return new Map([...events].map(([partition, each]) => [partition, each.map(({ sequence }) => Number(sequence))]));
}

async function publishedEvents(): Promise<Map<number, BookEvent[]>> {
  const expectedRecords = await recordCount();
  const events = new Map(partitions.map((partition): [number, BookEvent[]] => [partition, []]));
  const consumer = kafka.consumer({ groupId: `${topic}-${newUuid()}`, maxWaitTimeInMs: 100 });
  await consumer.connect();
  await consumer.subscribe({ topic, fromBeginning: true });
  let read = 0;
  await consumer.run({
    autoCommit: false,
    async eachMessage({ partition, message: { value } }) {
      events.get(partition)?.push((await codec.decode(value ?? Buffer.alloc(0))) as BookEvent);
      read += 1;
    },
  });
  await eventually(() => read >= expectedRecords);
  await consumer.disconnect();
  return events;
}

test('an owner whose session ended continues to publish a partition only after it owns the lock again', async () => {
  await scenario.takeOver(0, [0]);
  await scenario.record(0, 0, 5);
  await eventually(async () => (await recordCount()) === 5);
  await scenario.endSessions();
  await scenario.takeOver(1, [0]);
  await scenario.record(1, 0, 3);
  await eventually(async () => (await recordCount()) === 8);
  await scenario.takeOver(0, [0, 1]);
  await scenario.record(0, 1, 2);
  await scenario.record(0, 0, 2);
  await scenario.expectAllPublished();
});

/** An owner that commits and does not publish. */
const recorder = 2;

test('facts committed while the publisher reads older ones from the database are published', async () => {
  await scenario.takeOver(recorder, [0]);
  await scenario.record(recorder, 0, 3);
  scenario.owners[0]?.intercepted.intercept('events_after', async (execute) => {
    const result = await execute();
    await scenario.record(0, 0, 2);
    return result;
  });
  await scenario.takeOver(0, [0]);
  await eventually(async () => (await recordCount()) === 5);
  expect(alerts).toEqual([]);
  await scenario.expectAllPublished();
});

test.each([
  ['a missing fact', 'DELETE FROM facts WHERE partition = 1 AND event_number = 2', 'missing in the database'],
  [
    'a fact that cannot be read',
    'UPDATE facts SET recorded_at = 1::bigint << 60 WHERE partition = 1 AND event_number = 2',
    'cannot be read',
  ],
])('%s stops its own partition with an alert, and no other', async (_what, damage, message) => {
  await scenario.takeOver(recorder, partitions);
  for (const partition of partitions) await scenario.record(recorder, partition, 3);
  await executeAsOwner(damage, []);
  await scenario.takeOver(0, partitions);
  await eventually(async () => (await recordCount()) === 6 && alerts.length > 0);
  expect(Object.fromEntries(await publishedSequences())).toEqual({ 0: [1, 2, 3], 1: [], 2: [1, 2, 3] });
  expect(alerts).toEqual([{ partition: 1, message: expect.stringContaining(message) }]);
});

test('a database that was set back and reached the same number with other facts stops the next owner', async () => {
  await scenario.takeOver(0, partitions);
  await scenario.record(0, 0, 3);
  await scenario.record(0, 1, 1);
  await eventually(async () => (await recordCount()) === 4);
  await scenario.takeOver(0, []);
  await scenario.setBack(0, 2);
  await scenario.takeOver(recorder, partitions);
  await scenario.record(recorder, 0, 2);
  await scenario.takeOver(1, partitions);
  await eventually(() => dataLosses.length > 0);
  expect(Object.fromEntries(await publishedSequences())).toEqual({ 0: [1, 2, 3], 1: [1], 2: [] });
  expect(alerts).toEqual([{ partition: 0, message: expect.stringContaining('ahead of the database') }]);
  expect(dataLosses).toEqual([expect.stringContaining('holds event 3, which the database does not')]);
});

test('a database that was set back during an ownership stops the owner when it takes over again', async () => {
  await scenario.takeOver(0, partitions);
  await scenario.record(0, 0, 3);
  await eventually(async () => (await recordCount()) === 3);
  await scenario.setBack(0, 2);
  await scenario.takeOver(0, partitions);
  expect(dataLosses).toEqual([expect.stringContaining('this instance committed epoch 1 and offset 3')]);
  expect(scenario.owners[0]?.ownedPartitions).toEqual([]);
});

/** Appends copies of stored events, as a former owner does that was stopped during a send. */
async function appendEvents(events: readonly Partial<BookEvent<number>>[], first?: BookEvent<number>): Promise<void> {
  const template = first ?? (await firstEvent());
  const producer = kafka.producer();
  await producer.connect();
  const messages = events.map((event) => ({
    partition: 0,
    key: 'former owner',
    value: codec.encode({ ...template, ...event } as BookEvent<number>),
  }));
  await producer.send({ topic, messages });
  await producer.disconnect();
}

async function firstEvent(): Promise<BookEvent<number>> {
  const [event] = (await publishedEvents()).get(0) ?? [];
  if (event === undefined) throw new Error('the topic holds no event yet');
  // The codec reads numbers as bigint and writes them as number.
  const fields = Object.entries(event).map(([field, value]) => [
    field,
    typeof value === 'bigint' ? Number(value) : value,
  ]);
  return { ...Object.fromEntries(fields), evidence: null };
}

/** The connection of kafkajs to a broker. */
const kafkaBroker: { produce(request: unknown): Promise<unknown> } = createRequire(import.meta.url)(
  'kafkajs/src/broker/index.js',
).prototype;

/** An owner that soon checks a stopped partition again. */
const rechecking = 3;

/** Every value from now on until the condition holds. */
async function valuesUntil<Value>(value: () => Value, condition: () => boolean): Promise<Value[]> {
  const seen = new Set<Value>();
  do {
    seen.add(value());
    await sleep(1);
  } while (!condition());
  return [...seen];
}

test('of the end of the topic only numbers and requests are kept, not the events', async () => {
  await scenario.takeOver(rechecking, [0]);
  await scenario.record(rechecking, 0, 2);
  await scenario.expectAllPublished();
  const ends = await readTopicEnds({ kafka, codec, topic }, new Map([[0, undefined]]));
  const last = { partition: 0, sequence: 2n, request_id: expect.any(String), item: 0 };
  expect(ends.get(0)).toEqual({ last, sequence: 2, nextOffset: 2 });
});

test('events whose confirmation was lost are appended again and stored once', async () => {
  const { produce } = kafkaBroker;
  const lost = { left: 4 };
  kafkaBroker.produce = async function (request) {
    const answer = await produce.call(this, request);
    if (lost.left === 0) return answer;
    lost.left -= 1;
    throw new kafkajs.KafkaJSConnectionError('the answer was lost');
  };
  try {
    await scenario.takeOver(0, partitions);
    for (const partition of partitions) await scenario.record(0, partition, 5);
    await eventually(() => lost.left === 0);
    for (const partition of partitions) await scenario.record(0, partition, 2);
    await scenario.expectAllPublished();
  } finally {
    kafkaBroker.produce = produce;
  }
});

test.each([
  ['does not confirm', new kafkajs.KafkaJSConnectionError('the answer was lost')],
  ['is not allowed to append', new kafkajs.KafkaJSNonRetriableError('not authorized')],
])('an event that Kafka %s waits from the moment it was recorded, however often it is tried', async (_, error) => {
  const { produce } = kafkaBroker;
  const database = openDatabase({ url, name: 'age' });
  let attempts = 0;
  kafkaBroker.produce = async () => {
    attempts += 1;
    throw error;
  };
  try {
    await scenario.takeOver(0, [0]);
    await scenario.record(0, 0, 2);
    await executeAsOwner('UPDATE facts SET recorded_at = recorded_at - 3600000000 WHERE event_number = 1', []);
    await eventually(() => attempts > 0);
    const first = () => scenario.owners[0]?.firstUnpublished.get(0);
    expect(await valuesUntil(first, () => attempts > 4)).toEqual([1]);
    expect(await oldestUnpublishedSeconds(database, new Map([[0, 1]]))).toBeGreaterThan(3_600);
    expect(await oldestUnpublishedSeconds(database, new Map([[0, 2]]))).toBeLessThan(3_600);
    kafkaBroker.produce = produce;
    await scenario.expectAllPublished();
    await eventually(() => scenario.owners[0]?.firstUnpublished.size === 0);
  } finally {
    kafkaBroker.produce = produce;
    await database.end();
  }
});

test('events that a former owner repeats late do not stop the partition', async () => {
  await scenario.takeOver(0, [0]);
  await scenario.record(0, 0, 3);
  await eventually(async () => (await recordCount()) === 3);
  await appendEvents([{ sequence: 2 }, { sequence: 3 }]);
  await scenario.record(0, 0, 2);
  await eventually(async () => (await recordCount()) === 7);
  await scenario.record(0, 0, 1);
  await eventually(async () => (await recordCount()) === 8);
  expect((await publishedSequences()).get(0)).toEqual([1, 2, 3, 2, 3, 4, 5, 6]);
  expect(alerts).toEqual([]);
});

test('a gap in the topic stops its partition with an alert', async () => {
  await scenario.takeOver(0, [0]);
  await scenario.record(0, 0, 2);
  await eventually(async () => (await recordCount()) === 2);
  await appendEvents([{ sequence: 9 }]);
  await scenario.record(0, 0, 1);
  await scenario.record(0, 0, 1);
  await eventually(() => alerts.length > 0);
  expect(alerts).toEqual([{ partition: 0, message: expect.stringContaining('missing in the topic') }]);
});

test('a gap that a former owner left at the end of the topic stops the next owner', async () => {
  await scenario.takeOver(0, [0]);
  await scenario.record(0, 0, 2);
  await eventually(async () => (await recordCount()) === 2);
  await scenario.takeOver(0, []);
  await scenario.takeOver(recorder, [0]);
  await scenario.record(recorder, 0, 3);
  await appendEvents(await recordedEvents(3, 1));
  await scenario.takeOver(1, [0]);
  await eventually(() => alerts.length > 0);
  expect(alerts).toEqual([{ partition: 0, message: expect.stringContaining('missing in the topic') }]);
  expect((await publishedSequences()).get(0)).toEqual([1, 2, 4]);
  expect(dataLosses).toEqual([]);
});

test('the next owner finds the end of the topic among many repeated events', async () => {
  await scenario.takeOver(0, [0]);
  await scenario.record(0, 0, 150);
  await eventually(async () => (await recordCount()) === 150);
  await appendEvents(await recordedEvents(19, 99));
  await scenario.record(0, 0, 1);
  await eventually(async () => (await recordCount()) === 250);
  await scenario.takeOver(0, []);
  await scenario.takeOver(1, [0]);
  await scenario.record(1, 0, 1);
  await eventually(async () => (await recordCount()) === 251);
  expect((await publishedSequences()).get(0)?.slice(-3)).toEqual([118, 151, 152]);
  expect(alerts).toEqual([]);
});

test('the next owner stops where the first events of the topic were deleted', async () => {
  await scenario.takeOver(0, [0]);
  await scenario.record(0, 0, 3);
  await eventually(async () => (await recordCount()) === 3);
  await withAdmin(kafka, async (admin) => {
    await admin.fetchTopicOffsets(topic);
    await admin.deleteTopicRecords({ topic, partitions: [{ partition: 0, offset: '2' }] });
  });
  await scenario.takeOver(0, []);
  await scenario.takeOver(1, [0]);
  await eventually(() => alerts.length > 0);
  expect(alerts).toEqual([{ partition: 0, message: expect.stringContaining('missing in the topic') }]);
});

test.each([
  ['the topic has a gap', () => appendEvents([{ sequence: 9 }])],
  ['a fact is missing', () => executeAsOwner('DELETE FROM facts WHERE partition = 0 AND event_number = 3', [])],
])('a partition counts as stopped while it is checked again: %s', async (_, contradict) => {
  await scenario.takeOver(rechecking, [0]);
  await scenario.record(rechecking, 0, 2);
  await eventually(async () => (await recordCount()) === 2);
  await scenario.takeOver(recorder, [0]);
  await scenario.record(recorder, 0, 2);
  await contradict();
  await scenario.takeOver(rechecking, [0]);
  await eventually(() => alerts.length > 0);
  const stopped = () => scenario.owners[rechecking]?.stoppedPartitions;
  expect(await valuesUntil(stopped, () => alerts.length > 2)).toEqual([1]);
});

async function limitRecordBytes(bytes: number): Promise<void> {
  const configEntries = [{ name: 'max.message.bytes', value: String(bytes) }];
  const resources = [{ type: kafkajs.ConfigResourceTypes.TOPIC, name: topic, configEntries }];
  await withAdmin(kafka, (admin) => admin.alterConfigs({ validateOnly: false, resources }));
}

test('a partition whose events Kafka refuses stops until Kafka takes them, and the others are published', async () => {
  await limitRecordBytes(600);
  await scenario.takeOver(rechecking, [0, 1]);
  await scenario.record(rechecking, 0, 40);
  await scenario.record(rechecking, 1, 1);
  await eventually(() => alerts.length > 0);
  expect(alerts[0]).toEqual({ partition: 0, message: expect.stringContaining('Kafka refuses events') });
  const stopped = () => scenario.owners[rechecking]?.stoppedPartitions;
  expect(await valuesUntil(stopped, () => alerts.length > 2)).toEqual([1]);
  await eventually(async () => (await recordCount()) === 1);
  await limitRecordBytes(1_000_000);
  await scenario.expectAllPublished();
});

/** Of partition 0, as a publisher would append them. */
async function recordedEvents(after: number, count: number): Promise<BookEvent<number>[]> {
  const database = openDatabase({ url, name: 'repair' });
  return readEventsAfter(database, 0, after, count).finally(() => database.end());
}

interface RepairOver {
  readonly repaired?: readonly number[];
  readonly onProgress?: (line: string) => void;
  readonly client?: KafkaClient;
  /** Called when the repair has read what is committed, after the removal. */
  readonly onPositionsRead?: () => Promise<void>;
  readonly stallTimeoutMs?: number;
}

/** Repairs partition 0, or those that are given. */
async function repair(over: RepairOver = {}): Promise<void> {
  const { repaired = [0], client = withTopicReplaced(kafka, topics.bookEvents, topic), onPositionsRead } = over;
  const { onProgress = () => undefined, stallTimeoutMs = 20_000 } = over;
  const database = openDatabase({ url, name: 'repair' });
  const intercepted = new InterceptedDatabase(database);
  // The topic is compared with the database before its records are removed.
  for (let comparison = 0; comparison < 2; comparison += 1)
    intercepted.intercept('partition_states', (execute) => execute());
  intercepted.intercept('partition_states', async (execute) => {
    const result = await execute();
    await onPositionsRead?.();
    return result;
  });
  const options = { kafka: client, codec, database: intercepted.database, lockDatabase: database };
  await repairTopic({ ...options, onProgress, stallTimeoutMs }, repaired).finally(() => database.end());
}

test('a partition with a gap is published completely after a repair, also what was recorded meanwhile', async () => {
  await scenario.takeOver(rechecking, [0, 1]);
  await scenario.record(rechecking, 0, 2);
  await scenario.record(rechecking, 1, 1);
  await eventually(async () => (await recordCount()) === 3);
  await scenario.takeOver(recorder, [0]);
  await scenario.record(recorder, 0, 2);
  await appendEvents(await recordedEvents(3, 1));
  await scenario.takeOver(rechecking, [0, 1]);
  await eventually(() => alerts.length > 0);
  const progress: string[] = [];
  const repairing = repair({ onProgress: (line) => progress.push(line) });
  await scenario.record(rechecking, 0, 3);
  await repairing;
  await eventually(async () => (await publishedSequences()).get(0)?.length === 7);
  expect(Object.fromEntries(await publishedSequences())).toEqual({ 0: [1, 2, 3, 4, 5, 6, 7], 1: [1], 2: [] });
  expect(progress).toContainEqual(expect.stringContaining('partition 0: all records are removed'));
});

test('a repair is complete where nothing is recorded after it', async () => {
  await scenario.takeOver(rechecking, [0]);
  await scenario.record(rechecking, 0, 3);
  await eventually(async () => (await recordCount()) === 3);
  await repair();
  expect((await publishedSequences()).get(0)).toEqual([1, 2, 3]);
});

test('a partition whose facts are not all in the database is not emptied', async () => {
  await scenario.takeOver(0, [0]);
  await scenario.record(0, 0, 3);
  await eventually(async () => (await recordCount()) === 3);
  await executeAsOwner('DELETE FROM facts WHERE partition = 0 AND event_number = 2', []);
  await expect(repair()).rejects.toThrow('committed 3 facts and holds 2');
  expect((await publishedSequences()).get(0)).toEqual([1, 2, 3]);
});

test.each([
  ['lacks the last facts of', 0],
  ['recorded other facts than', 1],
])('a partition is not emptied where the database %s the topic', async (_, recordedAfterwards) => {
  await scenario.takeOver(0, [0]);
  await scenario.record(0, 0, 3);
  await eventually(async () => (await recordCount()) === 3);
  await scenario.takeOver(0, []);
  await scenario.setBack(0, 2);
  await scenario.takeOver(recorder, [0]);
  await scenario.record(recorder, 0, recordedAfterwards);
  await expect(repair()).rejects.toThrow('lending reconcile');
  expect((await publishedSequences()).get(0)).toEqual([1, 2, 3]);
});

test('a partition is not emptied where many repeated events follow the one that the database lacks', async () => {
  await scenario.takeOver(0, [0]);
  await scenario.record(0, 0, 3);
  await eventually(async () => (await recordCount()) === 3);
  await scenario.takeOver(0, []);
  await scenario.setBack(0, 2);
  await appendEvents(Array.from({ length: 150 }, () => ({ sequence: 2 })));
  await expect(repair()).rejects.toThrow('lending reconcile');
  expect((await publishedSequences()).get(0)).toHaveLength(153);
});

/** The topic of this test, with some requests of its admin clients replaced. */
function kafkaWithAdmin(replaced: (admin: Admin) => Partial<Admin>): KafkaClient {
  const client = withTopicReplaced(kafka, topics.bookEvents, topic);
  const admin: KafkaClient['admin'] = (options) => {
    const real = client.admin(options);
    return { ...real, ...replaced(real) };
  };
  return { ...client, admin } as KafkaClient;
}

async function isLockedByRepair(): Promise<boolean> {
  const { rows } = await server.query(
    `SELECT FROM pg_locks JOIN pg_stat_activity USING (pid)
     WHERE locktype = 'advisory' AND granted AND datname = $1 AND application_name LIKE 'repair%'`,
    [topic],
  );
  return rows.length > 0;
}

/** As a publisher does that waits for the lock of a repair to which Kafka answers slowly. */
async function takeLockBackAndPublish(): Promise<void> {
  await scenario.endSessions();
  await scenario.record(0, 0, 2);
  await eventually(async () => (await recordCount()) === 5);
}

test('a repair removes nothing where the publisher took the lock back', async () => {
  await scenario.takeOver(0, [0]);
  await scenario.record(0, 0, 3);
  await eventually(async () => (await recordCount()) === 3);
  let isTakenBack = false;
  const client = kafkaWithAdmin((admin) => ({
    async fetchTopicOffsets(name) {
      const offsets = await admin.fetchTopicOffsets(name);
      // The partition is read before it is locked.
      if (isTakenBack || !(await isLockedByRepair())) return offsets;
      isTakenBack = true;
      await takeLockBackAndPublish();
      return offsets;
    },
  }));
  await expect(repair({ client })).rejects.toThrow('no record was removed');
  expect((await publishedSequences()).get(0)).toEqual([1, 2, 3, 4, 5]);
});

test('a repair fails where its removal reached Kafka after the publisher had gone on, and can be repeated', async () => {
  await scenario.takeOver(0, [0]);
  await scenario.record(0, 0, 3);
  await eventually(async () => (await recordCount()) === 3);
  const client = kafkaWithAdmin((admin) => ({
    async deleteTopicRecords(records) {
      await takeLockBackAndPublish();
      await admin.deleteTopicRecords(records);
    },
  }));
  await expect(repair({ client })).rejects.toThrow('event 1 of partition 0 is missing after the repair');
  expect((await publishedSequences()).get(0)).toEqual([4, 5]);
  await repair({ onPositionsRead: () => scenario.record(0, 0, 1) });
  expect((await publishedSequences()).get(0)).toEqual([1, 2, 3, 4, 5, 6]);
});

test('a repair says that records may still be removed where Kafka did not confirm the removal', async () => {
  await scenario.takeOver(rechecking, [0]);
  await scenario.record(rechecking, 0, 3);
  await eventually(async () => (await recordCount()) === 3);
  const client = kafkaWithAdmin(() => ({
    async deleteTopicRecords() {
      throw new Error('the answer was lost');
    },
  }));
  await expect(repair({ client })).rejects.toThrow(
    'its records may still be removed (the answer was lost). Run `lending topic repair --partition 0` again',
  );
  await repair();
  expect((await publishedSequences()).get(0)).toEqual([1, 2, 3]);
});

test('a repair waits for each partition, however much another one publishes', async () => {
  await scenario.takeOver(0, [0, 1]);
  await scenario.record(0, 0, 2);
  await scenario.record(0, 1, 2);
  await eventually(async () => (await recordCount()) === 4);
  await scenario.takeOver(0, [1]);
  const onPositionsRead = async (): Promise<void> => {
    await scenario.record(0, 1, 3);
    await eventually(async () => (await recordCount()) === 5);
  };
  await expect(repair({ repaired: [0, 1], onPositionsRead, stallTimeoutMs: 100 })).rejects.toThrow(
    'partition 0: 0 of 2 events are published',
  );
  await scenario.takeOver(0, [0, 1]);
  await scenario.expectAllPublished();
});

/** Deletes the topic and creates it with these events of partition 0. */
async function replaceTopic(events: readonly Partial<BookEvent<number>>[]): Promise<void> {
  const first = await firstEvent();
  const admin = kafka.admin();
  await admin.connect();
  await admin.deleteTopics({ topics: [topic] });
  await eventually(async () => !(await admin.listTopics()).includes(topic));
  await createTopic(admin);
  await admin.disconnect();
  await appendEvents(events, first);
}

test.each([1, 2])(
  'a partition that lost its last %i events stops, and is published completely after a repair',
  async (lost) => {
    await scenario.takeOver(rechecking, [0]);
    await scenario.record(rechecking, 0, 3);
    await eventually(async () => (await recordCount()) === 3);
    await replaceTopic(await recordedEvents(0, 3 - lost));
    await scenario.record(rechecking, 0, 1);
    await eventually(() => alerts.length > 0);
    expect(alerts[0]).toEqual({ partition: 0, message: expect.stringContaining('lost records at its end') });
    await repair();
    expect((await publishedSequences()).get(0)).toEqual([1, 2, 3, 4]);
  },
);

test.each(Array.from({ length: rounds }, (_, round) => seed * 100 + round))(
  'random takeovers and lost sessions publish every fact exactly once (seed %i)',
  async (roundSeed) => {
    const random = new Random(roundSeed);
    let owner = 0;
    let owned: number[] = [];
    for (let step = 0; step < 16; step += 1) {
      if (owned.length === 0 || random.chance(0.3)) {
        owner = random.integer(0, 1);
        owned = partitions.filter(() => random.chance(0.6));
        await scenario.takeOver(owner, owned);
      }
      for (const partition of owned)
        if (random.chance(0.6)) await scenario.record(owner, partition, random.integer(1, 4));
      if (random.chance(0.4)) await scenario.endSessions();
      await sleep(random.integer(0, 800));
    }
    await scenario.takeOver(random.integer(0, 1), partitions);
    await scenario.expectAllPublished();
  },
);
