import { expect, test } from '@jest/globals';
import { dayOf } from '#libs/calendar/civil-day.ts';
import { calendarsOf } from '#libs/ledger/calendars.ts';
import { Desk, kind, money } from '#libs/ledger/client/testing/desk.ts';
import { atOnce } from '#libs/ledger/cooperative-loop.ts';
import { bookInPieces } from './book-answer.ts';
import type { ClientBook } from './client-book.ts';

test('of a long book each Receipt is read, and each answered, in a piece of its own', () => {
  const desk = new Desk();
  desk.register();
  desk.issue('loan-1');
  for (let nth = 0; nth < 100; nth += 1) {
    desk.ask('reportReceipt', { reference: `r-${nth}`, client_id: 'c-1', amount: money(1), value_date: '2025-03-01' });
  }
  const book = kind.decode(kind.encode(desk.book)) as ClientBook;
  const question = { on: dayOf('2025-06-01'), homeCurrency: 'MXN', calendars: calendarsOf() };
  const work = bookInPieces(book, question);
  let pieces = 0;
  let step = work.next();
  for (; step.done !== true; step = work.next()) pieces += 1;
  expect(pieces).toBeGreaterThan(200);
  expect(step.value).toEqual(atOnce(bookInPieces(desk.book, question)));
});
