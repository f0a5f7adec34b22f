import { createRequire } from 'node:module';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { bookKey, murmur2, partitionOf } from './book-key-partition.ts';

const kafkajsMurmur2 = createRequire(import.meta.url)('kafkajs/src/producer/partitioners/default/murmur2.js') as (
  key: Buffer,
) => number;

test("our hash of a book key is the one of Kafka's default partitioner", () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 140, unit: 'grapheme' }), (text) => {
      expect(murmur2(Buffer.from(text))).toBe(kafkajsMurmur2(Buffer.from(text)));
    }),
  );
});

test('the partition of a book never changes', () => {
  // Any other values would separate the books of existing cells from their facts.
  const keys = [bookKey('acme', 't'), bookKey('acme', 'c/ana'), bookKey('b', 'c/1')];
  expect(keys.map((key) => partitionOf(key, 12))).toEqual([5, 6, 3]);
  expect(keys.map((key) => partitionOf(key, 48))).toEqual([41, 6, 15]);
});

test('Clients are spread evenly over all partitions', () => {
  const counts = new Array<number>(12).fill(0);
  for (let client = 0; client < 12_000; client += 1) {
    const partition = partitionOf(bookKey('acme', `c/client-${client}`), counts.length);
    counts[partition] = (counts[partition] ?? 0) + 1;
  }
  for (const count of counts) expect(Math.abs(count - 1_000)).toBeLessThan(150);
});
