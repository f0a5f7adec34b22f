import { expect, test } from '@jest/globals';
import { inPortions } from './books.ts';

function portion(left: number, ...submissions: [place: string, came_to: string][]) {
  return { released: left === 0, left, submissions: submissions.map(([place, came_to]) => ({ place, came_to })) };
}

/** Answers in turn, and what each release was to drop. */
function answering(...answers: (ReturnType<typeof portion> | Error)[]) {
  const drops: (readonly string[])[] = [];
  const release = async (drop: readonly string[]) => {
    drops.push(drop);
    const answer = answers.shift();
    if (answer === undefined || answer instanceof Error) throw answer;
    return answer;
  };
  return { drops, release };
}

test('a book is released again and again until nothing is left, and a place is dropped once', async () => {
  const { drops, release } = answering(
    portion(2, ['3/1/-1', 'dropped'], ['3/2/0', 'recorded']),
    portion(1, ['3/3/0', 'refused']),
    portion(0, ['3/4/0', 'dropped']),
  );
  expect(await inPortions(release, ['3/1/-1', '3/4/0'])).toEqual(
    portion(0, ['3/1/-1', 'dropped'], ['3/2/0', 'recorded'], ['3/3/0', 'refused'], ['3/4/0', 'dropped']),
  );
  expect(drops).toEqual([['3/1/-1', '3/4/0'], ['3/4/0'], ['3/4/0']]);
});

test('what breaks again is not released again', async () => {
  const { drops, release } = answering(portion(2, ['3/1/0', 'recorded'], ['3/2/0', 'parked']));
  expect(await inPortions(release, [])).toEqual(portion(2, ['3/1/0', 'recorded'], ['3/2/0', 'parked']));
  expect(drops).toHaveLength(1);
});

test('what was decided is told though what is left could not be', async () => {
  const { release } = answering(portion(2, ['3/1/0', 'recorded']), new Error('refused: contended {}'));
  expect(await inPortions(release, [])).toEqual({
    ...portion(2, ['3/1/0', 'recorded']),
    stopped: 'refused: contended {}',
  });
});

test('a release that was not taken at all is told as it is', async () => {
  const { release } = answering(new Error('refused: not_found {}'));
  await expect(inPortions(release, [])).rejects.toThrow('not_found');
});
