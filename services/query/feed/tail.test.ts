import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { FeedEvent } from '#libs/database/read-feed.ts';
import { DependencyUnavailableError } from '#libs/runtime/dependency-unavailable.ts';
import { follow } from './follow.ts';
import { FeedTail } from './tail.ts';

/** A feed that grows when it is told to, and the tail of it from its end. */
class Feed {
  readonly events: FeedEvent[] = [];
  readonly faults: unknown[] = [];
  isAway = false;
  reads = 0;

  grow(many: number): void {
    for (let nth = 0; nth < many; nth += 1) {
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

  tail(): FeedTail {
    return new FeedTail({
      end: this.events.length,
      read: async (after, most) => {
        await undefined;
        this.reads += 1;
        if (this.isAway) throw new DependencyUnavailableError('feed_after');
        return this.events.filter(({ number }) => number > after).slice(0, most);
      },
      render: ({ number }) => `id: ${number}\n\n`,
      onFault: (cause) => this.faults.push(cause),
    });
  }
}

const vouched = { isVouchedFor: () => true, heartbeatMs: 60_000 };

/** The numbers a follower is told until it has the last there is. */
async function numbersUntil(tail: FeedTail, after: number, last: () => number): Promise<number[]> {
  const ending = new AbortController();
  const numbers: number[] = [];
  for await (const piece of follow({ tail, after, ends: ending.signal, ...vouched })) {
    for (const [, number] of piece.matchAll(/^id: (\d+)$/gm)) numbers.push(Number(number));
    if ((numbers.at(-1) ?? after) >= last()) ending.abort();
  }
  return numbers;
}

test('whoever follows from anywhere is told every later event once and in order, however the feed grows meanwhile', async () => {
  const growth = fc.array(fc.integer({ min: 1, max: 700 }), { minLength: 1, maxLength: 6 });
  const starts = fc.array(fc.nat(400), { minLength: 1, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(fc.nat(400), growth, starts, async (before, grown, from) => {
      const feed = new Feed();
      feed.grow(before);
      const total = before + grown.reduce((sum, many) => sum + many, 0);
      const tail = feed.tail();
      const followers = from.map((after) => numbersUntil(tail, Math.min(after, total - 1), () => total));
      for (const many of grown) {
        await new Promise(setImmediate);
        feed.grow(many);
        tail.look();
      }
      for (const [at, numbers] of (await Promise.all(followers)).entries()) {
        const after = Math.min(from[at] ?? 0, total - 1);
        expect(numbers).toEqual(Array.from({ length: total - after }, (_, nth) => after + 1 + nth));
      }
    }),
    { numRuns: 40 },
  );
});

test('what is new is read once, however many follow', async () => {
  const feed = new Feed();
  const tail = feed.tail();
  const followers = Array.from({ length: 16 }, () => numbersUntil(tail, 0, () => 50));
  await new Promise(setImmediate);
  feed.grow(50);
  tail.look();
  for (const numbers of await Promise.all(followers)) expect(numbers).toHaveLength(50);
  expect(feed.reads).toBe(1);
});

test('a look that fails is told, and the next one finds what it would have found', async () => {
  const feed = new Feed();
  const tail = feed.tail();
  feed.grow(3);
  feed.isAway = true;
  tail.look();
  await new Promise(setImmediate);
  expect(feed.faults).toHaveLength(1);
  feed.isAway = false;
  tail.look();
  expect(await numbersUntil(tail, 0, () => 3)).toEqual([1, 2, 3]);
});
