import { expect, test } from '@jest/globals';
import { topics } from '#libs/kafka/topics.ts';
import { choosePartitionCount, type FoundPartitions } from './choose-partition-count.ts';

const noTopics = { missing: Object.values(topics), partitions: undefined };
const topicsWith = (partitions: number) => ({ missing: [], partitions });
const used = { partitions: 12, isUsed: true };
const newCell: FoundPartitions = {
  requested: undefined,
  defaultPartitions: 48,
  inTopics: noTopics,
  inTables: { partitions: 0, isUsed: false },
};

test.each<[string, Partial<FoundPartitions>, number]>([
  ['a new cell has the default', {}, 48],
  ['a new cell has as many as requested', { requested: 6 }, 6],
  ['an unused cell may be prepared with another number', { requested: 6, inTables: { ...used, isUsed: false } }, 6],
  ['a cell in use keeps its number', { inTopics: topicsWith(12), inTables: used }, 12],
  ['a cell in use keeps its number after its topics were lost', { inTables: used }, 12],
  [
    'a cell in use keeps its number after a topic was lost',
    { inTopics: { missing: [topics.parked], partitions: 12 }, inTables: used },
    12,
  ],
  ['a new database gets as many as the topics have', { inTopics: topicsWith(24) }, 24],
  ['the number of an existing cell may be repeated', { requested: 24, inTopics: topicsWith(24) }, 24],
])('%s', (_, found, count) => {
  expect(choosePartitionCount({ ...newCell, ...found })).toBe(count);
});

test.each<[string, Partial<FoundPartitions>]>([
  ['topics', { inTopics: topicsWith(12) }],
  ['tables in use', { inTables: used }],
])('another number than that of the %s is refused', (_, found) => {
  expect(() => choosePartitionCount({ ...newCell, ...found, requested: 48 })).toThrow(
    'the cell has 12 partitions, not 48',
  );
});

test('topics of another cell than the database are refused', () => {
  expect(() => choosePartitionCount({ ...newCell, inTopics: topicsWith(24), inTables: used })).toThrow(
    'the topics have 24 partitions and the database has 12',
  );
});

test('a new cell does not take its number from a topic that another program may have created', () => {
  const found = { ...newCell, inTopics: { missing: [topics.submissions, topics.parked], partitions: 1 } };
  expect(() => choosePartitionCount(found)).toThrow(
    'lending.submissions, lending.parked must be created, the other topics have 1 partitions',
  );
  expect(choosePartitionCount({ ...found, requested: 1 })).toBe(1);
});
