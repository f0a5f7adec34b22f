import { expect, test } from '@jest/globals';
import { DependencyUnavailableError } from '#libs/runtime/dependency.ts';
import { type FollowOptions, followFeed } from './follow.ts';
import type { RenderedEvent } from './tail.ts';

const event: RenderedEvent = { number: 1, source: 0, position: [1], text: 'id: one\n\n' };
const retryField = 'retry: 2000\n\n';
const heartbeat = ':\n\n';

function tailOf(events: readonly RenderedEvent[]): FollowOptions['tail'] {
  return {
    after: async ([number = 0]) => events.filter((each) => each.number > number),
    waitForEvent: async () => false,
  };
}

async function firstChunks(options: Omit<FollowOptions, 'endSignal'>, count: number): Promise<string[]> {
  const end = new AbortController();
  const chunks: string[] = [];
  for await (const chunk of followFeed({ ...options, endSignal: end.signal })) {
    chunks.push(chunk);
    if (chunks.length === count) end.abort();
  }
  return chunks;
}

test('a stream starts with the retry time, then sends the missing events, then heartbeats', async () => {
  const options = { tail: tailOf([event]), after: [0], isKeyValid: () => true };
  expect(await firstChunks(options, 4)).toEqual([retryField, event.text, heartbeat, heartbeat]);
  expect(await firstChunks({ ...options, after: [1] }, 2)).toEqual([retryField, heartbeat]);
});

test('no event is sent while the key cannot be verified, and none is lost', async () => {
  let checks = 0;
  const isKeyValid = (): boolean => {
    checks += 1;
    return checks > 1;
  };
  const options = { tail: tailOf([event]), after: [0], isKeyValid };
  expect(await firstChunks(options, 3)).toEqual([retryField, heartbeat, event.text]);
});

test('an unavailable database does not end the stream; any other error does', async () => {
  const errors: Error[] = [new DependencyUnavailableError('feed_after'), new Error('a defect')];
  const tail: FollowOptions['tail'] = {
    after: async () => {
      throw errors.shift() ?? new Error('unexpected call');
    },
    waitForEvent: async () => false,
  };
  const chunks = followFeed({ tail, after: [0], isKeyValid: () => true, endSignal: new AbortController().signal });
  expect((await chunks.next()).value).toBe(retryField);
  expect((await chunks.next()).value).toBe(heartbeat);
  await expect(chunks.next()).rejects.toThrow('a defect');
});

test('a stream opened while the instance stops sends only the retry time', async () => {
  const options = { tail: tailOf([event]), after: [0], isKeyValid: () => true, endSignal: AbortSignal.abort() };
  const chunks: string[] = [];
  for await (const chunk of followFeed(options)) chunks.push(chunk);
  expect(chunks).toEqual([retryField]);
});
