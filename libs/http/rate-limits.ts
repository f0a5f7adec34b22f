import { type Refusal, refuse } from '#libs/schema/refusals.ts';

/** What one Tenancy may ask of one serving instance, all its keys together. */
export interface Bounds {
  readonly concurrent: number;
  readonly patienceMs: number;
  readonly perSecond: number;
  readonly burst: number;
}

export const defaultBounds: Bounds = { concurrent: 16, patienceMs: 2000, perSecond: 50, burst: 100 };

/** Time as the bounds see it; tests move it by hand. */
export interface Clock {
  now(): number;
  /** Calls back once, after that many milliseconds, unless cancelled. */
  after(ms: number, call: () => void): () => void;
}

export const wallClock: Clock = {
  now: () => performance.now(),
  after(ms, call) {
    const timer = setTimeout(call, ms);
    return () => clearTimeout(timer);
  },
};

/** A place under the concurrency bound, to be given back once. */
export interface Permit {
  leave(): void;
}

interface Waiting {
  readonly admit: (outcome: Permit | Refusal) => void;
  readonly stopWaiting: () => void;
}

/** The bounds of one Tenancy on this instance: a bucket of tokens for the rate, places for what goes on at once. */
class Turnstile {
  #bounds: Bounds;
  #tokens: number;
  #filledAt: number;
  #taken = 0;
  readonly #waiting: Set<Waiting> = new Set();
  readonly #clock: Clock;

  constructor(bounds: Bounds, clock: Clock) {
    this.#bounds = bounds;
    this.#clock = clock;
    this.#tokens = bounds.burst;
    this.#filledAt = clock.now();
  }

  enter(bounds: Bounds): Permit | Refusal | Promise<Permit | Refusal> {
    this.#bounds = bounds;
    const refused = this.#takeToken();
    if (refused) return refused;
    if (this.#taken < bounds.concurrent) return this.#takePlace();
    return this.#wait();
  }

  get isIdle(): boolean {
    return this.#taken === 0 && this.#tokensNow() >= this.#bounds.burst;
  }

  #tokensNow(): number {
    const { perSecond, burst } = this.#bounds;
    const filled = ((this.#clock.now() - this.#filledAt) / 1000) * perSecond;
    return Math.min(burst, this.#tokens + filled);
  }

  #takeToken(): Refusal | undefined {
    const tokens = this.#tokensNow();
    const { perSecond } = this.#bounds;
    if (tokens < 1)
      return refuse('rate_exceeded', { bound: perSecond }, Math.max(1, Math.ceil((1 - tokens) / perSecond)));
    this.#tokens = tokens - 1;
    this.#filledAt = this.#clock.now();
    return undefined;
  }

  #takePlace(): Permit {
    this.#taken += 1;
    let isHeld = true;
    return {
      leave: () => {
        if (!isHeld) return;
        isHeld = false;
        this.#taken -= 1;
        this.#callNext();
      },
    };
  }

  #callNext(): void {
    for (const next of this.#waiting) {
      if (this.#taken >= this.#bounds.concurrent) return;
      this.#waiting.delete(next);
      next.stopWaiting();
      next.admit(this.#takePlace());
    }
  }

  #wait(): Promise<Permit | Refusal> {
    return new Promise((admit) => {
      const { patienceMs, concurrent } = this.#bounds;
      const stopWaiting = this.#clock.after(patienceMs, () => {
        this.#waiting.delete(waiting);
        admit(refuse('too_many_concurrent', { bound: concurrent }, 1));
      });
      const waiting: Waiting = { admit, stopWaiting };
      this.#waiting.add(waiting);
    });
  }
}

/** After this many Tenancies the idle ones are forgotten: a turnstile that is full and empty of people says nothing. */
const remembered = 10_000;

export class Turnstiles {
  readonly #byTenancy = new Map<string, Turnstile>();
  readonly #clock: Clock;

  constructor(clock: Clock = wallClock) {
    this.#clock = clock;
  }

  enter(tenantId: string, bounds: Bounds): Permit | Refusal | Promise<Permit | Refusal> {
    let turnstile = this.#byTenancy.get(tenantId);
    if (turnstile === undefined) {
      if (this.#byTenancy.size >= remembered) this.#forgetIdle();
      turnstile = new Turnstile(bounds, this.#clock);
      this.#byTenancy.set(tenantId, turnstile);
    }
    return turnstile.enter(bounds);
  }

  #forgetIdle(): void {
    for (const [tenantId, turnstile] of this.#byTenancy) {
      if (turnstile.isIdle) this.#byTenancy.delete(tenantId);
    }
  }
}
