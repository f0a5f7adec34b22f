/** Memory that requests use together, up to a bound. Of those that wait, the Tenancy that uses the least is next. */
import { DependencyUnavailableError } from './dependency.ts';

export interface BytesRequest {
  readonly tenantId: string;
  readonly bytes: number;
  /** By `performance.now()`: a request that still waits then is rejected. */
  readonly waitUntil: number;
}

interface WaitingRequest {
  readonly tenantId: string;
  readonly bytes: number;
  readonly grant: () => void;
}

export class FairByteBudget {
  readonly #name: string;
  readonly #maxBytes: number;
  #usedBytes = 0;
  readonly #usedByTenancy = new Map<string, number>();
  /** In the order of arrival. */
  readonly #waiting = new Set<WaitingRequest>();

  /** The name is that of a dependency, for the error of a request that is rejected. */
  constructor(name: string, maxBytes: number) {
    this.#name = name;
    this.#maxBytes = maxBytes;
  }

  /** Resolves to the function that gives the bytes back. A request for more than the bound takes all of it, alone. */
  take({ tenantId, bytes: wanted, waitUntil }: BytesRequest): Promise<() => void> {
    const bytes = Math.min(wanted, this.#maxBytes);
    const { promise, resolve, reject } = Promise.withResolvers<() => void>();
    let timer: NodeJS.Timeout | undefined;
    const request: WaitingRequest = {
      tenantId,
      bytes,
      grant: () => {
        clearTimeout(timer);
        resolve(() => this.#release(tenantId, bytes));
      },
    };
    this.#waiting.add(request);
    this.#grantWaiting();
    if (!this.#waiting.has(request)) return promise;
    const expire = (): void => {
      this.#waiting.delete(request);
      reject(new DependencyUnavailableError(`${this.#name} (${bytes} bytes)`));
      this.#grantWaiting();
    };
    timer = setTimeout(expire, Math.max(0, waitUntil - performance.now()));
    return promise;
  }

  #release(tenantId: string, bytes: number): void {
    this.#usedBytes -= bytes;
    const used = this.#usedBy(tenantId) - bytes;
    if (used === 0) this.#usedByTenancy.delete(tenantId);
    else this.#usedByTenancy.set(tenantId, used);
    this.#grantWaiting();
  }

  /** Nothing is granted before the next one, so that the largest does not wait forever. */
  #grantWaiting(): void {
    for (let next = this.#next(); next !== undefined && this.#hasRoomFor(next); next = this.#next()) {
      const { tenantId, bytes, grant } = next;
      this.#waiting.delete(next);
      this.#usedBytes += bytes;
      this.#usedByTenancy.set(tenantId, this.#usedBy(tenantId) + bytes);
      grant();
    }
  }

  #next(): WaitingRequest | undefined {
    let next: WaitingRequest | undefined;
    for (const request of this.#waiting)
      if (next === undefined || this.#usedBy(request.tenantId) < this.#usedBy(next.tenantId)) next = request;
    return next;
  }

  /** Several requests of one Tenancy get at most half. */
  #hasRoomFor({ tenantId, bytes }: WaitingRequest): boolean {
    const used = this.#usedBy(tenantId);
    return this.#usedBytes + bytes <= this.#maxBytes && (used === 0 || used + bytes <= this.#maxBytes / 2);
  }

  #usedBy(tenantId: string): number {
    return this.#usedByTenancy.get(tenantId) ?? 0;
  }
}
