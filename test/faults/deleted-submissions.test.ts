/** What `lending reconcile` submits again: what is left of deleted submissions, and nothing that was decided before a release. */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readPartitionPositions } from '#libs/database/partitions.ts';
import { AvroCodec } from '#libs/kafka/avro-codec.ts';
import { bookEvent, bookEventSchema } from '#libs/kafka/book-event.ts';
import { SchemaRegistry } from '#libs/kafka/schema-registry.ts';
import { readTopic } from '#libs/kafka/topic-follower.ts';
import { readTopicTails, topicOffsets, withAdmin } from '#libs/kafka/topic-offsets.ts';
import { TopicWriter } from '#libs/kafka/topic-writer.ts';
import { topics } from '#libs/kafka/topics.ts';
import { silentLogger } from '#libs/runtime/logging.ts';
import { newUuid } from '#libs/runtime/uuid.ts';
import { TopicIngest } from '#libs/verify/rebuild/ingest.ts';
import { type NumericBookEvent, writeEvents } from '#libs/verify/rebuild/write-events.ts';
import { type ReconcileResult, reconcile } from '#libs/verify/repair/reconcile.ts';
import { testEnvironment } from '#test/support/tenant.ts';
import { ScratchCell } from './scratch-cell.ts';
import { addRecord } from './sum-book.ts';

let cell: ScratchCell;
beforeAll(async () => {
  cell = await ScratchCell.open();
});
afterAll(() => cell.close());

/** One submission for each request. */
async function append(partition: number, requestIds: readonly string[]): Promise<void> {
  const writer = await TopicWriter.open(cell.kafka);
  for (const requestId of requestIds) {
    const record = { ...addRecord({ bookId: 'c/ana', by: 1, requestId }), patience_ends_at: 0 };
    const value = cell.submissionCodec.encode(record);
    await writer.append({ topic: topics.submissions, partition, key: 'tenancy/c/ana', value });
  }
  await writer.close();
}

function deleteBefore(partition: number, offset: number): Promise<void> {
  return withAdmin(cell.kafka, async (admin) => {
    // Loads the metadata, without which records cannot be deleted.
    await admin.fetchTopicOffsets(topics.submissions);
    const partitions = [{ partition, offset: String(offset) }];
    await admin.deleteTopicRecords({ topic: topics.submissions, partitions });
  });
}

function reconcileCell(): Promise<ReconcileResult> {
  const { schemaRegistryUrl } = testEnvironment().stack;
  return reconcile({ kafka: cell.kafka, schemaRegistryUrl, owner: cell.owner, logger: silentLogger });
}

test('what is left is submitted again, and processors continue behind it', async () => {
  const partition = 3;
  const requestIds = Array.from({ length: 6 }, newUuid);
  await append(partition, requestIds);
  await cell.owner.query('UPDATE partitions SET next_offset = 2 WHERE partition = $1', [partition]);
  await deleteBefore(partition, 4);

  const result = await reconcileCell();

  expect(result).toMatchObject({ importedFacts: 0, resubmitted: 2, partitionsWithGap: [partition] });
  const positions = await readPartitionPositions(cell.owner, [partition]);
  expect(positions.get(partition)).toMatchObject({ nextOffset: 6, logStart: 0 });
  const tails = await readTopicTails(cell.kafka, topics.submissions, [partition], () => 6);
  const records = tails.get(partition)?.records ?? [];
  const resubmitted = await Promise.all(records.map(({ value }) => cell.submissionCodec.decode(value)));
  expect(resubmitted.map(({ request_id }) => request_id)).toEqual(requestIds.slice(4));
});

test.each([
  ['goes on with the first one that is left', 7, 5],
  ['ends where none is left', 8, 6],
])('a reader that skips deleted submissions %s', async (_what, partition, firstLeft) => {
  const writer = await TopicWriter.open(cell.kafka);
  // Kafka answers three of them at once.
  const value = randomBytes(600_000);
  for (let count = 0; count < 6; count += 1) {
    await writer.append({ topic: topics.submissions, partition, key: 'tenancy/c/ana', value });
  }
  await writer.close();
  const offsets: number[] = [];
  await readTopic({
    kafka: cell.kafka,
    topic: topics.submissions,
    logger: silentLogger,
    skipsDeletedRecords: true,
    timeouts: { joinMs: 60_000, leaveMs: 10_000, stallMs: 3_000 },
    async onRecords(of, records) {
      if (of !== partition) return;
      if (offsets.length === 0) await deleteBefore(partition, firstLeft);
      offsets.push(...records.map(({ offset }) => offset));
    },
  });
  expect(offsets[0]).toBe(0);
  expect(offsets.length).toBeLessThan(6);
  expect(offsets.includes(5)).toBe(firstLeft === 5);
});

test('what was decided before a release of many parked submissions is not submitted again', async () => {
  const partition = 5;
  const release = newUuid();
  await append(partition, [newUuid(), newUuid(), newUuid(), release]);
  // The facts of the release follow its own one, under the ids of requests that are not in the log.
  const events = Array.from({ length: 150 }, (_, index) =>
    bookEvent(
      {
        tenantId: 'tenancy',
        bookId: 'c/ana',
        sequence: index + 1,
        fact: { kind: index === 0 ? 'released' : 'receipt', body: '{}', counts: index > 0 },
        versionCount: index,
        versionAt: index === 0 ? null : 1,
        reference: undefined,
        recordedAt: index + 1,
        requestId: index === 0 ? release : newUuid(),
        item: index,
        partition,
        offset: 3,
        eventNumber: index + 1,
      },
      { feedNumber: null, listedNumber: null, evidence: 1 },
    ),
  );
  // As after a run that read the facts back and was interrupted.
  await writeEvents(cell.owner, events);
  await cell.owner.query('UPDATE partitions SET next_event = $2 WHERE partition = $1', [partition, events.length + 1]);

  await reconcileCell();

  expect((await topicOffsets(cell.kafka, topics.submissions)).get(partition)).toEqual({ low: 0, high: 4 });
  const positions = await readPartitionPositions(cell.owner, [partition]);
  expect(positions.get(partition)).toMatchObject({ nextOffset: 4, logStart: 0 });

  // A rebuild knows the last requests from the topic alone.
  const writer = await TopicWriter.open(cell.kafka);
  for (const event of events)
    await writer.append({
      topic: topics.bookEvents,
      partition,
      key: 'tenancy/c/ana',
      value: cell.eventCodec.encode(event),
    });
  await writer.close();
  const registry = new SchemaRegistry(testEnvironment().stack.schemaRegistryUrl);
  const codec = await AvroCodec.open<NumericBookEvent>(registry, { ...bookEventSchema, exactLongs: false });
  const ingest = await TopicIngest.open({
    kafka: cell.kafka,
    codec,
    logger: silentLogger,
    write: async () => undefined,
  });
  await ingest.readToEnd().finally(() => ingest.stop());
  expect(ingest.recent.get(partition)).toEqual([release]);
});
