/** A database that was set back to before a Tenancy was opened, beside the topics of its history: it is brought forward, or refused. */
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { countParkedBooks } from '#libs/database/parked-submissions.ts';
import { readAllPositions, takeOverPartitions } from '#libs/database/partitions.ts';
import { PublishingLocks } from '#libs/database/publishing-locks.ts';
import type { BookEvent } from '#libs/kafka/book-event.ts';
import { bookKey } from '#libs/kafka/book-key-partition.ts';
import type { KafkaClient } from '#libs/kafka/kafka-client.ts';
import type { SubmissionRecord } from '#libs/kafka/submission-record.ts';
import { readTopicTails } from '#libs/kafka/topic-offsets.ts';
import { TopicWriter } from '#libs/kafka/topic-writer.ts';
import { topics } from '#libs/kafka/topics.ts';
import { clientBookId, tenancyBookId } from '#libs/ledger/book-id.ts';
import { silentLogger } from '#libs/runtime/logging.ts';
import { newUuid } from '#libs/runtime/uuid.ts';
import { rebuild } from '#libs/verify/rebuild/rebuild.ts';
import { writeEvents } from '#libs/verify/rebuild/write-events.ts';
import { type ReconcileResult, reconcile } from '#libs/verify/repair/reconcile.ts';
import { checkTopic } from '#libs/verify/repair/topic-gaps.ts';
import { emptyDatabase } from '#test/support/empty-database.ts';
import { OneProductLender } from '#test/support/one-product-lender.ts';
import { allPartitions, partitionOf } from '#test/support/partitions.ts';
import { testEnvironment } from '#test/support/tenant.ts';
import { openTestDatabases } from '#test/support/test-databases.ts';
import { ScratchCell } from './scratch-cell.ts';
import { recordHistory, type TenancyHistory } from './tenancy-history.ts';

const batchSize = 3;

let cell: ScratchCell;
/** The Client's book: its batch of Receipts is published without the last one. */
let book: { readonly key: string; readonly partition: number };
let history: TenancyHistory;
beforeAll(async () => {
  const here = testEnvironment();
  cell = await ScratchCell.open();
  const { databases, close } = await openTestDatabases(here, { name: 'history' });
  const running = { kafka: cell.servicesKafka, databases, codec: cell.submissionCodec };
  const historyOf = await recordHistory(running);
  const lender = await OneProductLender.open(here);
  // Events that are left out of the Client's partition must not leave a gap before those of the Tenancy's own book.
  const tenancyPartition = partitionOf(bookKey(lender.tenant.id, tenancyBookId));
  let client = await lender.client();
  while (partitionOf(bookKey(lender.tenant.id, clientBookId(client))) === tenancyPartition)
    client = await lender.client();
  const receipts = Array.from({ length: batchSize }, (_, index) => ({
    reference: `${client}-${index}`,
    client_id: client,
    amount: { minor_units: 100, currency: 'MXN' },
    value_date: '2026-03-01',
  }));
  expect((await lender.tenant.post('/receipts/batch', { receipts })).status).toBe(200);
  for (const [action, after] of [
    ['signed_in', 'password'],
    ['signed_out', ''],
    ['sign_in_paused', ''],
    ['second_factor_refused', ''],
    ['role_changed', ''],
  ] as const) {
    const origin = { channel: 'console' } as const;
    const act = { act_id: newUuid(), action, subject: 'luis@example.com', before: 'admin', after, origin };
    await lender.tenant.administration.recordPersonAct('ana@example.com', lender.tenant.id, act);
  }
  const key = bookKey(lender.tenant.id, clientBookId(client));
  book = { key, partition: partitionOf(key) };
  history = await historyOf(lender.tenant.id);
  await publish(history);
  await lender.tenant.close();
  await close();
});
afterAll(() => cell.close());
beforeEach(() => emptyDatabase(cell.owner));

