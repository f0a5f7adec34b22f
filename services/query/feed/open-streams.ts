/** The open streams of the feed on this instance: limits them per Tenancy and ends those of revoked keys. */
import type { KeyRing } from '#libs/auth/key-ring.ts';
import { DependencyUnavailableError } from '#libs/runtime/dependency.ts';
import { type Refusal, refuse } from '#libs/schema/refusals.ts';

export interface StreamPermit {
  /** Aborts when the key is revoked, the caller disconnects or the instance stops. */
  readonly endSignal: AbortSignal;
  /** Whether the key is known to be valid at this moment. */
  readonly isKeyValid: () => boolean;
}

export interface StreamRequest {
  readonly tenantId: string;
  readonly fp: string;
  /** The number of streams this Tenancy may have on this instance. */
  readonly maxStreams: number;
  readonly disconnected: AbortSignal;
}

interface OpenStream {
  readonly fp: string;
  readonly end: AbortController;
}

/** Together with the refresh of the key ring, a revocation ends a stream within about a second. */
const keyCheckIntervalMs = 200;

export class OpenStreams {
  readonly #keyRing: KeyRing;
  readonly #stopping: AbortSignal;
  readonly #streams = new Map<string, Set<OpenStream>>();
  readonly #timer: NodeJS.Timeout;

  constructor(keyRing: KeyRing, stopping: AbortSignal) {
    this.#keyRing = keyRing;
    this.#stopping = stopping;
    stopping.addEventListener('abort', () => this.#endWhere(() => true), { once: true });
    this.#timer = setInterval(() => this.#endWhere((fp) => this.#isRegistered(fp) === false), keyCheckIntervalMs);
  }

  get size(): number {
    return [...this.#streams.values()].reduce((size, ofTenancy) => size + ofTenancy.size, 0);
  }

  /** The follower is removed when its caller disconnects. */
  add({ tenantId, fp, maxStreams, disconnected }: StreamRequest): StreamPermit | Refusal {
    const ofTenancy = this.#streams.get(tenantId) ?? new Set();
    if (ofTenancy.size >= maxStreams) return refuse('too_many_concurrent', { bound: maxStreams }, 1);
    const stream = { fp, end: new AbortController() };
    this.#streams.set(tenantId, ofTenancy.add(stream));
    const remove = (): void => {
      stream.end.abort();
      ofTenancy.delete(stream);
      if (ofTenancy.size === 0 && this.#streams.get(tenantId) === ofTenancy) this.#streams.delete(tenantId);
    };
    if (disconnected.aborted) remove();
    else disconnected.addEventListener('abort', remove, { once: true });
    if (this.#stopping.aborted) stream.end.abort();
    return { endSignal: stream.end.signal, isKeyValid: () => this.#isRegistered(fp) === true };
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #endWhere(isOver: (fp: string) => boolean): void {
    for (const ofTenancy of this.#streams.values()) {
      for (const { fp, end } of ofTenancy) if (isOver(fp)) end.abort();
    }
  }

  /** Undefined while the keys are unknown because the database is unavailable. */
  #isRegistered(fp: string): boolean | undefined {
    try {
      return this.#keyRing.find(fp) !== undefined;
    } catch (cause) {
      if (cause instanceof DependencyUnavailableError) return undefined;
      throw cause;
    }
  }
}
