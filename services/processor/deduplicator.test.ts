import { expect, test } from '@jest/globals';
import type { Moment } from '#libs/calendar/moment.ts';
import { Deduplicator } from './deduplicator.ts';
import type { DecodedEntry, LogEntry } from './log-entry.ts';

const second = 1_000_000;
const now = 1_000 * second;

/** A request that takes one turn. */
function request(id: string, patienceEndsAt: number): LogEntry {
  const record = { request_id: id, patience_ends_at: patienceEndsAt };
  return { partition: 3, offset: 0, record, pending: [{}] } as unknown as DecodedEntry;
}

function isRepeat(repeats: Deduplicator, taken: LogEntry): boolean {
  const [told] = repeats.withoutRepeats([taken]) as DecodedEntry[];
  return told?.pending.length === 0;
}

function decided(repeats: Deduplicator, taken: readonly LogEntry[], at: number): void {
  repeats.decided(taken, at as Moment);
}

test('a request is known for as long as it is waited for, and no longer', () => {
  const repeats = new Deduplicator();
  const ana = request('ana', now + 2 * second);
  decided(repeats, [ana], now);
  expect(isRepeat(repeats, ana)).toBe(true);
  decided(repeats, [], now + 2 * second);
  expect(isRepeat(repeats, ana)).toBe(true);
  decided(repeats, [], now + 2 * second + 1);
  expect(isRepeat(repeats, ana)).toBe(false);
});

test('one whose clock is ahead is known for a minute, and those decided behind it no longer', () => {
  const repeats = new Deduplicator();
  const ahead = request('ahead', now + 3_600 * second);
  const ana = request('ana', now + 2 * second);
  decided(repeats, [ahead, ana], now);
  expect([ahead, ana].map((each) => isRepeat(repeats, each))).toEqual([true, true]);
  decided(repeats, [], now + 59 * second);
  expect(isRepeat(repeats, ahead)).toBe(true);
  decided(repeats, [], now + 61 * second);
  expect([ahead, ana].map((each) => isRepeat(repeats, each))).toEqual([false, false]);
});
