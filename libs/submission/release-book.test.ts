import { expect, test } from '@jest/globals';
import { releaseUntilEmpty } from './release-book.ts';

function releaseResult(left: number, ...submissions: [place: string, came_to: string][]) {
  return { released: left === 0, left, submissions: submissions.map(([place, came_to]) => ({ place, came_to })) };
}

/** A release that returns the results in turn, and the places each call drops. */
function releaseReturning(...results: (ReturnType<typeof releaseResult> | Error)[]) {
  const drops: (readonly string[])[] = [];
  const release = async (drop: readonly string[]) => {
    drops.push(drop);
    const result = results.shift();
    if (result === undefined || result instanceof Error) throw result;
    return result;
  };
  return { drops, release };
}

test('repeats the release until nothing waits, and drops each place once', async () => {
  const { drops, release } = releaseReturning(
    releaseResult(2, ['3/1/-1', 'dropped'], ['3/2/0', 'recorded']),
    releaseResult(1, ['3/3/0', 'refused']),
    releaseResult(0, ['3/4/0', 'dropped']),
  );
  expect(await releaseUntilEmpty(release, ['3/1/-1', '3/4/0'])).toEqual(
    releaseResult(0, ['3/1/-1', 'dropped'], ['3/2/0', 'recorded'], ['3/3/0', 'refused'], ['3/4/0', 'dropped']),
  );
  expect(drops).toEqual([['3/1/-1', '3/4/0'], ['3/4/0'], ['3/4/0']]);
});

test('stops when a submission parks the book again', async () => {
  const { drops, release } = releaseReturning(releaseResult(2, ['3/1/0', 'recorded'], ['3/2/0', 'parked']));
  expect(await releaseUntilEmpty(release, [])).toEqual(releaseResult(2, ['3/1/0', 'recorded'], ['3/2/0', 'parked']));
  expect(drops).toHaveLength(1);
});

test('returns the decided submissions when a later release fails', async () => {
  const { release } = releaseReturning(releaseResult(2, ['3/1/0', 'recorded']), new Error('refused: contended {}'));
  expect(await releaseUntilEmpty(release, [])).toEqual({
    ...releaseResult(2, ['3/1/0', 'recorded']),
    stopped: 'refused: contended {}',
  });
});

test('throws when the first release is refused', async () => {
  const { release } = releaseReturning(new Error('refused: not_found {}'));
  await expect(releaseUntilEmpty(release, [])).rejects.toThrow('not_found');
});
