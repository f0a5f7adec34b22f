import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type Bounds, type Clock, defaultBounds, type Permit, Turnstiles } from '#libs/http/rate-limits.ts';
import { isRefusal, type Refusal } from '#libs/schema/refusals.ts';

/** A clock moved by hand: alarms ring while it moves. */
class HandClock implements Clock {
  #now = 0;
  readonly #alarms = new Set<{ readonly at: number; readonly call: () => void }>();

  now(): number {
    return this.#now;
  }

  after(ms: number, call: () => void): () => void {
    const alarm = { at: this.#now + ms, call };
    this.#alarms.add(alarm);
    return () => this.#alarms.delete(alarm);
  }

  move(ms: number): void {
    this.#now += ms;
    for (const alarm of this.#alarms) {
      if (alarm.at > this.#now) continue;
      this.#alarms.delete(alarm);
      alarm.call();
    }
  }

  get alarms(): number {
    return this.#alarms.size;
  }
}

const bounds: Bounds = { concurrent: 2, patienceMs: 2000, perSecond: 10, burst: 20 };
const codeOf = (entered: Permit | Refusal): string => (isRefusal(entered) ? entered.code : 'in');

function held(entered: Permit | Refusal | Promise<Permit | Refusal>): Permit {
  if (entered instanceof Promise || isRefusal(entered)) throw new Error('no place was free');
  return entered;
}

test('the default bounds are the published ones', () => {
  expect(defaultBounds).toEqual({ concurrent: 16, patienceMs: 2000, perSecond: 50, burst: 100 });
});

test('a burst is let through whole, then the rate, and the refusal names the rate and when to come again', async () => {
  const clock = new HandClock();
  const turnstiles = new Turnstiles(clock);
  const knock = async (): Promise<string> => {
    const entered = await turnstiles.enter('acme', bounds);
    if (!isRefusal(entered)) entered.leave();
    return codeOf(entered);
  };
  for (let at = 0; at < 20; at += 1) expect(await knock()).toBe('in');
  expect(await turnstiles.enter('acme', bounds)).toMatchObject({
    code: 'rate_exceeded',
    status: 429,
    retry: 'as_is',
    retryAfter: 1,
    details: { bound: 10 },
  });
  clock.move(99);
  expect(await knock()).toBe('rate_exceeded');
  clock.move(1);
  expect(await knock()).toBe('in');
  expect(await knock()).toBe('rate_exceeded');
  clock.move(60_000);
  for (let at = 0; at < 20; at += 1) expect(await knock()).toBe('in');
  expect(await knock()).toBe('rate_exceeded');
});

test('a slow rate is told in whole seconds, never zero', async () => {
  const turnstiles = new Turnstiles(new HandClock());
  const slow = { ...bounds, perSecond: 0.25, burst: 1 };
  held(turnstiles.enter('acme', slow));
  expect(await turnstiles.enter('acme', slow)).toMatchObject({ retryAfter: 4 });
});

test('who finds no place waits in line for as long as its patience', async () => {
  const clock = new HandClock();
  const turnstiles = new Turnstiles(clock);
  const first = held(turnstiles.enter('acme', bounds));
  const second = held(turnstiles.enter('acme', bounds));
  const third = turnstiles.enter('acme', bounds);
  const fourth = turnstiles.enter('acme', bounds);
  clock.move(1999);
  first.leave();
  expect(codeOf(await third)).toBe('in');
  clock.move(1);
  expect(await fourth).toMatchObject({
    code: 'too_many_concurrent',
    status: 429,
    retryAfter: 1,
    details: { bound: 2 },
  });
  second.leave();
  expect(codeOf(await turnstiles.enter('acme', bounds))).toBe('in');
  expect(clock.alarms).toBe(0);
});

test('a place is given back once, however often it is left', async () => {
  const turnstiles = new Turnstiles(new HandClock());
  const first = held(turnstiles.enter('acme', bounds));
  held(turnstiles.enter('acme', bounds));
  first.leave();
  first.leave();
  held(turnstiles.enter('acme', bounds));
  expect(turnstiles.enter('acme', bounds)).toBeInstanceOf(Promise);
});

test('one Tenancy waiting is no matter of another', () => {
  const turnstiles = new Turnstiles(new HandClock());
  held(turnstiles.enter('acme', bounds));
  held(turnstiles.enter('acme', bounds));
  expect(turnstiles.enter('acme', bounds)).toBeInstanceOf(Promise);
  held(turnstiles.enter('vivid', bounds));
});

test('bounds that were raised let in who is waiting as the next one leaves', async () => {
  const turnstiles = new Turnstiles(new HandClock());
  const first = held(turnstiles.enter('acme', bounds));
  held(turnstiles.enter('acme', bounds));
  const waiting = turnstiles.enter('acme', bounds);
  held(turnstiles.enter('acme', { ...bounds, concurrent: 4 }));
  first.leave();
  expect(codeOf(await waiting)).toBe('in');
});

test('however requests come and go, places in use never pass the bound and nobody within it is refused', async () => {
  const step = fc.oneof(
    fc.record({ do: fc.constant('enter' as const) }),
    fc.record({ do: fc.constant('leave' as const), which: fc.nat(20) }),
    fc.record({ do: fc.constant('wait' as const), ms: fc.integer({ min: 1, max: 1500 }) }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      const clock = new HandClock();
      const turnstiles = new Turnstiles(clock);
      const inside: Permit[] = [];
      const free = { concurrent: 3, patienceMs: 1000, perSecond: 1e9, burst: 1e9 };
      for (const taken of steps) {
        if (taken.do === 'wait') clock.move(taken.ms);
        else if (taken.do === 'leave') inside.splice(taken.which % Math.max(1, inside.length), 1)[0]?.leave();
        else {
          const before = inside.length;
          const entered = turnstiles.enter('acme', free);
          if (before < 3) expect(entered).not.toBeInstanceOf(Promise);
          void Promise.resolve(entered).then((place) => isRefusal(place) || inside.push(place));
        }
        await new Promise(setImmediate);
        expect(inside.length).toBeLessThanOrEqual(3);
      }
    }),
    { numRuns: 50 },
  );
});
