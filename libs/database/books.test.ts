import { expect, test } from '@jest/globals';
import type { Moment } from '#libs/calendar/moment.ts';
import type { BookDecider, StoredFact } from '#libs/ledger/book-decider.ts';
import { replayFacts } from './books.ts';

const decider = { replay: (facts: number) => facts + 1 } as unknown as BookDecider<unknown>;

function partsOf(factCount: number, bytes: number): { readonly parts: number; readonly book: unknown } {
  const fact: StoredFact = { sequence: 1, kind: 'receipt_reported', body: '{}', recordedAt: 0 as Moment };
  const task = replayFacts(
    decider,
    { book: 0, bytes },
    Array.from({ length: factCount }, () => fact),
  );
  for (let parts = 1; ; parts += 1) {
    const { done, value } = task.next();
    if (done === true) return { parts, book: value.book };
  }
}

test('a short book is replayed in one part', () => {
  expect(partsOf(16, 2_048)).toEqual({ parts: 1, book: 16 });
});

test('each fact of a large book is a part', () => {
  expect(partsOf(16, 1_000_000)).toEqual({ parts: 17, book: 16 });
});
