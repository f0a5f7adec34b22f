import { expect, test } from '@jest/globals';
import type { BookEvent } from '#libs/kafka/book-event.ts';
import { UnpublishedEventBuffer } from './unpublished-event-buffer.ts';

const mebibyte = 1024 * 1024;

function event(sequence: number, { body = '{}', evidence = 0 } = {}): BookEvent<number> {
  const carried = { 'lending.Evidence': { body: Buffer.alloc(evidence) } };
  return { sequence, body, evidence: evidence === 0 ? null : carried } as unknown as BookEvent<number>;
}

function pendingOf(...events: BookEvent<number>[]): UnpublishedEventBuffer {
  const pending = new UnpublishedEventBuffer(8 * mebibyte);
  for (const each of events) pending.add(each);
  return pending;
}

function taken(pending: UnpublishedEventBuffer, published: number, most = 10_000): number[] {
  return pending.takeAfter(published, most).map(({ sequence }) => sequence);
}

function sequences(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, at) => from + at);
}

test('events are taken in order after the last published one, each once', () => {
  const pending = pendingOf(...sequences(5, 9).map((sequence) => event(sequence)));
  expect(taken(pending, 5, 2)).toEqual([6, 7]);
  expect(taken(pending, 7)).toEqual([8, 9]);
  expect(taken(pending, 9)).toEqual([]);
});

test('no event is taken across a gap: the missing events must be read from Postgres', () => {
  expect(taken(pendingOf(event(5)), 3)).toEqual([]);
  const behind = pendingOf(event(5), event(8), event(9));
  expect(taken(behind, 4)).toEqual([]);
  expect(taken(behind, 7)).toEqual([8, 9]);
});

test('at most 4,000 events are kept', () => {
  expect(taken(pendingOf(...sequences(1, 4_001).map((sequence) => event(sequence))), 0)).toEqual(sequences(1, 4_000));
});

test('at most 8 MiB are kept; the event that reaches the bound is the last', () => {
  const long = { body: 'x'.repeat(mebibyte) };
  expect(taken(pendingOf(...sequences(1, 9).map((sequence) => event(sequence, long))), 0)).toEqual(sequences(1, 8));
  const proved = { evidence: 3 * mebibyte };
  expect(taken(pendingOf(...sequences(1, 4).map((sequence) => event(sequence, proved))), 0)).toEqual(sequences(1, 3));
});

test('taken events make room, and so do events dropped because of a gap', () => {
  const long = { body: 'x'.repeat(mebibyte) };
  const pending = pendingOf(...sequences(1, 8).map((sequence) => event(sequence, long)));
  expect(taken(pending, 0, 6)).toEqual(sequences(1, 6));
  for (const sequence of sequences(9, 14)) pending.add(event(sequence, long));
  expect(taken(pending, 6)).toEqual(sequences(7, 14));
  for (const sequence of sequences(20, 27)) pending.add(event(sequence, long));
  for (const sequence of sequences(30, 37)) pending.add(event(sequence, long));
  expect(taken(pending, 29)).toEqual(sequences(30, 37));
});
