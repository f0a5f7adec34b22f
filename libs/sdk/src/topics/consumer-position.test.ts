import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  EventsMissingError,
  type NumberedRecord,
  OutOfPlaceError,
  type Position,
  type ReceivedRecord,
  selectNewRecords,
  startPosition,
} from './consumer-position.ts';

const record = (sequence: bigint, partition = 3) => ({ partition, sequence });
const records = (sequences: readonly number[]): ReceivedRecord<NumberedRecord>[] =>
  sequences.map((sequence, at) => ({ offset: BigInt(at), record: record(BigInt(sequence)) }));

/** Sequences of a topic without gaps, with some events repeated. */
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

test('every event is processed once and in order, whatever is repeated and wherever reading is interrupted', () => {
  fc.assert(
    fc.property(
      repeating,
      fc.infiniteStream(fc.record({ size: fc.integer({ min: 1, max: 7 }), lost: fc.boolean() })),
      (topic, cuts) => {
        const all = records(topic.sequences);
        const processed: bigint[] = [];
        let stored: Position = startPosition;
        for (let losses = 0; stored.offset < all.length; ) {
          const { size, lost } = cuts.next().value as { size: number; lost: boolean };
          const from = Number(stored.offset);
          const result = selectNewRecords(3, stored, all.slice(from, from + size));
          // A crash before the commit: the effects and the position are lost together.
          if (lost && losses < 40) {
            losses += 1;
            continue;
          }
          processed.push(...result.records.map(({ sequence }) => sequence));
          stored = result.position;
        }
        expect(processed).toEqual(Array.from({ length: topic.last }, (_, at) => BigInt(at + 1)));
      },
    ),
  );
});

test('a gap is an error for the whole batch of records', () => {
  expect(() => selectNewRecords(3, startPosition, records([1, 2, 4]))).toThrow(EventsMissingError);
  expect(() => selectNewRecords(3, { sequence: 6n, offset: 9n }, records([9]))).toThrow('holds record 9, expected 7');
});

test('a recreated topic is read from its beginning, and processed events are dropped', () => {
  const { records: selected, position } = selectNewRecords(3, { sequence: 2n, offset: 0n }, records([1, 2, 3]));
  expect(selected.map(({ sequence }) => sequence)).toEqual([3n]);
  expect(position).toEqual({ sequence: 3n, offset: 3n });
});

test('an event of another partition is an error', () => {
  expect(() => selectNewRecords(3, startPosition, [{ offset: 0n, record: record(1n, 4) }])).toThrow(OutOfPlaceError);
});
