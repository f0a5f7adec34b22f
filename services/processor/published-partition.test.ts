import { describe, expect, test } from '@jest/globals';
import type { BookEvent, BookEventCodec } from '#libs/kafka/book-event.ts';
import { checkContinuation, highestEvent, PublishedPartition } from './published-partition.ts';

describe('committed events that are not published', () => {
  test('are counted by the last known end while the end must be read again', () => {
    const partition = new PublishedPartition(0, 2_080);
    partition.setEnd({ sequence: 4, nextOffset: 4 });
    expect(partition.unpublishedEvents).toBe(2_076);
    partition.forgetEnd();
    expect(partition.unpublishedEvents).toBe(2_076);
  });

  test('are at least one in a stopped partition', () => {
    const partition = new PublishedPartition(0, 4);
    partition.setEnd({ sequence: 4, nextOffset: 4 });
    expect(partition.unpublishedEvents).toBe(0);
    partition.stop();
    expect(partition.unpublishedEvents).toBe(1);
  });
});

test('the first event that waits is the one after the last known end, also while the end must be read again', () => {
  const partition = new PublishedPartition(0, 6);
  expect(partition.firstUnpublished).toBeUndefined();
  partition.setEnd({ sequence: 4, nextOffset: 4 });
  partition.forgetEnd();
  expect(partition.firstUnpublished).toBe(5);
  partition.setEnd({ sequence: 6, nextOffset: 6 });
  expect(partition.firstUnpublished).toBeUndefined();
});

describe('a stopped partition', () => {
  test('counts as stopped until a check of it found nothing', () => {
    const partition = new PublishedPartition(0, 4);
    partition.stop();
    expect(partition).toMatchObject({ isStopped: true, isPaused: true, hasWork: false });
    partition.recheck();
    expect(partition).toMatchObject({ isStopped: true, isPaused: false, hasWork: true });
    partition.setEnd({ sequence: 4, nextOffset: 4 });
    expect(partition).toMatchObject({ isStopped: true, hasWork: true });
    partition.resume();
    expect(partition).toMatchObject({ isStopped: false, hasWork: false });
  });

  test('stays stopped where the check finds the same', () => {
    const partition = new PublishedPartition(0, 4);
    partition.stop();
    partition.recheck();
    partition.stop();
    expect(partition).toMatchObject({ isStopped: true, isPaused: true, hasWork: false });
  });
});

const codec = {
  decode: (value: Buffer) => ({ sequence: BigInt(value.toString()) }) as BookEvent,
} as BookEventCodec;

interface TailOptions {
  /** The offset of the first record that was read. */
  readonly from?: number;
  readonly firstOffset?: number;
}

function tailOf(numbers: readonly number[], { from = 2, firstOffset = 0 }: TailOptions = {}) {
  const records = numbers.map((number, index) => ({ offset: from + index, value: Buffer.from(String(number)) }));
  return { records, firstOffset, nextOffset: from + numbers.length };
}

/** The known end is event 3 at offset 2, which is read again with what follows it. */
const check = (...numbers: readonly number[]) =>
  checkContinuation(codec, tailOf(numbers), { sequence: 3, nextOffset: 3 });

describe('what follows the known end of the topic', () => {
  test('may be the next events and repeats of earlier ones', async () => {
    expect(await check(3, 2, 3, 4, 5)).toMatchObject({ sequence: 5 });
  });

  test('has a gap where a number is left out', async () => {
    expect(await check(3, 4, 6)).toMatchObject({ sequence: 4, missing: 5 });
  });

  test('is not trusted where a later event is in the place of a published one', async () => {
    expect(await check(4, 5)).toMatchObject({ sequence: 3, replaced: 4 });
  });

  test('has a gap where the known end is the first record that is still stored', async () => {
    const tail = tailOf([3, 4], { firstOffset: 2 });
    expect(await checkContinuation(codec, tail, { sequence: 3, nextOffset: 3 })).toMatchObject({ missing: 1 });
  });
});

describe('what the end of the topic holds, where nothing of it is known', () => {
  test('ends with the highest event, and may repeat earlier ones', async () => {
    const found = await highestEvent(codec, tailOf([4, 5, 6, 4, 5, 7, 6]), 2);
    expect(found).toEqual({ last: { sequence: 7n }, sequence: 7 });
  });

  test('has a gap where a number is left out', async () => {
    expect(await highestEvent(codec, tailOf([4, 5, 8, 9, 11]), 2)).toMatchObject({ sequence: 11, missing: 6 });
  });

  test('has a gap where the first record that is still stored is not event 1', async () => {
    expect(await highestEvent(codec, tailOf([1, 2], { from: 0 }), 0)).not.toHaveProperty('missing');
    expect(await highestEvent(codec, tailOf([4, 5], { from: 6, firstOffset: 6 }), 6)).toMatchObject({ missing: 1 });
  });

  test('has no gap where the number is in front of what is checked', async () => {
    const tail = tailOf([6, 7, 8, 3, 4, 9]);
    expect(await highestEvent(codec, tailOf([3, 4, 9], { from: 5 }), 5)).toMatchObject({ missing: 5 });
    expect(await highestEvent(codec, tail, 5)).toEqual({ last: { sequence: 9n }, sequence: 9 });
  });
});
