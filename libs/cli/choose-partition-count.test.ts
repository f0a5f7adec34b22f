import { expect, test } from '@jest/globals';
import { choosePartitionCount } from './choose-partition-count.ts';

const newCell = { requested: undefined, inTopics: undefined, inTables: 12, isUsed: false };

test.each([
  ['a new cell has 48', newCell, 48],
  ['a new cell has as many as requested', { ...newCell, requested: 6 }, 6],
  ['a cell in use keeps its number after its topics were lost', { ...newCell, isUsed: true }, 12],
  ['a new database gets as many as the topics have', { ...newCell, inTopics: 24 }, 24],
  ['the number of an existing cell may be repeated', { ...newCell, requested: 24, inTopics: 24 }, 24],
])('%s', (_, found, count) => {
  expect(choosePartitionCount(found)).toBe(count);
});

test.each([
  ['topics', { ...newCell, requested: 48, inTopics: 12 }],
  ['tables in use', { ...newCell, requested: 48, isUsed: true }],
])('another number than that of the %s is refused', (_, found) => {
  expect(() => choosePartitionCount(found)).toThrow('the cell has 12 partitions, not 48');
});

test('topics of another cell than the database are refused', () => {
  expect(() => choosePartitionCount({ ...newCell, inTopics: 24, isUsed: true })).toThrow(
    'the topics have 24 partitions and the database has 12',
  );
});
