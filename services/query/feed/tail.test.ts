import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { atPositions } from '#libs/database/merge-pages.ts';
import type { FeedEventRow } from '#libs/database/read-feed.ts';
import { DependencyUnavailableError } from '#libs/runtime/dependency.ts';
import { followFeed } from './follow.ts';
import { FeedTail } from './tail.ts';

/** A feed in memory that grows on request. */
class FakeFeed {
  readonly events: FeedEventRow[] = [];
  readonly errors: unknown[] = [];
  isUnavailable = false;
  readCount = 0;

  grow(count: number): void {
    for (let added = 0; added < count; added += 1) {
      this.events.push({
        number: this.events.length + 1,
        event_id: 'e',
        loan_id: 'l',
        kind: 'issued',
        occurred_on: 0,
        recorded_at: 0,
        merchant_ref: null,
      });
    }
  }

  openTail(): FeedTail {
    return new FeedTail({
      end: [this.events.length],
      read: async ([after = 0], limit) => {
        await undefined;
        this.readCount += 1;
        if (this.isUnavailable) throw new DependencyUnavailableError('feed_after');
        return atPositions(this.events.filter(({ number }) => number > after).slice(0, limit));
      },
      render: ({ number }) => `id: ${number}\n\n`,
      onError: (cause) => this.errors.push(cause),
    });
  }
}

const follower = { isKeyValid: () => true, heartbeatMs: 60_000 };

/** The numbers a follower receives until it has the last one. */
async function receivedNumbers(tail: FeedTail, after: number, last: number): Promise<number[]> {
  const end = new AbortController();
  const numbers: number[] = [];
  for await (const chunk of followFeed({ tail, after: [after], endSignal: end.signal, ...follower })) {
    for (const [, number] of chunk.matchAll(/^id: (\d+)$/gm)) numbers.push(Number(number));
    if ((numbers.at(-1) ?? after) >= last) end.abort();
  }
  return numbers;
}

test('a follower receives every later event once and in order, from any position, while the feed grows', async () => {
  const growth = fc.array(fc.integer({ min: 1, max: 700 }), { minLength: 1, maxLength: 6 });
  const positions = fc.array(fc.nat(400), { minLength: 1, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(fc.nat(400), growth, positions, async (initial, growths, starts) => {
      const feed = new FakeFeed();
      feed.grow(initial);
      const total = initial + growths.reduce((sum, count) => sum + count, 0);
      const tail = feed.openTail();
      const followers = starts.map((after) => receivedNumbers(tail, Math.min(after, total - 1), total));
      for (const count of growths) {
        await new Promise(setImmediate);
        feed.grow(count);
        tail.refresh();
      }
      for (const [index, numbers] of (await Promise.all(followers)).entries()) {
        const after = Math.min(starts[index] ?? 0, total - 1);
        expect(numbers).toEqual(Array.from({ length: total - after }, (_, offset) => after + 1 + offset));
      }
    }),
    { numRuns: 40 },
  );
});

test('new events are read once for all followers', async () => {
  const feed = new FakeFeed();
  const tail = feed.openTail();
  const followers = Array.from({ length: 16 }, () => receivedNumbers(tail, 0, 50));
  await new Promise(setImmediate);
  feed.grow(50);
  tail.refresh();
  for (const numbers of await Promise.all(followers)) expect(numbers).toHaveLength(50);
  expect(feed.readCount).toBe(1);
});

test('a failed refresh is reported, and the next one reads what it missed', async () => {
  const feed = new FakeFeed();
  const tail = feed.openTail();
  feed.grow(3);
  feed.isUnavailable = true;
  tail.refresh();
  await new Promise(setImmediate);
  expect(feed.errors).toHaveLength(1);
  feed.isUnavailable = false;
  tail.refresh();
  expect(await receivedNumbers(tail, 0, 3)).toEqual([1, 2, 3]);
});
