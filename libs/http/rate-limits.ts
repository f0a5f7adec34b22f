/**
 * Limits the requests of each Tenancy: a token bucket for the rate, from which what other instances admitted is taken
 * too, and permits for concurrency, which each instance counts alone.
 */
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

/** A total that is wrong in Redis must not refuse a Tenancy for longer. */
const maxDeficitSeconds = 60;

/**
 * Adds to the total of each Tenancy over all instances what this one admitted, and returns the new totals in the order of
 * the entries.
 */
export type AddToTotals = (
  admitted: readonly (readonly [tenantId: string, count: number])[],
) => Promise<readonly (number | undefined)[]>;

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

  /** To be called every second. Without totals the full bounds apply, as to the only instance. */
  async exchange(addToTotals: AddToTotals): Promise<void> {
    const active = [...this.#tenancies].filter(([, tenancy]) => tenancy.isActive);
    if (active.length === 0) return;
    const admitted = active.map(([tenantId, tenancy]) => [tenantId, tenancy.takeAdmitted()] as const);
    const totals = await addToTotals(admitted).catch(() => []);
    for (const [index, [, tenancy]] of active.entries()) tenancy.settle(admitted[index]?.[1] ?? 0, totals[index]);
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
  /** Since the last exchange. */
  #admitted = 0;
  /** Of all instances, at the last exchange. */
  #total: number | undefined;
  /** Refill that found the bucket full: since the last exchange, and what is left of the one between the two before. */
  #spare: number;
  #earlierSpare = 0;
  #permitsInUse = 0;
  readonly #waiting = new Set<WaitingForPermit>();
  readonly #clock: RateLimitClock;

  constructor(bounds: TenancyBounds, clock: RateLimitClock) {
    this.#bounds = bounds;
    this.#clock = clock;
    this.#tokens = bounds.burst;
    this.#filledAt = clock.now();
    // The bucket was full before: a second of its refill.
    this.#spare = bounds.requestsPerSecond;
  }

  acquire(bounds: TenancyBounds): Permit | Refusal | Promise<Permit | Refusal> {
    this.#bounds = bounds;
    const refusal = this.#takeToken();
    if (refusal) return refusal;
    if (this.#permitsInUse < bounds.maxConcurrent) return this.#createPermit();
    return this.#waitForPermit();
  }

  get isIdle(): boolean {
    return this.#permitsInUse === 0 && this.#isFull;
  }

  /** Whether what was admitted, here or elsewhere, may still limit the next requests. */
  get isActive(): boolean {
    return this.#admitted > 0 || !this.#isFull;
  }

  takeAdmitted(): number {
    const admitted = this.#admitted;
    this.#admitted = 0;
    return admitted;
  }

  /**
   * Takes what other instances admitted out of the bucket, as if they had shared it. They admitted it at some time since
   * the exchange before the last one: refill that found this bucket full since then would have been theirs.
   */
  settle(admitted: number, total: number | undefined): void {
    const before = this.#total;
    // A total that Redis lost begins again.
    const others = total === undefined || before === undefined ? 0 : Math.max(0, total - before - admitted);
    this.#total = total;
    this.#fill();
    const spare = this.#spare + this.#earlierSpare;
    const minTokens = -maxDeficitSeconds * this.#bounds.requestsPerSecond;
    this.#tokens = Math.max(minTokens, this.#tokens - Math.max(0, others - spare));
    this.#earlierSpare = Math.min(this.#spare, Math.max(0, spare - others));
    this.#spare = 0;
  }

  get #isFull(): boolean {
    return this.#level() >= this.#bounds.burst;
  }

  /** The tokens, as if the bucket could hold any number. */
  #level(): number {
    return this.#tokens + ((this.#clock.now() - this.#filledAt) / 1000) * this.#bounds.requestsPerSecond;
  }

  #fill(): void {
    const level = this.#level();
    this.#tokens = Math.min(this.#bounds.burst, level);
    this.#spare += level - this.#tokens;
    this.#filledAt = this.#clock.now();
  }

  #takeToken(): Refusal | undefined {
    const { requestsPerSecond, burst } = this.#bounds;
    const tokens = Math.min(burst, this.#level());
    if (tokens < 1) {
      const retryAfter = Math.max(1, Math.ceil((1 - tokens) / requestsPerSecond));
      return refuse('rate_exceeded', { bound: requestsPerSecond }, retryAfter);
    }
    this.#fill();
    this.#tokens -= 1;
    this.#admitted += 1;
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
