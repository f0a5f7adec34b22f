import { expect, test } from '@jest/globals';
import { DependencyUnavailableError } from '#libs/runtime/dependency-unavailable.ts';
import { type Following, follow } from './follow.ts';
import type { Told } from './tail.ts';

const one: Told = { number: 1, text: 'id: one\n\n' };

/** A tail of one event at most. */
function tailOf(events: readonly Told[]): Following['tail'] {
  return {
    after: async (number) => events.filter((told) => told.number > number),
    isPast: async () => false,
  };
}

async function firstPieces(following: Omit<Following, 'ends'>, many: number): Promise<string[]> {
  const ending = new AbortController();
  const pieces: string[] = [];
  for await (const piece of follow({ ...following, ends: ending.signal })) {
    pieces.push(piece);
    if (pieces.length === many) ending.abort();
  }
  return pieces;
}

test('a follower is told first how soon to come again, then what it lacks, then that the line is alive', async () => {
  const following = { tail: tailOf([one]), after: 0, isVouchedFor: () => true };
  expect(await firstPieces(following, 4)).toEqual(['retry: 2000\n\n', one.text, ':\n\n', ':\n\n']);
  expect(await firstPieces({ ...following, after: 1 }, 2)).toEqual(['retry: 2000\n\n', ':\n\n']);
});

test('nothing is told while nobody can vouch for the key, and nothing is lost by it', async () => {
  let asked = 0;
  const isVouchedFor = (): boolean => {
    asked += 1;
    return asked > 1;
  };
  const following = { tail: tailOf([one]), after: 0, isVouchedFor };
  expect(await firstPieces(following, 3)).toEqual(['retry: 2000\n\n', ':\n\n', one.text]);
});

test('a store that is away ends no stream, and what is our own fault does', async () => {
  const faults: Error[] = [new DependencyUnavailableError('feed_after'), new Error('ours')];
  const tail: Following['tail'] = {
    after: async () => {
      throw faults.shift() ?? new Error('asked once more');
    },
    isPast: async () => false,
  };
  const pieces = follow({ tail, after: 0, isVouchedFor: () => true, ends: new AbortController().signal });
  expect((await pieces.next()).value).toBe('retry: 2000\n\n');
  expect((await pieces.next()).value).toBe(':\n\n');
  await expect(pieces.next()).rejects.toThrow('ours');
});

test('a follower that comes as the instance stops is only told when to come again', async () => {
  const ended = AbortSignal.abort();
  const pieces: string[] = [];
  for await (const piece of follow({ tail: tailOf([one]), after: 0, isVouchedFor: () => true, ends: ended })) {
    pieces.push(piece);
  }
  expect(pieces).toEqual(['retry: 2000\n\n']);
});
