/** `lending reconcile` after retention deleted submissions that no processor had decided. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readPartitionPositions } from '#libs/database/partitions.ts';
import { readTopicTails, withAdmin } from '#libs/kafka/topic-offsets.ts';
import { TopicWriter } from '#libs/kafka/topic-writer.ts';
import { topics } from '#libs/kafka/topics.ts';
import { silentLogger } from '#libs/runtime/logging.ts';
import { newUuid } from '#libs/runtime/uuid.ts';
import { reconcile } from '#libs/verify/repair/reconcile.ts';
import { testEnvironment } from '#test/support/tenant.ts';
import { ScratchCell } from './scratch-cell.ts';
import { addRecord } from './sum-book.ts';

const partition = 3;

let cell: ScratchCell;
beforeAll(async () => {
  cell = await ScratchCell.open();
});
afterAll(() => cell.close());

test('what is left is submitted again, and processors continue behind it', async () => {
  const requestIds = Array.from({ length: 6 }, newUuid);
  const writer = await TopicWriter.open(cell.kafka);
  for (const requestId of requestIds) {
    const value = cell.submissionCodec.encode({
      ...addRecord({ bookId: 'c/ana', by: 1, requestId }),
      patience_ends_at: 0,
    });
    await writer.append({ topic: topics.submissions, partition, key: 'tenancy/c/ana', value });
  }
  await writer.close();
  await cell.owner.query('UPDATE partitions SET next_offset = 2 WHERE partition = $1', [partition]);
  await withAdmin(cell.kafka, async (admin) => {
    // Loads the metadata, without which records cannot be deleted.
    await admin.fetchTopicOffsets(topics.submissions);
    await admin.deleteTopicRecords({ topic: topics.submissions, partitions: [{ partition, offset: '4' }] });
  });

  const { schemaRegistryUrl } = testEnvironment().stack;
  const result = await reconcile({ kafka: cell.kafka, schemaRegistryUrl, owner: cell.owner, logger: silentLogger });

  expect(result).toMatchObject({ importedFacts: 0, resubmitted: 2, partitionsWithGap: [partition] });
  const positions = await readPartitionPositions(cell.owner, [partition]);
  expect(positions.get(partition)).toMatchObject({ nextOffset: 6, logStart: 0 });
  const tails = await readTopicTails(cell.kafka, topics.submissions, [partition], () => 6);
  const records = tails.get(partition)?.records ?? [];
  const resubmitted = await Promise.all(records.map(({ value }) => cell.submissionCodec.decode(value)));
  expect(resubmitted.map(({ request_id }) => request_id)).toEqual(requestIds.slice(4));
});
