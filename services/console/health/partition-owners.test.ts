import { expect, test } from '@jest/globals';
import { partitionOwners, rangesText } from './partition-owners.ts';
import type { DatabaseHealth } from './read-health.ts';

const partition = (number: number, owner: string | null): DatabaseHealth['partitions'][number] => ({
  partition: number,
  owner,
  epoch: 1,
  takenOverAt: null,
  nextOffset: 10,
  logStart: 0,
  nextEvent: 5,
});
const partitions = [partition(0, 'b'), partition(1, 'a'), partition(2, 'b'), partition(3, null)];
const database = { partitions } as unknown as DatabaseHealth;

test('partitions are listed by owner, those without one first, with their sums', () => {
  const numbers = partitions.map(({ partition: number }) => number);
  const topics = {
    readAt: 0,
    submissionEnds: new Map(numbers.map((number) => [number, 10 + number])),
    lastEvents: new Map(numbers.map((number) => [number, 4])),
    partitionsWithoutReplica: 0,
  };
  expect(partitionOwners({ database, topics })).toEqual([
    { owner: null, partitions: [3], lag: 3, unpublished: 0 },
    { owner: 'a', partitions: [1], lag: 1, unpublished: 0 },
    { owner: 'b', partitions: [0, 2], lag: 2, unpublished: 0 },
  ]);
});

test('without an answer of Kafka the sums are not known', () => {
  const [first] = partitionOwners({ database, topics: undefined });
  expect(first).toMatchObject({ lag: undefined, unpublished: undefined });
});

test('numbers that follow one another are a range', () => {
  expect(rangesText([0, 1, 2, 5, 7, 8])).toBe('0–2, 5, 7–8');
  expect(rangesText([])).toBe('');
});