/** Writes the topics of the scratch cell: the last Receipt is missing, and the book was parked long before. */
async function publish({ submissions, events }: TenancyHistory): Promise<void> {
  const writer = await TopicWriter.open(cell.kafka);
  for (const [partition, records] of submissions) {
    for (const record of records) {
      const value = cell.submissionCodec.encode(record);
      await writer.append({ topic: topics.submissions, partition, key: keyOf(record), value });
    }
  }
  for (const [partition, all] of events) {
    const published = all.filter((event) => partition !== book.partition || event.item !== batchSize - 1);
    for (const event of published) {
      const key = bookKey(event.tenant_id, event.book_id);
      await writer.append({ topic: topics.bookEvents, partition, key, value: cell.eventCodec.encode(event) });
    }
  }
  const { key, partition } = book;
  const [batch] = (submissions.get(partition) ?? []).slice(-1);
  if (batch === undefined) throw new Error('the batch is not in the log');
  const value = cell.submissionCodec.encode({ ...batch, taken_in_at: batch.taken_in_at - 3_600_000_000 });
  await writer.append({ topic: topics.parked, partition, key, value });
  await writer.close();
}

function keyOf({ tenant_id, items }: SubmissionRecord): string {
  return bookKey(tenant_id, items[0]?.book_id ?? '');
}

function reconcileWith(kafka: KafkaClient): Promise<ReconcileResult> {
  const { schemaRegistryUrl } = testEnvironment().stack;
  return reconcile({ kafka, schemaRegistryUrl, owner: cell.owner, logger: silentLogger });
}

/** The last submission in the log of the Client's book. */
async function lastSubmission(): Promise<SubmissionRecord> {
  const tails = await readTopicTails(cell.kafka, topics.submissions, [book.partition], (_, { high }) => high - 1);
  const [record] = tails.get(book.partition)?.records ?? [];
  return cell.submissionCodec.decode(record?.value ?? Buffer.alloc(0));
}

/** The clients of this one, some of them replaced. */
function kafkaWith(replaced: Partial<Pick<KafkaClient, 'admin' | 'producer'>>): KafkaClient {
  const { kafka } = cell;
  return {
    consumer: (options) => kafka.consumer(options),
    admin: (options) => kafka.admin(options),
    producer: (options) => kafka.producer(options),
    logger: () => kafka.logger(),
    ...replaced,
  };
}

/** Fails before anything is submitted again. */
const interruptedKafka = (): KafkaClient =>
  kafkaWith({
    producer() {
      throw new Error('interrupted');
    },
  });

/** As a processor of an earlier release takes partitions over, which knows of no reservation. */
async function takeOverUnnoticed(): Promise<void> {
  await cell.owner.query("UPDATE partitions SET epoch = epoch + 1, owner = 'earlier release'");
}

/**
 * As processors do that run on the restored database: the partition of the book ends with another request than the topic,
 * and one event later.
 */
async function recordOtherFacts(): Promise<void> {
  const events = history.events.get(book.partition) ?? [];
  const [lost, other] = [events.at(-1)?.request_id, newUuid()];
  await writeEvents(
    cell.owner,
    events.map((event) => (event.request_id === lost ? { ...event, request_id: other } : event)),
  );
  const text = 'UPDATE partitions SET next_event = $2 WHERE partition = $1';
  await cell.owner.query(text, [book.partition, events.length + 1]);
}

const takeOver = () => takeOverPartitions(cell.owner, 'processor', [book.partition]);

test('a run that is repeated after an interruption submits the rest of a published batch and parks the same books', async () => {
  await expect(reconcileWith(interruptedKafka())).rejects.toThrow('interrupted');
  await expect(takeOver()).rejects.toThrow('run it again');
  const result = await reconcileWith(cell.kafka);
  expect(result).toMatchObject({ importedFacts: 0, resubmitted: 1, parkedBooks: [book.key], partitionsWithGap: [] });
  expect(await countParkedBooks(cell.owner, allPartitions)).toBe(1);
  expect((await lastSubmission()).items.map(({ item }) => item)).toEqual([batchSize - 1]);
  expect([...(await takeOver()).keys()]).toEqual([book.partition]);
});

test('sign-ins of the console end, and what was done to people later is listed to be done again', async () => {
  await cell.owner.query(`INSERT INTO console.sessions (token_hash, person_id, created_at, last_seen_at)
    VALUES ('token', gen_random_uuid(), 0, 0)`);
  await cell.owner.query(`INSERT INTO console.one_time_links (token_hash, person_id, expires_at)
    VALUES ('token', gen_random_uuid(), 0)`);
  const { endedSessions, laterPersonActs } = await reconcileWith(cell.kafka);
  expect(endedSessions).toBe(1);
  expect(laterPersonActs).toEqual([
    expect.objectContaining({ actor: 'ana@example.com', action: 'role_changed', subject: 'luis@example.com' }),
  ]);
  const { rows } = await cell.owner.query(
    'SELECT (SELECT count(*) FROM console.sessions) + (SELECT count(*) FROM console.one_time_links) AS left',
  );
  expect(rows).toEqual([{ left: 0 }]);
});

