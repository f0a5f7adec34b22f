import { expect, test } from '@jest/globals';
import { OfferedMovements } from './offered-movements.ts';

function offer(sequences: readonly number[], bytes = 10): OfferedMovements {
  const offered = new OfferedMovements();
  for (const sequence of sequences)
    offered.add({ partition: 0, sequence, key: `key ${sequence}`, value: Buffer.alloc(bytes) });
  return offered;
}

const keys = (messages: readonly { readonly key: string }[]): string[] => messages.map(({ key }) => key);

test('movements are taken in order, without a gap, and only those of facts that are known to be committed', () => {
  const offered = offer([4, 5, 6, 8, 9]);
  expect(keys(offered.takeAfter(4, 9, 1_000))).toEqual(['key 5', 'key 6']);
  expect(offered.takeAfter(6, 9, 1_000)).toEqual([]);
  expect(offered.countMissingAfter(6)).toBe(1);
  expect(keys(offered.takeAfter(7, 8, 1_000))).toEqual(['key 8']);
  expect(keys(offered.takeAfter(8, 9, 1_000))).toEqual(['key 9']);
  expect(offered.countMissingAfter(9)).toBe(Number.POSITIVE_INFINITY);
});

test('a batch has at least one movement and no more bytes than it may', () => {
  const offered = offer([1, 2, 3], 100);
  expect(keys(offered.takeAfter(0, 3, 50))).toEqual(['key 1']);
  expect(keys(offered.takeAfter(1, 3, 200))).toEqual(['key 2', 'key 3']);
});

test('what does not fit is not kept, and room is made by what is published', () => {
  const offered = offer([1, 2, 3], 1024 * 1024);
  expect(offered.takeAfter(0, 3, Number.POSITIVE_INFINITY)).toHaveLength(2);
  offered.add({ partition: 0, sequence: 4, key: 'key 4', value: Buffer.alloc(1024 * 1024) });
  expect(offered.countMissingAfter(2)).toBe(1);
});
