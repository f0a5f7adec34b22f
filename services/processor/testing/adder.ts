import type { BookDecider } from '#libs/ledger/book-decider.ts';
import { shortTask } from '#libs/ledger/cooperative-loop.ts';
import { refuse } from '#libs/schema/refusals.ts';

/** A book that adds numbers, refuses to fall below zero and fails an assertion at thirteen. */
export const adder: BookDecider<number> = {
  empty: () => 0,
  decide(book, { body }, at) {
    const by = Number(body['by']);
    if (by === 13) throw new Error('assertion failed');
    if (book + by < 0) return refuse('invalid_event', { bound: 0, observed: book + by });
    const facts = [{ kind: 'added', body: JSON.stringify({ by }), counts: true }];
    return { facts, book: book + by, subject: String(at), answer: () => ({ status: 201, body: String(book + by) }) };
  },
  currentRecord: (book, _, recorded) => ({ status: 200, body: `${recorded.subject} ${book}` }),
  replay: (book, { body }) => book + (JSON.parse(body) as { by: number }).by,
  encode: (book) => shortTask(() => String(book)),
  decode: (text) => shortTask(() => Number(text)),
  derive: () => ({}),
};
