import { afterEach, expect, test } from '@jest/globals';
import type { KeyRing, RegisteredKey } from '#libs/auth/key-ring.ts';
import { DependencyUnavailableError } from '#libs/runtime/dependency.ts';
import { isRefusal } from '#libs/schema/refusals.ts';
import { OpenStreams, type StreamPermit } from './open-streams.ts';

let followers: OpenStreams;
afterEach(() => followers.close());

const registeredKey = {} as RegisteredKey;

function keyRingWith(find: (fp: string) => RegisteredKey | undefined): KeyRing {
  return { find, lastKnownTenancyId: () => undefined };
}

function accepted(follower: ReturnType<OpenStreams['add']>): StreamPermit {
  if (isRefusal(follower)) throw new Error(`refused: ${follower.code}`);
  return follower;
}

function ended(follower: StreamPermit): Promise<void> {
  return new Promise((resolve) => follower.endSignal.addEventListener('abort', () => resolve()));
}

test('streams are limited per Tenancy, and a disconnected one makes room', () => {
  followers = new OpenStreams(
    keyRingWith(() => registeredKey),
    new AbortController().signal,
  );
  const disconnect = new AbortController();
  const add = (tenantId: string, disconnected = new AbortController().signal) =>
    followers.add({ tenantId, fp: 'a', maxStreams: 2, disconnected });
  accepted(add('acme', disconnect.signal));
  accepted(add('acme'));
  expect(add('acme')).toMatchObject({ code: 'too_many_concurrent', details: { bound: 2 }, retryAfter: 1 });
  accepted(add('vivid'));
  expect(followers.size).toBe(3);
  disconnect.abort();
  accepted(add('acme'));
  // A caller that disconnected before it was added does not count.
  accepted(add('vivid', AbortSignal.abort()));
  expect(followers.size).toBe(3);
});

test('revoking a key ends its streams and no others', async () => {
  const keys = new Map([
    ['a', registeredKey],
    ['b', registeredKey],
  ]);
  followers = new OpenStreams(
    keyRingWith((fp) => keys.get(fp)),
    new AbortController().signal,
  );
  const add = (fp: string) =>
    accepted(followers.add({ tenantId: 'acme', fp, maxStreams: 16, disconnected: new AbortController().signal }));
  const [a, b] = [add('a'), add('b')];
  expect(a.isKeyValid()).toBe(true);
  keys.delete('a');
  expect(a.isKeyValid()).toBe(false);
  await ended(a);
  expect(b.endSignal.aborted).toBe(false);
});

test('while the keys are unknown a stream stays open and its key does not count as valid', () => {
  followers = new OpenStreams(
    keyRingWith(() => {
      throw new DependencyUnavailableError('keys');
    }),
    new AbortController().signal,
  );
  const disconnected = new AbortController().signal;
  const follower = accepted(followers.add({ tenantId: 'acme', fp: 'a', maxStreams: 16, disconnected }));
  expect(follower.isKeyValid()).toBe(false);
  expect(follower.endSignal.aborted).toBe(false);
});

test('stopping the instance ends every stream, also those added afterwards', () => {
  const stopping = new AbortController();
  followers = new OpenStreams(
    keyRingWith(() => registeredKey),
    stopping.signal,
  );
  const add = () =>
    accepted(followers.add({ tenantId: 'acme', fp: 'a', maxStreams: 16, disconnected: new AbortController().signal }));
  const early = add();
  stopping.abort();
  expect(early.endSignal.aborted).toBe(true);
  expect(add().endSignal.aborted).toBe(true);
});
