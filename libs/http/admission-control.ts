/**
 * Rejects load early when the process is saturated. Only so many requests are started per iteration of the event loop:
 * otherwise everything readable would be started before anything in progress continues, and at twice the sustainable load
 * nearly all requests would time out. A rejection costs less than half of an accepted request.
 */
import type { PipelineStep } from '#libs/http/middleware.ts';
import { ClientDisconnectedError } from '#libs/http/request-context.ts';
import { refuse } from '#libs/schema/refusals.ts';

export interface AdmissionLimits {
  readonly maxPerLoopIteration: number;
  /** Requests with a permit that are not answered yet. */
  readonly maxActive: number;
  /** Active and waiting requests together. */
  readonly maxHeld: number;
  readonly maxWaitMs: number;
}

const defaultLimits: AdmissionLimits = { maxPerLoopIteration: 128, maxActive: 512, maxHeld: 768, maxWaitMs: 1_000 };

/** How often waiting requests are checked for having waited too long. */
const expiryCheckMs = 50;

const saturated = refuse('unavailable');

interface WaitingRequest {
  readonly since: number;
  readonly settle: (isAdmitted: boolean) => void;
}

/** The step that admits a request to the pipeline, or answers 503. */
export function admission(control: AdmissionControl): PipelineStep {
  return (context) => {
    const admitted = control.admit();
    if (admitted === true) return undefined;
    if (admitted === false) return saturated;
    return context.timing
      .measure('queue', () => admitted)
      .then((isAdmitted) => {
        if (context.request.destroyed) throw new ClientDisconnectedError();
        return isAdmitted ? undefined : saturated;
      });
  };
}

export class AdmissionControl {
  readonly #limits: AdmissionLimits;
  #waiting: WaitingRequest[] = [];
  #startedThisIteration = 0;
  #active = 0;
  #nextIteration: NodeJS.Immediate | undefined;
  #expiryTimer: NodeJS.Timeout | undefined;

  constructor(limits: AdmissionLimits = defaultLimits) {
    this.#limits = limits;
  }

  /** True where there is capacity, false where the limit on held requests is reached, otherwise known later. */
  admit(): boolean | Promise<boolean> {
    this.#nextIteration ??= setImmediate(() => this.#startWaiting());
    if (this.#waiting.length === 0 && this.#hasCapacity()) {
      this.#startedThisIteration += 1;
      return true;
    }
    const held = this.#active + this.#startedThisIteration + this.#waiting.length;
    if (held >= this.#limits.maxHeld) return false;
    return new Promise((settle) => this.#waiting.push({ since: performance.now(), settle }));
  }

  markActive(): void {
    this.#active += 1;
  }

  markDone(): void {
    this.#active -= 1;
    if (this.#waiting.length > 0) this.#nextIteration ??= setImmediate(() => this.#startWaiting());
  }

  /** A request started in this iteration may be active already and is then counted twice until the iteration ends. */
  #hasCapacity(): boolean {
    const { maxPerLoopIteration, maxActive } = this.#limits;
    return this.#startedThisIteration < maxPerLoopIteration && this.#active + this.#startedThisIteration < maxActive;
  }

  #startWaiting(): void {
    this.#nextIteration = undefined;
    this.#startedThisIteration = 0;
    const expiredBefore = performance.now() - this.#limits.maxWaitMs;
    let settled = 0;
    for (const { since, settle } of this.#waiting) {
      if (since < expiredBefore) settle(false);
      else if (this.#hasCapacity()) {
        this.#startedThisIteration += 1;
        settle(true);
      } else break;
      settled += 1;
    }
    this.#waiting.splice(0, settled);
    clearTimeout(this.#expiryTimer);
    if (this.#waiting.length === 0) return;
    // The next iteration raises only the limit per iteration; the limit on active requests needs one to finish.
    if (this.#startedThisIteration === this.#limits.maxPerLoopIteration) {
      this.#nextIteration = setImmediate(() => this.#startWaiting());
    } else this.#expiryTimer = setTimeout(() => this.#startWaiting(), expiryCheckMs);
  }
}
