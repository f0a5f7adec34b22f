import { expect, test } from '@jest/globals';
import type { Moment } from '#libs/calendar/moment.ts';
import { type ClientBook, emptyClientBook, withStoredFact } from '#libs/ledger/client/client-book.ts';
import { calendarsOf } from '#libs/product/markets/registry.ts';
import { KnownBooks } from './known-books.ts';

const calendars = calendarsOf();
const moment = '2026-03-01T00:00:00.000000Z';

function registered(book: ClientBook, at: string): ClientBook {
  const recordedAt = (Date.parse(at) * 1_000) as Moment;
  return withStoredFact(book, { kind: 'registered', body: '{"actor":"ana","basis":"signed"}', recordedAt }, calendars);
}

test('several questions about one moment fold the book once, until a fact is added', () => {
  const books = new KnownBooks(1_000_000);
  const book = registered(emptyClientBook('lender', 'maria'), '2026-02-01T00:00:00Z');
  const known = books.at(book, moment, calendars);
  expect(known.registration).toBeDefined();
  expect(books.at(book, moment, calendars)).toBe(known);

  expect(books.at(book, '2026-01-01T00:00:00.000000Z', calendars).registration).toBeUndefined();
  expect(books.at({ ...book, sequence: 2 }, moment, calendars)).not.toBe(known);
  expect(books.at({ ...book, clientId: 'juan' }, moment, calendars)).not.toBe(known);
  expect(books.at({ ...book, tenantId: 'other' }, moment, calendars)).not.toBe(known);
});

test('no more books are stored than the bytes allow', () => {
  const books = new KnownBooks(1);
  const book = emptyClientBook('lender', 'maria');
  expect(books.at(book, moment, calendars)).not.toBe(books.at(book, moment, calendars));
});
