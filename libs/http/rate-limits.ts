/** Limits the requests of each Tenancy on this instance: a token bucket for the rate, permits for concurrency. */
import type { TenancyBounds } from '#libs/auth/key-ring.ts';
import type { AdmissionControl } from '#libs/http/admission-control.ts';
import type { PipelineStep } from '#libs/http/middleware.ts';
import { required } from '#libs/http/request-context.ts';
import { isRefusal, type Refusal, refuse } from '#libs/schema/refusals.ts';

export const defaultBounds: TenancyBounds = { maxConcurrent: 16, maxWaitMs: 2000, requestsPerSecond: 50, burst: 100 };

/** The bounds as the API and the command line state them. */
export function boundsAnswer({ maxConcurrent, maxWaitMs, requestsPerSecond, burst }: TenancyBounds) {
  return { concurrent: maxConcurrent, patience_ms: maxWaitMs, per_second: requestsPerSecond, burst };
}

/**
 * Above this number of Tenancies the idle ones are forgotten: a full bucket without permits in use is like a new one.
 */
const maxRememberedTenancies = 10_000;

/** The right to be processed. Releasing it twice has no effect. */
export interface Permit {
  release(): void;
}

/** The clock of the rate limits; tests advance it by hand. */
export interface RateLimitClock {
  now(): number;
  /** Calls back once after so many milliseconds. Returns a function that cancels it. */
  callAfter(ms: number, callback: () => void): () => void;
}

const monotonicClock: RateLimitClock = {
  now: () => performance.now(),
  callAfter(ms, callback) {
    const timer = setTimeout(callback, ms);
    return () => clearTimeout(timer);
  },
};

export interface TenancyLimiter {
  acquire(tenantId: string, bounds: TenancyBounds): Permit | Refusal | Promise<Permit | Refusal>;
}

/** The step that takes a permit for the request, or answers 429. An active request counts for admission control too. */
export function rateLimit(limiter: TenancyLimiter, fallback: TenancyBounds, admission: AdmissionControl): PipelineStep {
  return (context) => {
    const { tenancy } = required(context.caller, 'caller').key;
    const enter = (permit: Permit | Refusal): Refusal | undefined => {
      if (isRefusal(permit)) return permit;
      admission.markActive();
      context.onResult(() => {
        admission.markDone();
        permit.release();
      });
      return undefined;
    };
    const acquired = limiter.acquire(tenancy.id, tenancy.bounds ?? fallback);
    return acquired instanceof Promise ? context.timing.measure('queue', () => acquired).then(enter) : enter(acquired);
  };
}

export class RateLimiter implements TenancyLimiter {
  readonly #tenancies = new Map<string, TenancyState>();
  readonly #clock: RateLimitClock;

  constructor(clock: RateLimitClock = monotonicClock) {
    this.#clock = clock;
  }

  acquire(tenantId: string, bounds: TenancyBounds): Permit | Refusal | Promise<Permit | Refusal> {
    let tenancy = this.#tenancies.get(tenantId);
    if (tenancy === undefined) {
      if (this.#tenancies.size >= maxRememberedTenancies) this.#forgetIdle();
      tenancy = new TenancyState(bounds, this.#clock);
      this.#tenancies.set(tenantId, tenancy);
    }
    return tenancy.acquire(bounds);
  }

  #forgetIdle(): void {
    for (const [tenantId, tenancy] of this.#tenancies) {
      if (tenancy.isIdle) this.#tenancies.delete(tenantId);
    }
  }
}

interface WaitingForPermit {
  readonly settle: (outcome: Permit | Refusal) => void;
  readonly stopTimer: () => void;
}

class TenancyState {
  #bounds: TenancyBounds;
  #tokens: number;
  #filledAt: number;
  #permitsInUse = 0;
  readonly #waiting = new Set<WaitingForPermit>();
  readonly #clock: RateLimitClock;

  constructor(bounds: TenancyBounds, clock: RateLimitClock) {
    this.#bounds = bounds;
    this.#clock = clock;
    this.#tokens = bounds.burst;
    this.#filledAt = clock.now();
  }

  acquire(bounds: TenancyBounds): Permit | Refusal | Promise<Permit | Refusal> {
    this.#bounds = bounds;
    const refusal = this.#takeToken();
    if (refusal) return refusal;
    if (this.#permitsInUse < bounds.maxConcurrent) return this.#createPermit();
    return this.#waitForPermit();
  }

  get isIdle(): boolean {
    return this.#permitsInUse === 0 && this.#tokensNow() >= this.#bounds.burst;
  }

  #tokensNow(): number {
    const { requestsPerSecond, burst } = this.#bounds;
    const filled = ((this.#clock.now() - this.#filledAt) / 1000) * requestsPerSecond;
    return Math.min(burst, this.#tokens + filled);
  }

  #takeToken(): Refusal | undefined {
    const tokens = this.#tokensNow();
    const { requestsPerSecond } = this.#bounds;
    if (tokens < 1) {
      const retryAfter = Math.max(1, Math.ceil((1 - tokens) / requestsPerSecond));
      return refuse('rate_exceeded', { bound: requestsPerSecond }, retryAfter);
    }
    this.#tokens = tokens - 1;
    this.#filledAt = this.#clock.now();
    return undefined;
  }

  #createPermit(): Permit {
    this.#permitsInUse += 1;
    let isHeld = true;
    return {
      release: () => {
        if (!isHeld) return;
        isHeld = false;
        this.#permitsInUse -= 1;
        this.#admitNext();
      },
    };
  }

  #admitNext(): void {
    for (const next of this.#waiting) {
      if (this.#permitsInUse >= this.#bounds.maxConcurrent) return;
      this.#waiting.delete(next);
      next.stopTimer();
      next.settle(this.#createPermit());
    }
  }

  #waitForPermit(): Promise<Permit | Refusal> {
    return new Promise((settle) => {
      const { maxWaitMs, maxConcurrent } = this.#bounds;
      const stopTimer = this.#clock.callAfter(maxWaitMs, () => {
        this.#waiting.delete(waiting);
        settle(refuse('too_many_concurrent', { bound: maxConcurrent }, 1));
      });
      const waiting: WaitingForPermit = { settle, stopTimer };
      this.#waiting.add(waiting);
    });
  }
}
