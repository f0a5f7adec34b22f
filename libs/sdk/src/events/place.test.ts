import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { BookEvent } from './book-event.ts';
import { beginning, EventsMissing, OutOfPlace, type Position, place, type Read } from './place.ts';

const event = (sequence: bigint, partition = 3) => ({ partition, sequence }) as BookEvent;
const records = (sequences: readonly number[]): Read[] =>
  sequences.map((sequence, at) => ({ offset: BigInt(at), event: event(BigInt(sequence)) }));

/** A topic in which each event follows the last, now and then some of them once more. */
const repeating = fc.array(fc.nat(4), { minLength: 1, maxLength: 60 }).map((backs) => {
  const sequences: number[] = [];
  let last = 0;
  for (const back of backs) {
    const from = Math.max(1, last + 1 - back);
    for (let sequence = from; sequence <= last + 1; sequence += 1) sequences.push(sequence);
    last += 1;
  }
  return { sequences, last };
});

test('whatever is told twice and wherever the reading is cut and taken up again, every event is taken once, in order', () => {
  fc.assert(
    fc.property(
      repeating,
      fc.infiniteStream(fc.record({ size: fc.integer({ min: 1, max: 7 }), lost: fc.boolean() })),
      (topic, cuts) => {
        const all = records(topic.sequences);
        const taken: bigint[] = [];
        let kept: Position = beginning;
        for (let losses = 0; kept.offset < all.length; ) {
          const { size, lost } = cuts.next().value as { size: number; lost: boolean };
          const from = Number(kept.offset);
          const placed = place(3, kept, all.slice(from, from + size));
          // A crash before the commit: what was done is undone with the position, and comes again.
          if (lost && losses < 40) {
            losses += 1;
            continue;
          }
          taken.push(...placed.events.map(({ sequence }) => sequence));
          kept = placed.position;
        }
        expect(taken).toEqual(Array.from({ length: topic.last }, (_, at) => BigInt(at + 1)));
      },
    ),
  );
});

test('an event that does not follow is refused, and what came before it in the same reading is not half taken', () => {
  expect(() => place(3, beginning, records([1, 2, 4]))).toThrow(EventsMissing);
  expect(() => place(3, { sequence: 6n, offset: 9n }, records([9]))).toThrow('tells event 9 where 7 is due');
});

test('a topic that was made anew is read from its beginning, and what was taken of the old one is dropped', () => {
  const { events, position } = place(3, { sequence: 2n, offset: 0n }, records([1, 2, 3]));
  expect(events.map(({ sequence }) => sequence)).toEqual([3n]);
  expect(position).toEqual({ sequence: 3n, offset: 3n });
});

test('an event of another partition is refused: the topic was not copied as it is', () => {
  expect(() => place(3, beginning, [{ offset: 0n, event: event(1n, 4) }])).toThrow(OutOfPlace);
});
