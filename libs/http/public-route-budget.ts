/**
 * The share of the process that pages without a credential may use. Requests above the rate wait, so that a caller that
 * sends its next request after each answer is slowed down; rejecting it would cost as much as serving it.
 */
import { isProbe } from '#libs/api/route.ts';
import { routes } from '#libs/api/routes.ts';
import type { PipelineStep } from '#libs/http/middleware.ts';
import { ClientDisconnectedError, required } from '#libs/http/request-context.ts';
import { refuse } from '#libs/schema/refusals.ts';

export interface PublicRouteLimits {
  readonly requestsPerSecond: number;
  /** Answered at once after a quiet second. */
  readonly burst: number;
  readonly maxWaiting: number;
}

/** A page without compression takes up to half a millisecond of the main thread. */
const defaultLimits: PublicRouteLimits = { requestsPerSecond: 100, burst: 100, maxWaiting: 512 };

const releaseIntervalMs = 50;

/** The step that lets a request for a page pass, now or later. Health checks always pass. */
export function publicRouteBudget(limits: PublicRouteLimits = defaultLimits): PipelineStep {
  const budget = new PublicRouteBudget(limits);
  return (context) => {
    if (isProbe(routes[required(context.route, 'route').name]) || budget.take()) return undefined;
    const turn = budget.waitForTurn();
    if (turn === undefined) return refuse('unavailable');
    return context.timing
      .measure('queue', () => turn)
      .then(() => {
        if (context.request.destroyed) throw new ClientDisconnectedError();
        return undefined;
      });
  };
}

class PublicRouteBudget {
  readonly #limits: PublicRouteLimits;
  #tokens: number;
  #filledAt = performance.now();
  readonly #waiting: (() => void)[] = [];

  constructor(limits: PublicRouteLimits) {
    this.#limits = limits;
    this.#tokens = limits.burst;
  }

  take(): boolean {
    if (this.#waiting.length > 0) return false;
    this.#fill();
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }

  /** Undefined where too many wait. */
  waitForTurn(): Promise<void> | undefined {
    if (this.#waiting.length >= this.#limits.maxWaiting) return undefined;
    return new Promise((admit) => {
      this.#waiting.push(admit);
      if (this.#waiting.length === 1) this.#scheduleRelease();
    });
  }

  #fill(): void {
    const { requestsPerSecond, burst } = this.#limits;
    const now = performance.now();
    this.#tokens = Math.min(burst, this.#tokens + ((now - this.#filledAt) / 1_000) * requestsPerSecond);
    this.#filledAt = now;
  }

  #scheduleRelease(): void {
    setTimeout(() => {
      this.#fill();
      const count = Math.floor(this.#tokens);
      for (const admit of this.#waiting.splice(0, count)) {
        this.#tokens -= 1;
        admit();
      }
      if (this.#waiting.length > 0) this.#scheduleRelease();
    }, releaseIntervalMs).unref();
  }
}
