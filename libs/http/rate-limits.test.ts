import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { TenancyBounds } from '#libs/auth/key-ring.ts';
import { defaultBounds, type Permit, type RateLimitClock, RateLimiter } from '#libs/http/rate-limits.ts';
import { isRefusal, type Refusal } from '#libs/schema/refusals.ts';

/** A clock advanced by the test; due timers run while it advances. */
class ManualClock implements RateLimitClock {
  #now = 0;
  readonly #timers = new Set<{ readonly at: number; readonly callback: () => void }>();

  now(): number {
    return this.#now;
  }

  callAfter(ms: number, callback: () => void): () => void {
    const timer = { at: this.#now + ms, callback };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  advance(ms: number): void {
    this.#now += ms;
    for (const timer of this.#timers) {
      if (timer.at > this.#now) continue;
      this.#timers.delete(timer);
      timer.callback();
    }
  }

  get timers(): number {
    return this.#timers.size;
  }
}

const bounds: TenancyBounds = { maxConcurrent: 2, maxWaitMs: 2000, requestsPerSecond: 10, burst: 20 };
const outcomeOf = (outcome: Permit | Refusal): string => (isRefusal(outcome) ? outcome.code : 'permit');

function acquired(outcome: Permit | Refusal | Promise<Permit | Refusal>): Permit {
  if (outcome instanceof Promise || isRefusal(outcome)) throw new Error('no permit was available');
  return outcome;
}

test('the default bounds are the published ones', () => {
  expect(defaultBounds).toEqual({ maxConcurrent: 16, maxWaitMs: 2000, requestsPerSecond: 50, burst: 100 });
});

test('admits a burst, then requests at the rate; the refusal names the rate and when to retry', async () => {
  const clock = new ManualClock();
  const rateLimiter = new RateLimiter(clock);
  const acquireAndRelease = async (): Promise<string> => {
    const outcome = await rateLimiter.acquire('acme', bounds);
    if (!isRefusal(outcome)) outcome.release();
    return outcomeOf(outcome);
  };
  for (let at = 0; at < 20; at += 1) expect(await acquireAndRelease()).toBe('permit');
  expect(await rateLimiter.acquire('acme', bounds)).toMatchObject({
    code: 'rate_exceeded',
    status: 429,
    retry: 'as_is',
    retryAfter: 1,
    details: { bound: 10 },
  });
  clock.advance(99);
  expect(await acquireAndRelease()).toBe('rate_exceeded');
  clock.advance(1);
  expect(await acquireAndRelease()).toBe('permit');
  expect(await acquireAndRelease()).toBe('rate_exceeded');
  clock.advance(60_000);
  for (let at = 0; at < 20; at += 1) expect(await acquireAndRelease()).toBe('permit');
  expect(await acquireAndRelease()).toBe('rate_exceeded');
});

test('Retry-After is in whole seconds and never zero', async () => {
  const rateLimiter = new RateLimiter(new ManualClock());
  const slow = { ...bounds, requestsPerSecond: 0.25, burst: 1 };
  acquired(rateLimiter.acquire('acme', slow));
  expect(await rateLimiter.acquire('acme', slow)).toMatchObject({ retryAfter: 4 });
});

test('a request without a free permit waits in line, at most for the configured time', async () => {
  const clock = new ManualClock();
  const rateLimiter = new RateLimiter(clock);
  const first = acquired(rateLimiter.acquire('acme', bounds));
  const second = acquired(rateLimiter.acquire('acme', bounds));
  const third = rateLimiter.acquire('acme', bounds);
  const fourth = rateLimiter.acquire('acme', bounds);
  clock.advance(1999);
  first.release();
  expect(outcomeOf(await third)).toBe('permit');
  clock.advance(1);
  expect(await fourth).toMatchObject({
    code: 'too_many_concurrent',
    status: 429,
    retryAfter: 1,
    details: { bound: 2 },
  });
  second.release();
  expect(outcomeOf(await rateLimiter.acquire('acme', bounds))).toBe('permit');
  expect(clock.timers).toBe(0);
});

test('a permit released twice is returned once', async () => {
  const rateLimiter = new RateLimiter(new ManualClock());
  const first = acquired(rateLimiter.acquire('acme', bounds));
  acquired(rateLimiter.acquire('acme', bounds));
  first.release();
  first.release();
  acquired(rateLimiter.acquire('acme', bounds));
  expect(rateLimiter.acquire('acme', bounds)).toBeInstanceOf(Promise);
});

test('Tenancies do not wait for each other', () => {
  const rateLimiter = new RateLimiter(new ManualClock());
  acquired(rateLimiter.acquire('acme', bounds));
  acquired(rateLimiter.acquire('acme', bounds));
  expect(rateLimiter.acquire('acme', bounds)).toBeInstanceOf(Promise);
  acquired(rateLimiter.acquire('vivid', bounds));
});

test('raised bounds admit a waiting request when the next permit is released', async () => {
  const rateLimiter = new RateLimiter(new ManualClock());
  const first = acquired(rateLimiter.acquire('acme', bounds));
  acquired(rateLimiter.acquire('acme', bounds));
  const waiting = rateLimiter.acquire('acme', bounds);
  acquired(rateLimiter.acquire('acme', { ...bounds, maxConcurrent: 4 }));
  first.release();
  expect(outcomeOf(await waiting)).toBe('permit');
});

test('permits in use never exceed the bound, and requests within it never wait', async () => {
  const step = fc.oneof(
    fc.record({ do: fc.constant('acquire' as const) }),
    fc.record({ do: fc.constant('release' as const), which: fc.nat(20) }),
    fc.record({ do: fc.constant('wait' as const), ms: fc.integer({ min: 1, max: 1500 }) }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      const clock = new ManualClock();
      const rateLimiter = new RateLimiter(clock);
      const permits: Permit[] = [];
      const free = { maxConcurrent: 3, maxWaitMs: 1000, requestsPerSecond: 1e9, burst: 1e9 };
      for (const step of steps) {
        if (step.do === 'wait') clock.advance(step.ms);
        else if (step.do === 'release') permits.splice(step.which % Math.max(1, permits.length), 1)[0]?.release();
        else {
          const before = permits.length;
          const outcome = rateLimiter.acquire('acme', free);
          if (before < 3) expect(outcome).not.toBeInstanceOf(Promise);
          void Promise.resolve(outcome).then((outcome) => isRefusal(outcome) || permits.push(outcome));
        }
        await new Promise(setImmediate);
        expect(permits.length).toBeLessThanOrEqual(3);
      }
    }),
    { numRuns: 50 },
  );
});
