import { afterEach, expect, jest, test } from '@jest/globals';
import { readProgress } from './partition-progress.ts';

afterEach(() => {
  jest.useRealTimers();
});

/** A partition that takes in, decides and publishes so many facts between any two of the reads. */
function movingPartition(factsPerRead: number, { undecided = 0, unpublished = 0 } = {}) {
  let submitted = 1_000;
  const next = <Result>(result: () => Result): Promise<Result> => {
    submitted += factsPerRead;
    return Promise.resolve(result());
  };
  const decided = () => submitted - undecided;
  return {
    readSubmissionEnds: () => next(() => new Map([[0, submitted]])),
    readPositions: () => next(() => new Map([[0, { nextOffset: decided(), nextEvent: decided() + 1, logStart: 0 }]])),
    readLastEvents: () => next(() => new Map([[0, decided() - unpublished]])),
  };
}

async function waitingIn(sources: Parameters<typeof readProgress>[0]): Promise<readonly unknown[]> {
  const progress = (await readProgress(sources)).partitions.get(0);
  return [progress?.undecided.waiting, progress?.unpublished.waiting];
}

test('of a busy partition that is up to date nothing waits', async () => {
  expect(await waitingIn(movingPartition(1_200))).toEqual([0, 0]);
});

test('what waits in a busy partition is counted, except what was done during the reading', async () => {
  expect(await waitingIn(movingPartition(10, { undecided: 500, unpublished: 300 }))).toEqual([490, 290]);
});

test('positions count on from the records before the present topic', async () => {
  const sources = {
    readSubmissionEnds: async () => new Map([[0, 7]]),
    readPositions: async () => new Map([[0, { nextOffset: 105, nextEvent: 1, logStart: 100 }]]),
    readLastEvents: async () => new Map([[0, 0]]),
  };
  expect(await waitingIn(sources)).toEqual([2, 0]);
});

test('a partition of a database that does not answer is left out', async () => {
  const { partitions } = await readProgress({ ...movingPartition(0), readPositions: async () => new Map() });
  expect(partitions.size).toBe(0);
});

test('a backlog is unchanged since the first reading after which the partition has not moved', async () => {
  jest.useFakeTimers({ now: 1_000 });
  const standing = movingPartition(0, { undecided: 5 });
  const first = await readProgress(standing);
  jest.setSystemTime(31_000);
  const second = await readProgress(standing, first);
  // Nothing waits to be published.
  expect(second.partitions.get(0)).toMatchObject({
    undecided: { unchangedSince: 1_000 },
    unpublished: { unchangedSince: 31_000 },
  });
  jest.setSystemTime(61_000);
  expect((await readProgress(standing, second)).partitions.get(0)?.undecided.unchangedSince).toBe(1_000);
  const moved = await readProgress(movingPartition(1, { undecided: 5 }), second);
  expect(moved.partitions.get(0)?.undecided.unchangedSince).toBe(61_000);
});
