/** Followers of movements that die at any moment: lending.movements holds the movement of each fact once, in order. */
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import kafkajs from 'kafkajs';
import type { Moment } from '#libs/calendar/moment.ts';
import { openDatabase } from '#libs/database/pool.ts';
import { AvroCodec } from '#libs/kafka/avro-codec.ts';
import type { BookEvent } from '#libs/kafka/book-event.ts';
import { bookKey } from '#libs/kafka/book-key-partition.ts';
import { compressionFor } from '#libs/kafka/compression.ts';
import type { KafkaClient } from '#libs/kafka/kafka-client.ts';
import { type MovementCodec, type MovementRecord, movementRecord, movementSchema } from '#libs/kafka/movement.ts';
import { AppendNotConfirmedError } from '#libs/kafka/partition-appender.ts';
import { SchemaRegistry } from '#libs/kafka/schema-registry.ts';
import { readTopicTails, topicOffsets, withAdmin } from '#libs/kafka/topic-offsets.ts';
import { topics } from '#libs/kafka/topics.ts';
import { emptyBookBytes, factBytes } from '#libs/ledger/book-bytes.ts';
import { tenancyBookId } from '#libs/ledger/book-id.ts';
import { silentLogger } from '#libs/runtime/logging.ts';
import { deciderFor } from '#libs/tenant/decider-for.ts';
import { planRebuildOfMovements, rebuildMovements } from '#libs/verify/rebuild/rebuild-movements.ts';
import { writeEvents } from '#libs/verify/rebuild/write-events.ts';
import {
  type FollowerState,
  MovementFollower,
  type MovementFollowerOptions,
} from '#services/processor/movement-follower.ts';
import { allPartitions } from '#test/support/partitions.ts';
import { RandomActivity } from '#test/support/random-activity.ts';
import { eventually, testEnvironment } from '#test/support/tenant.ts';
import { openTestDatabases } from '#test/support/test-databases.ts';
import { ScratchCell } from './scratch-cell.ts';
import { recordHistory } from './tenancy-history.ts';

const writes = Number(process.env['MOVEMENT_WRITES'] ?? 120);

let cell: ScratchCell;
let codec: MovementCodec;
/** Of the scratch cell, by partition. */
let events: ReadonlyMap<number, readonly BookEvent<number>[]>;
beforeAll(async () => {
  const here = testEnvironment();
  cell = await ScratchCell.open();
  codec = await AvroCodec.open(new SchemaRegistry(here.stack.schemaRegistryUrl), movementSchema);
  const { databases, close } = await openTestDatabases(here, { name: 'history' });
  const historyOf = await recordHistory({ kafka: cell.servicesKafka, databases, codec: cell.submissionCodec });
  const activity = await RandomActivity.open(here, 20261125);
  await activity.run(writes);
  ({ events } = await historyOf(activity.tenant.id));
  await activity.tenant.close();
  await close();
  for (const [partition, each] of events) await commit(partition, each);
});
afterAll(() => cell.close());
beforeEach(() => removeAllMovements());

async function commit(partition: number, facts: readonly BookEvent<number>[]): Promise<void> {
  await writeEvents(cell.owner, facts);
  const next = (facts.at(-1)?.sequence ?? 0) + 1;
  await cell.owner.query('UPDATE partitions SET next_event = $2 WHERE partition = $1', [partition, next]);
}

async function removeAllMovements(): Promise<void> {
  const admin = cell.kafka.admin();
  await admin.connect();
  const ranges = await admin.fetchTopicOffsets(topics.movements);
  const partitions = ranges.map(({ partition, high }) => ({ partition, offset: high }));
  await admin.deleteTopicRecords({ topic: topics.movements, partitions });
  await admin.disconnect();
}

/** Where a process ends: before its n-th append reaches Kafka, or after it, before Kafka's answer is read. */
type Death = { readonly append: number; readonly isAppended: boolean };

type ChangedOptions = Pick<MovementFollowerOptions, 'kafka' | 'maxBatchBytes' | 'bookLimits' | 'logger' | 'onRound'>;

interface FollowerChanges extends Partial<ChangedOptions> {
  readonly death?: Death;
  /** In the order in which they are followed. */
  readonly partitions?: readonly number[];
}

