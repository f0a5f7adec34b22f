import { describe, expect, test } from '@jest/globals';
import type { BookEvent, BookEventCodec } from '#libs/kafka/book-event.ts';
import { checkContinuation, PublishedPartition } from './published-partition.ts';

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

const codec = {
  decode: (value: Buffer) => ({ sequence: BigInt(value.toString()) }) as BookEvent,
} as BookEventCodec;

/** The known end is event 3 at offset 2, which is read again with what follows it. */
function check(...numbers: readonly number[]) {
  const records = numbers.map((number, index) => ({ offset: 2 + index, value: Buffer.from(String(number)) }));
  const tail = { records, firstOffset: 0, nextOffset: 2 + numbers.length };
  return checkContinuation(codec, tail, { sequence: 3, nextOffset: 3 });
}

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
});
