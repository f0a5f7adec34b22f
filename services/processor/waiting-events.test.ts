import { expect, test } from '@jest/globals';
import { type EventOut, WaitingEvents } from './waiting-events.ts';

const mebibyte = 1024 * 1024;

function event(sequence: number, { body = '{}', evidence = 0 } = {}): EventOut {
  const carried = { 'lending.Evidence': { body: Buffer.alloc(evidence) } };
  return { sequence, body, evidence: evidence === 0 ? null : carried } as unknown as EventOut;
}

function waiting(...events: EventOut[]): WaitingEvents {
  const all = new WaitingEvents();
  for (const each of events) all.put(each);
  return all;
}

function taken(all: WaitingEvents, published: number, most = 10_000): number[] {
  return all.takeAfter(published, most).map(({ sequence }) => sequence);
}

function sequences(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, at) => from + at);
}

test('events are taken in their order from behind the last that was published, each once', () => {
  const all = waiting(...sequences(5, 9).map((sequence) => event(sequence)));
  expect(taken(all, 5, 2)).toEqual([6, 7]);
  expect(taken(all, 7)).toEqual([8, 9]);
  expect(taken(all, 9)).toEqual([]);
});

test('none is taken where one before it is missing: that has to be read back', () => {
  expect(taken(waiting(event(5)), 3)).toEqual([]);
  const behind = waiting(event(5), event(8), event(9));
  expect(taken(behind, 4)).toEqual([]);
  expect(taken(behind, 7)).toEqual([8, 9]);
});

test('no more than four thousand wait', () => {
  expect(taken(waiting(...sequences(1, 4_001).map((sequence) => event(sequence))), 0)).toEqual(sequences(1, 4_000));
});

test('nor more than eight mebibytes of what they hold, but for the last of them', () => {
  const long = { body: 'x'.repeat(mebibyte) };
  expect(taken(waiting(...sequences(1, 9).map((sequence) => event(sequence, long))), 0)).toEqual(sequences(1, 8));
  const proved = { evidence: 3 * mebibyte };
  expect(taken(waiting(...sequences(1, 4).map((sequence) => event(sequence, proved))), 0)).toEqual(sequences(1, 3));
});

test('what was taken makes room, and so does what is dropped because one before it is missing', () => {
  const long = { body: 'x'.repeat(mebibyte) };
  const all = waiting(...sequences(1, 8).map((sequence) => event(sequence, long)));
  expect(taken(all, 0, 6)).toEqual(sequences(1, 6));
  for (const sequence of sequences(9, 14)) all.put(event(sequence, long));
  expect(taken(all, 6)).toEqual(sequences(7, 14));
  for (const sequence of sequences(20, 27)) all.put(event(sequence, long));
  for (const sequence of sequences(30, 37)) all.put(event(sequence, long));
  expect(taken(all, 29)).toEqual(sequences(30, 37));
});