test('a database restored to before an upgrade is left alone until it is prepared', async () => {
  const last = (await cell.owner.query('SELECT name FROM migrations ORDER BY name DESC LIMIT 1')).rows[0].name;
  await cell.owner.query('DELETE FROM migrations WHERE name = $1', [last]);
  await expect(reconcileWith(cell.kafka)).rejects.toThrow(
    `the database lacks migration ${last} of this release: run \`lending prepare\``,
  );
  await cell.owner.query('INSERT INTO migrations (name, run_on) VALUES ($1, now())', [last]);
  expect([...(await takeOver()).keys()]).toEqual([book.partition]);
});

test('a database that recorded other facts, and more than the topic holds, is refused and named by a dry run', async () => {
  await recordOtherFacts();
  const last = (history.events.get(book.partition)?.length ?? 0) - 1;
  await expect(reconcileWith(cell.kafka)).rejects.toThrow(
    `event ${last} of partition ${book.partition} is another fact in the database`,
  );
  await expect(takeOver()).rejects.toThrow('run it again');
  const { kafka, eventCodec: codec, owner: database } = cell;
  const checked = await checkTopic({ kafka, codec, logger: silentLogger, database });
  expect(checked[book.partition]).toEqual({
    partition: book.partition,
    last,
    committed: last + 1,
    differentEvent: last,
  });
  expect(checked.filter(({ differentEvent }) => differentEvent !== undefined)).toHaveLength(1);
});

test('a database with fewer events than the topic is not replaced, even if differences are accepted', async () => {
  const { kafka, owner, url: ownerUrl } = cell;
  const [first] = history.events.get(book.partition) ?? [];
  if (first === undefined) throw new Error('the partition of the book has no event');
  await writeEvents(owner, [first]);
  await owner.query('UPDATE partitions SET next_event = 2 WHERE partition = $1', [book.partition]);
  const { schemaRegistryUrl } = testEnvironment().stack;
  const options = { kafka, schemaRegistryUrl, ownerUrl, logger: silentLogger };
  await expect(rebuild({ ...options, databaseLost: true })).rejects.toThrow('empty the database');
  await expect(rebuild({ ...options, acceptDifferences: true })).rejects.toThrow('use `lending rebuild --lost` again');
  const { rows } = await owner.query(
    'SELECT (SELECT count(*) FROM facts) AS facts, (SELECT max(next_event) FROM partitions) AS next_event',
  );
  expect(rows).toEqual([{ facts: 1, next_event: 2 }]);
});

test('nothing is written once a processor has taken the partitions over', async () => {
  const duringImport = kafkaWith({
    admin(options) {
      const real = cell.kafka.admin(options);
      return { ...real, connect: () => takeOverUnnoticed().then(real.connect) };
    },
  });
  await expect(reconcileWith(duringImport)).rejects.toThrow('taken over');
  expect((await cell.owner.query('SELECT count(*) AS facts FROM facts')).rows).toEqual([{ facts: 0 }]);
  const afterImport = kafkaWith({
    producer(options) {
      const real = cell.kafka.producer(options);
      return { ...real, connect: () => takeOverUnnoticed().then(real.connect) };
    },
  });
  await expect(reconcileWith(afterImport)).rejects.toThrow('taken over');
  const { rows } = await cell.owner.query('SELECT max(next_offset) AS next_offset FROM partitions');
  expect(rows).toEqual([{ next_offset: 0 }]);
});

