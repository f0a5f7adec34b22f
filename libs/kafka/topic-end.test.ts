import { describe, expect, test } from '@jest/globals';
import { checkContinuation, checkEnd, findHighest, type TopicEnd } from './topic-end.ts';
import type { TopicTail } from './topic-offsets.ts';

interface TailOptions {
  /** The offset of the first record that was read. */
  readonly from?: number;
  readonly firstOffset?: number;
}

function tailOf(numbers: readonly number[], { from = 2, firstOffset = 0 }: TailOptions = {}) {
  const records = numbers.map((number, index) => ({ offset: from + index, value: { sequence: BigInt(number) } }));
  return { records, firstOffset, nextOffset: from + numbers.length };
}

/** The known end is number 3 at offset 2, which is read again with what follows it. */
const check = (...numbers: readonly number[]) => checkContinuation(tailOf(numbers), { sequence: 3, nextOffset: 3 });

describe('what follows the known end of the topic', () => {
  test('may be the next numbers and repeats of earlier ones', async () => {
    expect(await check(3, 2, 3, 4, 5)).toMatchObject({ sequence: 5 });
  });

  test('has a gap where a number is left out', async () => {
    expect(await check(3, 4, 6)).toMatchObject({ sequence: 4, missing: 5 });
  });

  test('is not trusted where a later number is in the place of a published one', async () => {
    expect(await check(4, 5)).toMatchObject({ sequence: 3, replaced: 4 });
  });

  test('has a gap where the known end is the first record that is still stored', async () => {
    const tail = tailOf([3, 4], { firstOffset: 2 });
    expect(await checkContinuation(tail, { sequence: 3, nextOffset: 3 })).toMatchObject({ missing: 1 });
  });
});

describe('what the end of the topic holds, where nothing of it is known', () => {
  test('ends with the highest number, and may repeat earlier ones', async () => {
    const found = await findHighest(tailOf([4, 5, 6, 4, 5, 7, 6]), 2);
    expect(found).toEqual({ last: { sequence: 7n }, sequence: 7 });
  });

  test('has a gap where a number is left out', async () => {
    expect(await findHighest(tailOf([4, 5, 8, 9, 11]), 2)).toMatchObject({ sequence: 11, missing: 6 });
  });

  test('has a gap where the first record that is still stored is not number 1', async () => {
    expect(await findHighest(tailOf([1, 2], { from: 0 }), 0)).not.toHaveProperty('missing');
    expect(await findHighest(tailOf([4, 5], { from: 6, firstOffset: 6 }), 6)).toMatchObject({ missing: 1 });
  });

  test('has no gap where the number is in front of what is checked', async () => {
    const tail = tailOf([6, 7, 8, 3, 4, 9]);
    expect(await findHighest(tailOf([3, 4, 9], { from: 5 }), 5)).toMatchObject({ missing: 5 });
    expect(await findHighest(tail, 5)).toEqual({ last: { sequence: 9n }, sequence: 9 });
  });
});

describe('the end of a partition', () => {
  const known: TopicEnd = { sequence: 6, nextOffset: 6 };
  const continued = (tail: TopicTail<{ sequence: bigint }>) => checkEnd(tail, known, async () => tail);

  test('is not continued where it is before the end that was known', async () => {
    const found = { last: undefined, sequence: 6, nextOffset: 4, isShorter: true };
    expect(await continued(tailOf([4], { from: 3 }))).toEqual(found);
  });

  test('is not continued where records were appended behind a lost end', async () => {
    expect(await continued(tailOf([10, 11, 12], { from: 5 }))).toMatchObject({ replaced: 10 });
  });

  test('begins again where all records were removed', async () => {
    const empty = { records: [], firstOffset: 6, nextOffset: 6 };
    expect(await continued(empty)).toEqual({ last: undefined, sequence: 0, nextOffset: 6 });
    const again = tailOf([1, 2], { from: 6, firstOffset: 6 });
    expect(await continued(again)).toMatchObject({ sequence: 2, nextOffset: 8 });
  });

  test('has no gap where the number is in front of repeats that fill the tail', async () => {
    const found = (...longer: readonly number[]) =>
      checkEnd(tailOf([4, 5, 7], { from: 3 }), undefined, async () => tailOf(longer, { from: 1 }));
    expect(await found(5, 6, 4, 5, 7)).toEqual({ last: { sequence: 7n }, sequence: 7, nextOffset: 6 });
    expect(await found(4, 5, 4, 5, 7)).toMatchObject({ missing: 6 });
  });
});
