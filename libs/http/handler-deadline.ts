/** Fails requests whose handler does not settle in time: a silent dependency cannot hold connections and permits. */
import type { RouteResult } from '#libs/http/handler.ts';
import { DependencyUnavailableError } from '#libs/runtime/dependency.ts';
import { SlotMap } from '#libs/runtime/slot-map.ts';

interface PendingHandler {
  readonly expiresAt: number;
  readonly reject: (cause: DependencyUnavailableError) => void;
}

const checkIntervalMs = 100;

export class HandlerDeadline {
  readonly #timeoutMs: number;
  readonly #pending = new SlotMap<PendingHandler>();
  /** Runs only while handlers are pending. */
  #timer: NodeJS.Timeout | undefined;

  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs;
  }

  /** Settles like `response`, or rejects once the deadline has passed. The handler itself is not cancelled. */
  enforce(response: Promise<RouteResult>): Promise<RouteResult> {
    // One shared interval: a timer per request costs more than the check.
    this.#timer ??= setInterval(() => this.#rejectExpired(), checkIntervalMs).unref();
    const { promise, resolve, reject } = Promise.withResolvers<RouteResult>();
    const slot = this.#pending.add({ expiresAt: performance.now() + this.#timeoutMs, reject });
    const settle = <Outcome>(complete: (outcome: Outcome) => void): ((outcome: Outcome) => void) => {
      return (outcome) => {
        this.#pending.remove(slot);
        complete(outcome);
      };
    };
    response.then(settle(resolve), settle(reject));
    return promise;
  }

  #rejectExpired(): void {
    const now = performance.now();
    let isIdle = true;
    for (const { expiresAt, reject } of this.#pending) {
      isIdle = false;
      // Its slot is freed when the handler settles; rejecting twice has no effect.
      if (expiresAt < now) reject(new DependencyUnavailableError('response'));
    }
    if (!isIdle) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
