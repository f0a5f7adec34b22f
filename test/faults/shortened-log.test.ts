/** A log of submissions that lost its end: continued by `lending topic remake`, and found again by a rebuild. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readPartitionPositions } from '#libs/database/partitions.ts';
import { TopicConsumer, type TopicRecord } from '#libs/kafka/topic-consumer.ts';
import { processedOffsets, topicOffsets, withAdmin } from '#libs/kafka/topic-offsets.ts';
import { TopicWriter } from '#libs/kafka/topic-writer.ts';
import { topics } from '#libs/kafka/topics.ts';
import { silentLogger } from '#libs/runtime/logging.ts';
import { newUuid } from '#libs/runtime/uuid.ts';
import { findLogStarts } from '#libs/verify/rebuild/find-log-starts.ts';
import { planRemake, remakeTopics } from '#libs/verify/repair/remake-topics.ts';
import { partitionCount } from '#test/support/partitions.ts';
import { eventually } from '#test/support/tenant.ts';
import { ScratchCell } from './scratch-cell.ts';
import { addRecord } from './sum-book.ts';

let cell: ScratchCell;
let writer: TopicWriter;
beforeAll(async () => {
  cell = await ScratchCell.open();
  writer = await TopicWriter.open(cell.kafka);
});
afterAll(async () => {
  await writer.close();
  await cell.close();
});

/** Appends one submission for each request. */
async function append(partition: number, requestIds: readonly string[]): Promise<void> {
  for (const requestId of requestIds) {
    const record = { ...addRecord({ bookId: 'c/ana', by: 1, requestId }), patience_ends_at: 0 };
    const value = cell.submissionCodec.encode(record);
    await writer.append({ topic: topics.submissions, partition, key: 'tenancy/c/ana', value });
  }
}

async function setProcessed(partition: number, nextOffset: number): Promise<void> {
  await cell.owner.query('UPDATE partitions SET next_offset = $2 WHERE partition = $1', [partition, nextOffset]);
}

async function commitOffset(groupId: string, partition: number, offset: number): Promise<void> {
  const topic = cell.topicName(topics.submissions);
  const partitions = [{ partition, offset: String(offset) }];
  await withAdmin(cell.servicesKafka, (admin) => admin.setOffsets({ groupId, topic, partitions }));
}

test('a log that lost its end continues behind what it still holds, and nothing of it is processed again', async () => {
  const [whole, deletedFrom, lost] = [0, 1, 2];
  for (const partition of [whole, deletedFrom]) await append(partition, Array.from({ length: 6 }, newUuid));
  // Retention has deleted the first records.
  await withAdmin(cell.kafka, async (admin) => {
    // Loads the metadata, without which records cannot be deleted.
    await admin.fetchTopicOffsets(topics.submissions);
    const partitions = [{ partition: deletedFrom, offset: '4' }];
    await admin.deleteTopicRecords({ topic: topics.submissions, partitions });
  });
  const groupId = newUuid();
  const partitions = [whole, deletedFrom, lost];
  for (const partition of partitions) await setProcessed(partition, 10);
  await commitOffset(groupId, whole, 10);
  const options = { kafka: cell.kafka, owners: [cell.owner] as const, replicas: 1, groupId };
  expect((await remakeTopics(options)).restarted).toEqual(partitions);
  expect((await planRemake(options)).restarted).toEqual([]);

  // As long as before: what was committed of the lost end must not count.
  for (const partition of partitions) await append(partition, Array.from({ length: 6 }, newUuid));
  const positions = await readPartitionPositions(cell.owner, partitions);
  const processed = await processedOffsets(cell.kafka, groupId, topics.submissions);
  for (const [partition, { nextOffset, logStart }] of positions)
    expect(processed.get(partition) ?? 0).toBeLessThanOrEqual(nextOffset - logStart);
  const received = new Map<number, number[]>(partitions.map((partition) => [partition, []]));
  const losses: string[] = [];
  const consumer = await TopicConsumer.open({
    kafka: cell.kafka,
    groupId,
    topic: topics.submissions,
    partitionCount,
    logger: silentLogger,
    onAssigned: async () =>
      new Map([...positions].map(([partition, { nextOffset, logStart }]) => [partition, nextOffset - logStart])),
    onRecords(partition: number, records: readonly TopicRecord[]) {
      const { logStart } = positions.get(partition) ?? { logStart: 0 };
      received.get(partition)?.push(...records.map(({ offset }) => logStart + offset));
      return undefined;
    },
    onDataLoss: ({ message }) => losses.push(message),
  });
  const isComplete = (): boolean => [...received.values()].every(({ length }) => length >= 6);
  await eventually(() => isComplete() || losses.length > 0);
  await consumer.stop();
  expect(losses).toEqual([]);
  expect([...received.values()]).toEqual(Array(partitions.length).fill([10, 11, 12, 13, 14, 15]));
});

test('a rebuild continues a shortened log behind its last recorded submission, of which the log may hold a copy', async () => {
  const partition = 3;
  const [before, last, copied, undecided] = [newUuid(), newUuid(), newUuid(), newUuid()];
  // Shortened to one record when 10 were processed: the next one has position 10.
  await append(partition, [before, last, copied, undecided, copied]);
  const { high } = (await topicOffsets(cell.kafka, topics.submissions)).get(partition) ?? { high: 0 };
  expect(high).toBe(5);
  const logStart = async (offset: number, recent: readonly string[], recordedAt = 0): Promise<number | undefined> => {
    const starts = await findLogStarts({
      kafka: cell.kafka,
      codec: cell.submissionCodec,
      logger: silentLogger,
      progress: new Map([[partition, { sequence: 1, offset, recordedAt }]]),
      recent: new Map([[partition, recent]]),
    });
    return starts.get(partition);
  };
  expect(await logStart(10, [before, last])).toBe(9);
  expect(await logStart(11, [before, last, copied])).toBe(9);
  // The last recorded submissions are lost from the log.
  expect(await logStart(9, [before, newUuid()])).toBe(9);
  // It was made again after the last recorded submission, or holds what was decided before it.
  expect(await logStart(9, [newUuid()])).toBe(10);
  await expect(logStart(9, [newUuid()], 3_600_000_000)).rejects.toThrow(
    `partition ${partition} of lending.submissions holds submissions that were taken in before its last fact was recorded at 1970-01-01T01:00:00`,
  );
});

test('a consumer whose topic loses its end while it reads reports the loss, and passes no new record over', async () => {
  const partition = 4;
  await append(partition, Array.from({ length: 3 }, newUuid));
  const losses: string[] = [];
  let read = 0;
  const consumer = await TopicConsumer.open({
    kafka: cell.kafka,
    groupId: newUuid(),
    topic: topics.submissions,
    partitionCount,
    logger: silentLogger,
    onAssigned: async () => new Map([[partition, read]]),
    onRecords(_, records) {
      read += records.length;
      return undefined;
    },
    onDataLoss: ({ message }) => losses.push(message),
  });
  await eventually(() => read === 3);
  await cell.recreateTopics();
  const laterWriter = await TopicWriter.open(cell.kafka);
  const value = Buffer.from('new');
  await laterWriter.append({ topic: topics.submissions, partition, key: 'tenancy/c/ana', value });
  await eventually(() => losses.length > 0);
  expect(losses[0]).toMatch(/ends at offset [01], expected at least 3: records lost/);
  expect(read).toBe(3);
  await laterWriter.close();
  await consumer.stop();
});
