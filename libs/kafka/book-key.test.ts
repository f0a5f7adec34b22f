import { createRequire } from 'node:module';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { bookKey, murmur2, partitionCount, partitionOf } from '#libs/kafka/book-key.ts';

const kafkas = createRequire(import.meta.url)('kafkajs/src/producer/partitioners/default/murmur2.js') as (
  key: Buffer,
) => number;

test("a book stands where Kafka's own hash puts its key", () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 140, unit: 'grapheme' }), (text) => {
      expect(murmur2(Buffer.from(text))).toBe(kafkas(Buffer.from(text)));
    }),
  );
});

test('the partition of a book never changes', () => {
  // Written down once: a change of these would move every book of every cell away from its facts.
  expect([bookKey('acme', 't'), bookKey('acme', 'c/ana'), bookKey('b', 'c/1')].map(partitionOf)).toEqual([5, 6, 3]);
  expect(partitionCount).toBe(12);
});

test('Clients spread over all partitions', () => {
  const many = new Array<number>(partitionCount).fill(0);
  for (let client = 0; client < 12_000; client += 1)
    many[partitionOf(bookKey('acme', `c/client-${client}`))] =
      (many[partitionOf(bookKey('acme', `c/client-${client}`))] ?? 0) + 1;
  for (const count of many) expect(Math.abs(count - 1_000)).toBeLessThan(150);
});
