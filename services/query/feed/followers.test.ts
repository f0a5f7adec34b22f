import { afterEach, expect, test } from '@jest/globals';
import type { KeyRing, RegisteredKey } from '#libs/auth/key-ring.ts';
import { DependencyUnavailableError } from '#libs/runtime/dependency-unavailable.ts';
import { isRefusal } from '#libs/schema/refusals.ts';
import { type Follower, Followers } from './followers.ts';

let followers: Followers;
afterEach(() => followers.close());

const standing = {} as RegisteredKey;

function ringOf(find: (fp: string) => RegisteredKey | undefined): KeyRing {
  return { find, tenancy: () => undefined } as KeyRing;
}

function entered(follower: ReturnType<Followers['enter']>): Follower {
  if (isRefusal(follower)) throw new Error(`refused: ${follower.code}`);
  return follower;
}

function ended(follower: Follower): Promise<void> {
  return new Promise((resolve) => follower.ends.addEventListener('abort', () => resolve()));
}

test('a Tenancy follows the feed so many times at once, each of its own, and again when one has left', () => {
  followers = new Followers(
    ringOf(() => standing),
    new AbortController().signal,
  );
  const leaving = new AbortController();
  const enter = (tenantId: string, gone = new AbortController().signal) =>
    followers.enter({ tenantId, fp: 'a', bound: 2, gone });
  entered(enter('acme', leaving.signal));
  entered(enter('acme'));
  expect(enter('acme')).toMatchObject({ code: 'too_many_concurrent', details: { bound: 2 }, retryAfter: 1 });
  entered(enter('vivid'));
  expect(followers.size).toBe(3);
  leaving.abort();
  entered(enter('acme'));
  // Who was gone before it was let in holds no place.
  entered(enter('vivid', AbortSignal.abort()));
  expect(followers.size).toBe(3);
});

test('a key that is revoked ends its streams and no others', async () => {
  const keys = new Map([
    ['a', standing],
    ['b', standing],
  ]);
  followers = new Followers(
    ringOf((fp) => keys.get(fp)),
    new AbortController().signal,
  );
  const enter = (fp: string) =>
    entered(followers.enter({ tenantId: 'acme', fp, bound: 16, gone: new AbortController().signal }));
  const [a, b] = [enter('a'), enter('b')];
  expect(a.isVouchedFor()).toBe(true);
  keys.delete('a');
  expect(a.isVouchedFor()).toBe(false);
  await ended(a);
  expect(b.ends.aborted).toBe(false);
});

test('where nobody can vouch for a key its stream waits', () => {
  followers = new Followers(
    ringOf(() => {
      throw new DependencyUnavailableError('keys');
    }),
    new AbortController().signal,
  );
  const gone = new AbortController().signal;
  const follower = entered(followers.enter({ tenantId: 'acme', fp: 'a', bound: 16, gone }));
  expect(follower.isVouchedFor()).toBe(false);
  expect(follower.ends.aborted).toBe(false);
});

test('an instance that stops ends every stream, those too that come too late', () => {
  const stopping = new AbortController();
  followers = new Followers(
    ringOf(() => standing),
    stopping.signal,
  );
  const enter = () =>
    entered(followers.enter({ tenantId: 'acme', fp: 'a', bound: 16, gone: new AbortController().signal }));
  const early = enter();
  stopping.abort();
  expect(early.ends.aborted).toBe(true);
  expect(enter().ends.aborted).toBe(true);
});
