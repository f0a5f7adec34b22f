/** Who follows the feed through this instance: how many of each Tenancy, and until when each may. */

import type { KeyRing } from '#libs/auth/key-ring.ts';
import { DependencyUnavailableError } from '#libs/runtime/dependency-unavailable.ts';
import { type Refusal, refuse } from '#libs/schema/refusals.ts';

export interface Follower {
  /** Aborts where the key was revoked, where the caller left and where the instance stops. */
  readonly ends: AbortSignal;
  /** Whether its key is known to stand at this moment. */
  readonly isVouchedFor: () => boolean;
}

export interface Entering {
  readonly tenantId: string;
  readonly fp: string;
  /** Streams this Tenancy may have here at once. */
  readonly bound: number;
  readonly gone: AbortSignal;
}

/** A key is asked after so often; with what the ring itself takes a revocation ends a stream within about a second. */
const askEveryMs = 200;

export class Followers {
  readonly #keyRing: KeyRing;
  readonly #stopping: AbortSignal;
  readonly #byTenancy = new Map<string, Set<{ readonly fp: string; readonly ending: AbortController }>>();
  readonly #timer: NodeJS.Timeout;

  constructor(keyRing: KeyRing, stopping: AbortSignal) {
    this.#keyRing = keyRing;
    this.#stopping = stopping;
    stopping.addEventListener('abort', () => this.#end(() => true), { once: true });
    this.#timer = setInterval(() => this.#end((fp) => this.#stands(fp) === false), askEveryMs);
  }

  get size(): number {
    return [...this.#byTenancy.values()].reduce((size, ofOne) => size + ofOne.size, 0);
  }

  /** Leaves by itself when the caller is gone, whatever became of the stream. */
  enter({ tenantId, fp, bound, gone }: Entering): Follower | Refusal {
    const ofTenancy = this.#byTenancy.get(tenantId) ?? new Set();
    if (ofTenancy.size >= bound) return refuse('too_many_concurrent', { bound }, 1);
    const follower = { fp, ending: new AbortController() };
    this.#byTenancy.set(tenantId, ofTenancy.add(follower));
    const leave = (): void => {
      follower.ending.abort();
      ofTenancy.delete(follower);
      if (ofTenancy.size === 0 && this.#byTenancy.get(tenantId) === ofTenancy) this.#byTenancy.delete(tenantId);
    };
    if (gone.aborted) leave();
    else gone.addEventListener('abort', leave, { once: true });
    if (this.#stopping.aborted) follower.ending.abort();
    return { ends: follower.ending.signal, isVouchedFor: () => this.#stands(fp) === true };
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #end(isOver: (fp: string) => boolean): void {
    for (const ofTenancy of this.#byTenancy.values()) {
      for (const { fp, ending } of ofTenancy) if (isOver(fp)) ending.abort();
    }
  }

  /** Undefined where nobody can say, for the store is away. */
  #stands(fp: string): boolean | undefined {
    try {
      return this.#keyRing.find(fp) !== undefined;
    } catch (cause) {
      if (cause instanceof DependencyUnavailableError) return undefined;
      throw cause;
    }
  }
}