const nothingWaits: FollowerState = { behind: 0, stoppedPartitions: 0, unknownPartitions: 0, oldestSeconds: 0 };

const bookLimits = {
  maxCachedBytes: 1_000_000,
  maxLoadedBytes: 1_000_000,
  maxBookBytes: 10_000_000,
  maxLineBytes: 10_000_000,
};

/** A follower of all partitions, in few facts at once. */
function startFollower({ death, partitions = allPartitions, ...changes }: FollowerChanges = {}) {
  const database = openDatabase({ url: cell.url, name: 'follower', connections: 2 });
  const lockDatabase = openDatabase({ url: cell.url, name: 'follower locks', connections: 1 });
  const died = Promise.withResolvers<void>();
  const errors: object[] = [];
  const follower = new MovementFollower({
    kafka: death === undefined ? cell.kafka : dyingKafka(death, died.resolve),
    codec,
    database,
    lockDatabase,
    deciderFor,
    logger: { ...silentLogger, error: (fields) => void errors.push(fields) },
    bookLimits,
    maxFacts: 7,
    recheckIntervalMs: 500,
    ...changes,
  });
  follower.assign(partitions);
  return {
    died: died.promise,
    errors,
    follower,
    async close() {
      await follower.stop();
      await Promise.all([database.end(), lockDatabase.end()]);
    },
  };
}

