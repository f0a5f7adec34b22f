/** How instances that exchange what they admitted limit a Tenancy together. */
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { TenancyBounds } from '#libs/auth/key-ring.ts';
import { type AddToTotals, type RateLimitClock, RateLimiter } from '#libs/http/rate-limits.ts';
import { isRefusal, type Refusal } from '#libs/schema/refusals.ts';

const bounds: TenancyBounds = { maxConcurrent: 16, maxWaitMs: 2000, requestsPerSecond: 8, burst: 16 };
const intervalMs = 1_000;
/** The refill of one token, so that no fractions are left. */
const stepMs = 125;

class Cell {
  nowMs = 0;
  readonly totals = new Map<string, number>();
  isRedisUp = true;
  readonly #clock: RateLimitClock = { now: () => this.nowMs, callAfter: () => () => undefined };

  instance(): RateLimiter {
    return new RateLimiter(this.#clock);
  }

  readonly addToTotals: AddToTotals = async (admitted) => {
    if (!this.isRedisUp) throw new Error('Redis is unavailable');
    return admitted.map(([tenantId, count]) => {
      const total = (this.totals.get(tenantId) ?? 0) + count;
      this.totals.set(tenantId, total);
      return total;
    });
  };
}

/** Undefined where the request was admitted. */
function refusalOf(instance: RateLimiter, tenantId = 'acme'): Refusal | undefined {
  const outcome = instance.acquire(tenantId, bounds);
  if (outcome instanceof Promise) throw new Error('no permit was free');
  if (isRefusal(outcome)) return outcome;
  outcome.release();
  return undefined;
}

function admittedOf(instance: RateLimiter, requests: number, tenantId = 'acme'): number {
  return Array.from({ length: requests }, () => refusalOf(instance, tenantId)).filter((refusal) => !refusal).length;
}

async function exchangeAll(cell: Cell, instances: readonly RateLimiter[]): Promise<void> {
  for (const instance of instances) await instance.exchange(cell.addToTotals);
}

/** Requests without pause at every instance, which exchange every second. Returns how many were admitted. */
async function flood(cell: Cell, instances: readonly RateLimiter[], seconds: number): Promise<number> {
  let admitted = 0;
  for (let step = 0; step < seconds * 8; step += 1) {
    cell.nowMs += stepMs;
    for (const instance of instances) admitted += admittedOf(instance, 5);
    if (step % 8 === 7) await exchangeAll(cell, instances);
  }
  return admitted;
}

test('an instance that shares a Tenancy with no other one admits its burst and its rate', async () => {
  const cell = new Cell();
  const { burst, requestsPerSecond } = bounds;
  // The bucket is full before the first step.
  expect(await flood(cell, [cell.instance()], 20)).toBe(burst + 20 * requestsPerSecond - 1);
});

test.each([2, 3, 12])('%d instances together admit the rate of one over a minute', async (count) => {
  const cell = new Cell();
  const instances = Array.from({ length: count }, () => cell.instance());
  const { burst, requestsPerSecond } = bounds;
  // Before they know of each other, each admits its burst and two seconds of its rate.
  const excess = (count - 1) * (burst + 2 * requestsPerSecond);
  const admitted = await flood(cell, instances, 60);
  expect(admitted).toBeLessThanOrEqual(burst + 60 * requestsPerSecond + excess);
  expect(admitted).toBeGreaterThanOrEqual(burst + 58 * requestsPerSecond);
});

test('what one instance admitted is refused by another until the rate allows it', async () => {
  const cell = new Cell();
  const [one, other] = [cell.instance(), cell.instance()];
  expect(admittedOf(one, 20) + admittedOf(other, 20)).toBe(32);
  await exchangeAll(cell, [one, other]);
  cell.nowMs += 1_000;
  await exchangeAll(cell, [one, other]);
  expect(admittedOf(other, 20)).toBe(8);
  await exchangeAll(cell, [other, one]);
  expect(refusalOf(one)).toMatchObject({ code: 'rate_exceeded', retryAfter: 2, details: { bound: 8 } });
  expect(refusalOf(one, 'vivid')).toBeUndefined();
  cell.nowMs += 1_125;
  expect(refusalOf(one)).toBeUndefined();
});

test('without Redis each instance applies the full bounds, and it does not pay for them afterwards', async () => {
  const cell = new Cell();
  const instances = [cell.instance(), cell.instance()];
  await flood(cell, instances, 10);
  cell.isRedisUp = false;
  await flood(cell, instances, 10);
  expect(await flood(cell, instances, 10)).toBe(2 * 10 * bounds.requestsPerSecond);
  cell.isRedisUp = true;
  cell.totals.clear();
  await exchangeAll(cell, instances);
  cell.nowMs += stepMs;
  for (const instance of instances) expect(refusalOf(instance)).toBeUndefined();
});

test('a total that is wrong refuses a Tenancy for a minute at most', async () => {
  const cell = new Cell();
  const instance = cell.instance();
  admittedOf(instance, 1);
  await exchangeAll(cell, [instance]);
  cell.totals.set('acme', 1e15);
  await exchangeAll(cell, [instance]);
  expect(refusalOf(instance)).toMatchObject({ retryAfter: 61 });
  cell.nowMs += 60_125;
  expect(refusalOf(instance)).toBeUndefined();
});

test('a Tenancy without requests needs no exchange', async () => {
  const cell = new Cell();
  const instance = cell.instance();
  admittedOf(instance, 1);
  await exchangeAll(cell, [instance]);
  cell.nowMs += stepMs;
  let calls = 0;
  await instance.exchange(async () => {
    calls += 1;
    return [];
  });
  expect(calls).toBe(0);
});

/** One bucket for all instances: what a limit without delay would admit. */
class OneBucket {
  #tokens = bounds.burst;
  #filledAt = 0;

  take(nowMs: number): boolean {
    const filled = ((nowMs - this.#filledAt) / 1_000) * bounds.requestsPerSecond;
    this.#tokens = Math.min(bounds.burst, this.#tokens + filled);
    this.#filledAt = nowMs;
    // The sums of both differ in their last digits.
    if (this.#tokens < 1 + 1e-6) return false;
    this.#tokens -= 1;
    return true;
  }
}

test('a Tenancy within its bounds over all instances is never refused', async () => {
  const phase = fc.nat(intervalMs - 1);
  const step = fc.record({
    pauseMs: fc.oneof(fc.nat(50), fc.nat(3_000)),
    requests: fc.nat(25),
    at: fc.nat(2),
  });
  await fc.assert(
    fc.asyncProperty(fc.tuple(phase, phase, phase), fc.array(step, { maxLength: 80 }), async (phases, steps) => {
      const cell = new Cell();
      const instances = phases.map((phase) => ({ instance: cell.instance(), nextMs: phase }));
      const reference = new OneBucket();
      const advanceTo = async (untilMs: number): Promise<void> => {
        for (;;) {
          const next = instances.reduce((first, second) => (second.nextMs < first.nextMs ? second : first));
          if (next.nextMs > untilMs) break;
          cell.nowMs = next.nextMs;
          next.nextMs += intervalMs;
          await next.instance.exchange(cell.addToTotals);
        }
        cell.nowMs = untilMs;
      };
      for (const { pauseMs, requests, at } of steps) {
        await advanceTo(cell.nowMs + pauseMs);
        for (let request = 0; request < requests && reference.take(cell.nowMs); request += 1) {
          expect(refusalOf((instances[at] as { instance: RateLimiter }).instance)).toBeUndefined();
        }
      }
    }),
    { numRuns: 300 },
  );
});