test('an empty database is not filled while a processor runs, or once one has recorded a fact in it', async () => {
  const { kafka, owner, url: ownerUrl } = cell;
  const { schemaRegistryUrl } = testEnvironment().stack;
  const options = { kafka, schemaRegistryUrl, ownerUrl, logger: silentLogger, databaseLost: true };
  const locks = new PublishingLocks(owner);
  expect(await locks.acquire(3)).toBe(true);
  await expect(rebuild(options)).rejects.toThrow('a processor is running: it publishes partition 3');
  locks.close();
  const [first] = history.events.get(book.partition) ?? [];
  if (first === undefined) throw new Error('the partition of the book has no event');
  const whileSubmitting = kafkaWith({
    producer(producerOptions) {
      const real = kafka.producer(producerOptions);
      return { ...real, connect: () => writeEvents(owner, [first]).then(real.connect) };
    },
  });
  await expect(rebuild({ ...options, kafka: whileSubmitting })).rejects.toThrow('the database contains facts');
  expect((await owner.query('SELECT count(*) AS facts FROM facts')).rows).toEqual([{ facts: 1 }]);
});

/** The event so many numbers after the last one of the book's partition: another fact of the same request. */
function laterEvent(after: number): BookEvent<number> {
  const last = history.events.get(book.partition)?.at(-1);
  if (last === undefined) throw new Error('the partition of the book has no event');
  const none = { reference: null, listed: null, feed_number: null, event_id: null };
  return { ...last, ...none, sequence: last.sequence + after, fact: last.fact + after, item: last.item + after };
}

test('a database without tables gets as many partitions as its topics have, and a later rebuild keeps them', async () => {
  const shift = 8;
  const partitions = shift + allPartitions.length;
  const lost = await ScratchCell.open({ partitions });
  try {
    const nextEvents = await publishShifted(lost, shift);
    await lost.owner.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public');
    const { schemaRegistryUrl } = testEnvironment().stack;
    const options = { kafka: lost.kafka, schemaRegistryUrl, ownerUrl: lost.url, logger: silentLogger };
    const { previousSchema } = await rebuild({ ...options, databaseLost: true });
    const positions = await readAllPositions(lost.owner);
    expect([...positions.values()].map(({ nextEvent }) => nextEvent)).toEqual(nextEvents);
    expect([...positions.values()].map(({ epoch }) => epoch)).toEqual(Array(partitions).fill(1));
    await lost.owner.query(`DROP SCHEMA ${previousSchema} CASCADE`);
    expect(await rebuild(options)).toMatchObject({ differences: [], previousSchema: expect.any(String) });
    expect(await readAllPositions(lost.owner)).toEqual(positions);
  } finally {
    await lost.close();
  }
});

/** Writes the history to partitions so many numbers higher. Returns the number of the next event of each partition. */
async function publishShifted({ kafka, submissionCodec, eventCodec }: ScratchCell, shift: number): Promise<number[]> {
  const nextEvents = Array<number>(shift + allPartitions.length).fill(1);
  const writer = await TopicWriter.open(kafka);
  for (const number of allPartitions) {
    const partition = number + shift;
    for (const record of history.submissions.get(number) ?? []) {
      const value = submissionCodec.encode(record);
      await writer.append({ topic: topics.submissions, partition, key: keyOf(record), value });
    }
    const events = history.events.get(number) ?? [];
    nextEvents[partition] = events.length + 1;
    for (const event of events) {
      const key = bookKey(event.tenant_id, event.book_id);
      const value = eventCodec.encode({ ...event, partition });
      await writer.append({ topic: topics.bookEvents, partition, key, value });
    }
  }
  await writer.close();
  return nextEvents;
}

// The last test: the gap stays in the topic.
test('a gap behind the restored moment is named, and passed by a database that was restored to a later one', async () => {
  const recorded = [...(history.events.get(book.partition) ?? []), laterEvent(1)];
  const writer = await TopicWriter.open(cell.kafka);
  const value = cell.eventCodec.encode(laterEvent(2));
  await writer.append({ topic: topics.bookEvents, partition: book.partition, key: book.key, value });
  await writer.close();
  const last = recorded.length;
  await expect(reconcileWith(cell.kafka)).rejects.toThrow(
    `expected event ${last - 1}: those between are missing in the topic. If the database holds them, run \`lending topic ` +
      `repair --partition ${book.partition}\`. Otherwise restore the database again, to a later moment at which it holds event ${last}`,
  );
  await emptyDatabase(cell.owner);
  await writeEvents(cell.owner, [...recorded, laterEvent(2)]);
  await cell.owner.query('UPDATE partitions SET next_event = $2 WHERE partition = $1', [book.partition, last + 2]);
  expect(await reconcileWith(cell.kafka)).toMatchObject({ unpublishedFacts: 0 });
});
