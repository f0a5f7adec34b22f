import { expect, test } from '@jest/globals';
import type { Redis } from 'ioredis';
import type { Moment } from '#libs/calendar/moment.ts';
import { snapshotBytes } from '#libs/ledger/book-bytes.ts';
import { runToEnd, shortTask } from '#libs/ledger/cooperative-loop.ts';
import type { DeciderFor, LoadedBook } from './books.ts';
import { SnapshotCache } from './snapshot-cache.ts';

const text = '{"loans":[1,2]}\na fact';
const deciderFor = (() => ({
  encode: () => shortTask(() => text),
  decode: (stored: string) => shortTask(() => stored),
})) as unknown as DeciderFor;
// It is not asked for anything here.
const redis = { defineCommand: () => undefined } as unknown as Redis;
const snapshots = new SnapshotCache(redis, deciderFor);
const book: LoadedBook<unknown> = {
  tenantId: 'acme',
  bookId: 'c/1',
  book: text,
  sequence: 3,
  versionCount: 2,
  versionAt: 5 as Moment,
  recordedAt: 6 as Moment,
  dueFrom: 20_000,
  parked: false,
  snapshotSequence: 1,
  bytes: 123_456,
};

async function storedText(): Promise<string> {
  const [encoded] = await snapshots.encode([book]);
  return encoded?.text ?? '';
}

test('a book has the size with which it was stored', async () => {
  expect(runToEnd(snapshots.decode(book, await storedText()))).toEqual(book);
});

test('the size of a book that was stored without it is estimated from its text', async () => {
  const stored = (await storedText()).replace(',123456]', ']');
  const bytes = snapshotBytes(text, book.sequence);
  expect(runToEnd(snapshots.decode(book, stored))).toEqual({ ...book, bytes });
});
