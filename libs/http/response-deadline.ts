/** Fails requests that outlive their deadline, so that a silent dependency cannot hold connections and permits. */
import type { RouteResult } from '#libs/http/handler.ts';
import { DependencyUnavailableError } from '#libs/runtime/dependency.ts';

interface PendingResponse {
  readonly expiresAt: number;
  readonly reject: (cause: DependencyUnavailableError) => void;
}

const checkIntervalMs = 100;

export class ResponseDeadline {
  readonly #timeoutMs: number;
  readonly #pending = new Set<PendingResponse>();
  /** Runs only while responses are pending. */
  #timer: NodeJS.Timeout | undefined;

  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs;
  }

  /** Settles like `response`, or rejects once the deadline has passed. The handler itself is not cancelled. */
  enforce(response: Promise<RouteResult>): Promise<RouteResult> {
    // One shared interval: a timer per request costs more than the check.
    this.#timer ??= setInterval(() => this.#rejectExpired(), checkIntervalMs).unref();
    const { promise, resolve, reject } = Promise.withResolvers<RouteResult>();
    const pending = { expiresAt: performance.now() + this.#timeoutMs, reject };
    this.#pending.add(pending);
    const settle = <Outcome>(complete: (outcome: Outcome) => void): ((outcome: Outcome) => void) => {
      return (outcome) => {
        this.#pending.delete(pending);
        complete(outcome);
      };
    };
    response.then(settle(resolve), settle(reject));
    return promise;
  }

  #rejectExpired(): void {
    const now = performance.now();
    for (const { expiresAt, reject } of this.#pending) {
      // Removed when the handler settles; rejecting twice has no effect.
      if (expiresAt < now) reject(new DependencyUnavailableError('response'));
    }
    if (this.#pending.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
