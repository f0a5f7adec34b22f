import { expect, test } from '@jest/globals';
import type { Moment } from '#libs/calendar/moment.ts';
import type { Database } from '#libs/database/database.ts';
import { Deduplicator } from './deduplicator.ts';
import type { DecodedEntry, LogEntry } from './log-entry.ts';

const noDatabase = {} as Database;
const second = 1_000_000;
const now = 1_000 * second;

/** A decoded entry with one item. */
function request(id: string, deadline: number): LogEntry {
  const record = { request_id: id, patience_ends_at: deadline };
  return { partition: 3, offset: 0, record, items: [{}] } as unknown as DecodedEntry;
}

function isRepeat(deduplicator: Deduplicator, candidate: LogEntry): boolean {
  const [entry] = deduplicator.withoutRepeats([candidate]) as DecodedEntry[];
  return entry?.items.length === 0;
}

function remember(deduplicator: Deduplicator, entries: readonly LogEntry[], at: number): void {
  deduplicator.remember(entries, at as Moment);
}

test('a request is remembered until its deadline and no longer', () => {
  const deduplicator = new Deduplicator(noDatabase);
  const ana = request('ana', now + 2 * second);
  remember(deduplicator, [ana], now);
  expect(isRepeat(deduplicator, ana)).toBe(true);
  remember(deduplicator, [], now + 2 * second);
  expect(isRepeat(deduplicator, ana)).toBe(true);
  remember(deduplicator, [], now + 2 * second + 1);
  expect(isRepeat(deduplicator, ana)).toBe(false);
});

test('a request with a deadline far in the future is remembered for a minute', () => {
  const deduplicator = new Deduplicator(noDatabase);
  const ahead = request('ahead', now + 3_600 * second);
  const ana = request('ana', now + 2 * second);
  remember(deduplicator, [ahead, ana], now);
  expect([ahead, ana].map((each) => isRepeat(deduplicator, each))).toEqual([true, true]);
  remember(deduplicator, [], now + 59 * second);
  expect(isRepeat(deduplicator, ahead)).toBe(true);
  remember(deduplicator, [], now + 61 * second);
  expect([ahead, ana].map((each) => isRepeat(deduplicator, each))).toEqual([false, false]);
});
