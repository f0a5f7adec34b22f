import { expect, test } from '@jest/globals';
import { partitionOwners, rangesText } from './partition-owners.ts';
import type { Backlog } from './partition-progress.ts';
import type { PartitionState } from './read-health.ts';

const state = (partition: number, owner: string | null): PartitionState => ({
  partition,
  owner,
  epoch: 1,
  takenOverAt: null,
});
const states = [state(0, 'b'), state(1, 'a'), state(2, 'b'), state(3, null)];
const backlog = (waiting: number): Backlog => ({ waiting, position: 10, unchangedSince: 0 });

test('partitions are listed by owner, those without one first, with their sums', () => {
  const progress = states.map(
    ({ partition }) => [partition, { undecided: backlog(partition), unpublished: backlog(0) }] as const,
  );
  expect(partitionOwners(states, new Map(progress))).toEqual([
    { owner: null, partitions: [3], undecided: 3, unpublished: 0 },
    { owner: 'a', partitions: [1], undecided: 1, unpublished: 0 },
    { owner: 'b', partitions: [0, 2], undecided: 2, unpublished: 0 },
  ]);
  expect(partitionOwners(states, new Map(progress.slice(1))).at(-1)).toMatchObject({ undecided: undefined });
});

test('without an answer of Kafka the sums are not known', () => {
  const [first] = partitionOwners(states, undefined);
  expect(first).toMatchObject({ undecided: undefined, unpublished: undefined });
});

test('numbers that follow one another are a range', () => {
  expect(rangesText([0, 1, 2, 5, 7, 8])).toBe('0–2, 5, 7–8');
  expect(rangesText([])).toBe('');
});