/** From its end on, nothing of the process has an effect, and the session with its locks is gone. */
function dyingKafka({ append, isAppended }: Death, onDeath: () => void): KafkaClient {
  const { kafka } = cell;
  let appends = 0;
  return {
    consumer: (options) => kafka.consumer(options),
    admin: (options) => kafka.admin(options),
    logger: () => kafka.logger(),
    producer(options) {
      const real = kafka.producer(options);
      return {
        ...real,
        async sendBatch(batch) {
          appends += 1;
          if (appends < append) return real.sendBatch(batch);
          if (appends === append && isAppended) await real.sendBatch(batch);
          if (appends === append) {
            await cell.owner.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
              WHERE application_name LIKE 'follower locks%' AND datname = current_database()`);
            onDeath();
          }
          throw new AppendNotConfirmedError('this process has ended');
        },
      };
    },
  };
}

async function publishedMovements(): Promise<Map<number, MovementRecord[]>> {
  const tails = await readTopicTails(cell.kafka, topics.movements, allPartitions, (_, { low }) => low);
  const published = new Map<number, MovementRecord[]>();
  for (const [partition, { records }] of tails) {
    published.set(partition, await Promise.all(records.map(({ value }) => codec.decode(value))));
  }
  return published;
}

/** Each book folded from its first fact on. */
function expectedMovements(): Map<number, MovementRecord<number>[]> {
  const books = new Map<string, unknown>();
  const movementOf = (event: BookEvent<number>): MovementRecord<number> => {
    const { tenant_id, book_id, fact: sequence, kind, body, recorded_at } = event;
    const decider = deciderFor(book_id);
    const key = bookKey(tenant_id, book_id);
    const before = books.get(key) ?? decider.empty(tenant_id, book_id);
    const after = decider.replay(before, { sequence, kind, body, recordedAt: recorded_at as Moment });
    books.set(key, after);
    const fact = { ...event, sequence, event_number: event.sequence };
    return movementRecord(fact, decider.journal?.movement(before, after) ?? []);
  };
  return new Map([...events].map(([partition, each]) => [partition, each.map(movementOf)]));
}

function plain(movements: ReadonlyMap<number, readonly MovementRecord<number | bigint>[]>): unknown {
  return JSON.parse(
    JSON.stringify(
      [...movements].sort(([a], [b]) => a - b),
      (_, value) => (typeof value === 'bigint' ? Number(value) : value),
    ),
  );
}

async function untilPublished(partitions: readonly number[] = allPartitions): Promise<void> {
  await eventually(async () => {
    const ranges = await topicOffsets(cell.kafka, topics.movements);
    return partitions.every((partition) => {
      const { low, high } = ranges.get(partition) ?? { low: 0, high: 0 };
      return high - low >= (events.get(partition)?.length ?? 0);
    });
  });
}

/** The partition with the largest value first, and the partitions whose values stay below a bound. */
function byLargest<Each>(all: ReadonlyMap<number, readonly Each[]>, sizeOf: (each: Each) => number) {
  const largest = [...all].map(([partition, each]) => [partition, Math.max(...each.map(sizeOf))] as const);
  const sorted = largest.sort(([, a], [, b]) => b - a);
  const [partition, value] = sorted[0] ?? [0, 0];
  const below = (bound: number) => sorted.filter(([, each]) => each < bound).map(([number]) => number);
  return { partition, value, below, partitions: sorted.map(([number]) => number) };
}

/** Undefined for the default of the broker. */
async function acceptAtMost(bytes?: number): Promise<void> {
  const configEntries = bytes === undefined ? [] : [{ name: 'max.message.bytes', value: String(bytes) }];
  const name = cell.topicName(topics.movements);
  const resources = [{ type: kafkajs.ConfigResourceTypes.TOPIC, name, configEntries }];
  await withAdmin(cell.servicesKafka, (admin) => admin.alterConfigs({ validateOnly: false, resources }));
}

test('followers that end before or after an append leave no gap and no repeat', async () => {
  const deaths: readonly Death[] = [
    { append: 2, isAppended: true },
    { append: 3, isAppended: false },
    { append: 1, isAppended: true },
  ];
  const ended: ReturnType<typeof startFollower>[] = [];
  for (const death of deaths) {
    const follower = startFollower({ death });
    ended.push(follower);
    await follower.died;
    await follower.close();
  }
  const last = startFollower();
  await untilPublished();
  await eventually(() => last.follower.state.behind === 0);
  expect(last.follower.state).toEqual(nothingWaits);
  await last.close();
  const expected = expectedMovements();
  expect([...expected.values()].flat().some(({ loans }) => loans.some((each) => each.taken_back.length > 0))).toBe(
    true,
  );
  expect(plain(await publishedMovements())).toEqual(plain(expected));
  expect([...ended, last].flatMap(({ errors }) => errors)).toEqual([]);
});

test('two followers of the same partitions publish each movement once', async () => {
  const both = [startFollower(), startFollower()];
  await untilPublished();
  for (const each of both) await each.close();
  expect(plain(await publishedMovements())).toEqual(plain(expectedMovements()));
});

test('how far partitions are published is unknown while Kafka refuses to say it, and then how long facts have waited is known', async () => {
  let isRefused = true;
  const admin: KafkaClient['admin'] = (options) => {
    const real = cell.kafka.admin(options);
    const fetchTopicOffsets: typeof real.fetchTopicOffsets = async (topic) => {
      if (isRefused) throw new Error('Not authorized to access topics');
      return real.fetchTopicOffsets(topic);
    };
    return { ...real, fetchTopicOffsets };
  };
  const rounds: FollowerState[] = [];
  const onRound = (state: FollowerState): void => void rounds.push(state);
  const producer: KafkaClient['producer'] = (options) => ({
    ...cell.kafka.producer(options),
    async sendBatch() {
      throw new kafkajs.KafkaJSNumberOfRetriesExceeded(new Error('no answer'), { retryCount: 1, retryTime: 50 });
    },
  });
  const kafka = { ...cell.kafka, admin, producer } as KafkaClient;
  const running = startFollower({ onRound, kafka, partitions: [] });
  const isIdle = `SELECT FROM pg_stat_activity WHERE application_name LIKE 'follower/%' AND datname = current_database()
    AND state = 'idle'`;
  await eventually(async () => (await cell.owner.query(isIdle)).rows.length > 0);
  running.follower.assign(allPartitions);
  await eventually(() => rounds.length > 1);
  expect(rounds.slice(0, 2)).toEqual([1, 2].map(() => ({ ...nothingWaits, unknownPartitions: allPartitions.length })));
  const answeredAt = Date.now();
  isRefused = false;
  await eventually(() => Number(rounds.at(-1)?.behind) > 0);
  const all = [...events.values()].flat();
  const { oldestSeconds, ...state } = running.follower.state;
  expect(state).toEqual({ behind: all.length, stoppedPartitions: 0, unknownPartitions: 0 });
  const recordedAt = Math.min(...all.map((event) => event.recorded_at)) / 1_000;
  expect(recordedAt + oldestSeconds * 1_000).toBeGreaterThan(answeredAt);
  expect(recordedAt + oldestSeconds * 1_000).toBeLessThan(Date.now() + 1_000);
  await running.close();
});

test('a rebuild removes all movements, and the follower publishes them again', async () => {
  const running = startFollower();
  await untilPublished();
  const lockDatabase = openDatabase({ url: cell.url, name: 'rebuild', connections: 1 });
  const lines: string[] = [];
  await rebuildMovements({
    kafka: cell.kafka,
    codec,
    database: cell.owner,
    lockDatabase,
    onProgress: (line) => lines.push(line),
  });
  expect(plain(await publishedMovements())).toEqual(plain(expectedMovements()));
  expect(lines[0]).toBe('all records of lending.movements are removed; the processors write them again');
  await lockDatabase.end();
  await running.close();
});

test('a rebuild removes all movements while two followers have every other partition, and ends no session of theirs', async () => {
  const warnings: object[] = [];
  const logger = { ...silentLogger, warn: (fields: object) => void warnings.push(fields) };
  const both = [0, 1].map((rest) => {
    const partitions = allPartitions.filter((partition) => partition % 2 === rest);
    return startFollower({ logger, partitions });
  });
  await untilPublished();
  const lockDatabase = openDatabase({ url: cell.url, name: 'rebuild', connections: 1 });
  const options = { kafka: cell.kafka, codec, database: cell.owner, lockDatabase, onProgress: () => undefined };
  const movements = [...events.values()].flat().length;
  expect(await planRebuildOfMovements(options)).toEqual({ records: movements, movements });
  expect(await rebuildMovements(options)).toBe(movements);
  expect(plain(await publishedMovements())).toEqual(plain(expectedMovements()));
  expect(warnings).toEqual([]);
  await lockDatabase.end();
  for (const each of both) await each.close();
});

test('a rebuild removes nothing where its locks were lost, and says where records may still be removed', async () => {
  const running = startFollower();
  await untilPublished();
  await running.close();
  const lockDatabase = openDatabase({ url: cell.url, name: 'rebuild', connections: 1 });
  const admin: KafkaClient['admin'] = (options) => {
    const real = cell.kafka.admin(options);
    const fetchTopicOffsets: typeof real.fetchTopicOffsets = async (topic) => {
      await cell.owner.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE application_name LIKE 'rebuild%' AND datname = current_database() AND pid <> pg_backend_pid()`);
      return real.fetchTopicOffsets(topic);
    };
    return { ...real, fetchTopicOffsets };
  };
  const options = { codec, database: cell.owner, lockDatabase, onProgress: () => undefined };
  const withLocksLost = { ...cell.kafka, admin } as KafkaClient;
  await expect(rebuildMovements({ ...options, kafka: withLocksLost })).rejects.toThrow('no record was removed');
  const unconfirmed: KafkaClient['admin'] = (adminOptions) => ({
    ...cell.kafka.admin(adminOptions),
    async deleteTopicRecords() {
      throw new Error('the answer was lost');
    },
  });
  const withoutAnswer = { ...cell.kafka, admin: unconfirmed } as KafkaClient;
  await expect(rebuildMovements({ ...options, kafka: withoutAnswer })).rejects.toThrow(
    'lending.movements: its records may still be removed (the answer was lost). Run `lending rebuild --movements` again',
  );
  expect(plain(await publishedMovements())).toEqual(plain(expectedMovements()));
  await lockDatabase.end();
});

/** About: with its key and what surrounds it, a movement is larger. */
async function sentBytes(movement: MovementRecord<number>): Promise<number> {
  const value = codec.encode(movement);
  if (compressionFor(value.length) === kafkajs.CompressionTypes.None) return value.length;
  const codecOfBatches = kafkajs.CompressionCodecs[kafkajs.CompressionTypes.GZIP]();
  return (await codecOfBatches.compress({ buffer: value })).length;
}

test('a movement that Kafka refuses stops its own partition and no other', async () => {
  const sizes = new Map<number, number[]>();
  for (const [partition, movements] of expectedMovements())
    sizes.set(partition, await Promise.all(movements.map(sentBytes)));
  const refused = byLargest(sizes, (size) => size);
  // With its key and what surrounds it, a movement of this size is larger than allowed.
  await acceptAtMost(refused.value);
  const accepted = refused.below(refused.value - 200);
  expect(accepted).not.toEqual([]);
  const running = startFollower({ partitions: refused.partitions, maxBatchBytes: 1 });
  await untilPublished(accepted);
  await eventually(() => running.errors.length > 0);
  const stopped = { event: 'movements.partition_stopped', partition: refused.partition };
  expect(running.errors).toContainEqual(expect.objectContaining(stopped));
  await acceptAtMost();
  await untilPublished();
  await running.close();
  expect(plain(await publishedMovements())).toEqual(plain(expectedMovements()));
});

test('a book that is too large stops its partition in front of its fact, and no other partition', async () => {
  const bytes = new Map<string, number>();
  const large = byLargest(events, ({ tenant_id, book_id, kind, body }) => {
    const key = bookKey(tenant_id, book_id);
    bytes.set(key, (bytes.get(key) ?? emptyBookBytes) + factBytes({ kind, body }));
    // The movements of the Tenancy's own book are empty.
    return book_id === tenancyBookId ? 0 : (bytes.get(key) ?? 0);
  });
  const small = large.below(large.value / 2);
  expect(small).not.toEqual([]);
  const maxBookBytes = Math.floor(large.value / 2);
  const running = startFollower({ partitions: large.partitions, bookLimits: { ...bookLimits, maxBookBytes } });
  await untilPublished(small);
  await eventually(() => running.errors.length > 0);
  const err = expect.objectContaining({ message: expect.stringContaining('start the processor with a larger heap') });
  expect(running.errors[0]).toMatchObject({ event: 'movements.partition_stopped', err });
  await running.close();
  const { event_number: stoppedAt } = running.errors[0] as { event_number: number };
  expect(stoppedAt).toBeGreaterThan(1);
  const next = startFollower();
  await untilPublished();
  await next.close();
  expect(plain(await publishedMovements())).toEqual(plain(expectedMovements()));
});

test('a topic that leaves out a movement is not continued until it was rebuilt', async () => {
  const [partition = 0, movements = []] = [...expectedMovements()].find(([, each]) => each.length > 3) ?? [];
  const producer = cell.kafka.producer({ allowAutoTopicCreation: false });
  await producer.connect();
  const messages = [movements[0], movements[2]].flatMap((each) =>
    each === undefined ? [] : { partition, key: bookKey(each.tenant_id, each.book_id), value: codec.encode(each) },
  );
  await producer.sendBatch({ acks: -1, topicMessages: [{ topic: topics.movements, messages }] });
  await producer.disconnect();
  const texts: string[] = [];
  const running = startFollower({ logger: { ...silentLogger, error: (_, text) => void texts.push(text) } });
  await eventually(() => texts.length > 0);
  expect(texts[0]).toContain('until `lending rebuild --movements` was run');
  await running.close();
  await removeAllMovements();
  const next = startFollower();
  await untilPublished();
  await next.close();
  expect(plain(await publishedMovements())).toEqual(plain(expectedMovements()));
});

// It removes facts: the last one.
test('a fact that was committed a moment ago is not published together with older ones', async () => {
  const [partition = 0, facts = []] = [...events].find(([, each]) => each.length > 3) ?? [];
  const setNextEvent = (next: number) =>
    cell.owner.query('UPDATE partitions SET next_event = $2 WHERE partition = $1', [partition, next]);
  // The position that was read 1.5 s ago; the facts after it were committed since.
  await setNextEvent(3);
  const running = startFollower({ partitions: [partition] });
  const published = async () => (await publishedMovements()).get(partition) ?? [];
  await eventually(async () => (await published()).length > 0);
  await running.close();
  expect((await published()).map(({ sequence }) => Number(sequence))).toEqual([1, 2]);
  await setNextEvent(facts.length + 1);
});

test('a topic that is ahead of the database stops its partition until the database has caught up', async () => {
  const running = startFollower();
  await untilPublished();
  await running.close();
  const [partition = 0, facts = []] = [...events].find(([, each]) => each.length > 3) ?? [];
  await cell.owner.query('DELETE FROM facts WHERE partition = $1 AND event_number > 2', [partition]);
  await cell.owner.query('UPDATE partitions SET next_event = 3 WHERE partition = $1', [partition]);
  const later = startFollower();
  await eventually(() => later.follower.state.stoppedPartitions === 1);
  expect(later.errors).toMatchObject([{ event: 'movements.partition_stopped', partition, published: facts.length }]);
  await later.close();
});
