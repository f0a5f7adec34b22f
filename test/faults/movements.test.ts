/** Followers of movements that die at any moment: lending.movements holds the movement of each fact once, in order. */
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Moment } from '#libs/calendar/moment.ts';
import { openDatabase } from '#libs/database/pool.ts';
import { AvroCodec } from '#libs/kafka/avro-codec.ts';
import type { BookEvent } from '#libs/kafka/book-event.ts';
import { allPartitions, bookKey } from '#libs/kafka/book-key-partition.ts';
import type { KafkaClient } from '#libs/kafka/kafka-client.ts';
import { type MovementCodec, type MovementRecord, movementRecord, movementSchema } from '#libs/kafka/movement.ts';
import { SchemaRegistry } from '#libs/kafka/schema-registry.ts';
import { readTopicTails, topicOffsets } from '#libs/kafka/topic-offsets.ts';
import { topics } from '#libs/kafka/topics.ts';
import { silentLogger } from '#libs/runtime/logging.ts';
import { deciderFor } from '#libs/tenant/decider-for.ts';
import { rebuildMovements } from '#libs/verify/rebuild/rebuild-movements.ts';
import { writeEvents } from '#libs/verify/rebuild/write-events.ts';
import { MovementFollower } from '#services/processor/movement-follower.ts';
import { RandomActivity } from '#test/support/random-activity.ts';
import { eventually, testEnvironment } from '#test/support/tenant.ts';
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
  codec = await AvroCodec.register(new SchemaRegistry(here.stack.schemaRegistryUrl), movementSchema);
  const database = openDatabase({ url: here.stack.databaseUrl, name: 'history', connections: 1 });
  const historyOf = await recordHistory({ kafka: cell.servicesKafka, database, codec: cell.submissionCodec });
  const activity = await RandomActivity.open(here, 20261125);
  await activity.run(writes);
  ({ events } = await historyOf(activity.tenant.id));
  await activity.tenant.close();
  await database.end();
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

/** A follower of all partitions, in few facts at once. */
function startFollower(death?: Death) {
  const database = openDatabase({ url: cell.url, name: 'follower', connections: 2 });
  const lockDatabase = openDatabase({ url: cell.url, name: 'follower locks', connections: 1 });
  const died = Promise.withResolvers<void>();
  const errors: unknown[] = [];
  const follower = new MovementFollower({
    kafka: death === undefined ? cell.kafka : dyingKafka(death, died.resolve),
    codec,
    database,
    lockDatabase,
    deciderFor,
    logger: { ...silentLogger, error: (fields) => void errors.push(fields) },
    maxCachedBytes: 1_000_000,
    maxFacts: 7,
  });
  follower.assign(allPartitions);
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
          throw new Error('this process has ended');
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
    const { tenant_id: tenantId, book_id: bookId, fact: sequence, kind, body, recorded_at: recordedAt } = event;
    const decider = deciderFor(bookId);
    const key = bookKey(tenantId, bookId);
    const before = books.get(key) ?? decider.empty(tenantId, bookId);
    const after = decider.replay(before, { sequence, kind, body, recordedAt: recordedAt as Moment });
    books.set(key, after);
    const { request_id: requestId, item, partition, sequence: eventNumber } = event;
    const fact = { tenantId, bookId, sequence, kind, recordedAt, requestId, item, partition, eventNumber };
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

async function untilPublished(): Promise<void> {
  const committed = [...events.values()].reduce((sum, each) => sum + each.length, 0);
  await eventually(async () => {
    const ranges = [...(await topicOffsets(cell.kafka, topics.movements)).values()];
    return ranges.reduce((sum, { low, high }) => sum + high - low, 0) >= committed;
  });
}

test('followers that end before or after an append leave no gap and no repeat', async () => {
  const deaths: readonly Death[] = [
    { append: 2, isAppended: true },
    { append: 3, isAppended: false },
    { append: 1, isAppended: true },
  ];
  const ended: ReturnType<typeof startFollower>[] = [];
  for (const death of deaths) {
    const follower = startFollower(death);
    ended.push(follower);
    await follower.died;
    await follower.close();
  }
  const last = startFollower();
  await untilPublished();
  expect(last.follower.state).toEqual({ behind: 0, stoppedPartitions: 0 });
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

test('a rebuild removes nothing where its locks were lost before the removal', async () => {
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
  const kafka = { ...cell.kafka, admin } as KafkaClient;
  const rebuilding = rebuildMovements({
    kafka,
    codec,
    database: cell.owner,
    lockDatabase,
    onProgress: () => undefined,
  });
  await expect(rebuilding).rejects.toThrow('no record was removed');
  expect(plain(await publishedMovements())).toEqual(plain(expectedMovements()));
  await lockDatabase.end();
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
