/** How much memory request bodies may use together, and who may use how much of it. */
import { bytesPerMebibyte } from '#libs/api/route.ts';

export interface BodyMemoryLimits {
  /** For bodies that are still being received: anyone can send all but the last byte and wait. */
  readonly maxIncompleteBytes: number;
  /** Of these, for all keys that are not registered. */
  readonly maxIncompleteBytesOfUnknownKeys: number;
  /** For complete bodies, each until its request is answered. */
  readonly maxCompleteBytes: number;
}

/** Twelve and thirty-two of the longest bodies: hundreds of usual batches, and, for one Tenancy too, more than are decided before a timeout. */
export const defaultBodyMemoryLimits: BodyMemoryLimits = {
  maxIncompleteBytes: 96 * bytesPerMebibyte,
  maxIncompleteBytesOfUnknownKeys: 8 * bytesPerMebibyte,
  maxCompleteBytes: 256 * bytesPerMebibyte,
};

export interface BodyBudget {
  take(bytes: number): boolean;
  releaseBytes(bytes: number): void;
}

/**
 * The memory for bodies. The keys of one Tenancy get at most half of what others leave, so that one Tenancy, or callers who use
 * the keys of several, cannot take everything: a signature is checked only when its body is complete.
 */
export class SharedBodyBudget {
  readonly #maxBytes: number;
  readonly #maxBytesOfUnknownKeys: number;
  #usedBytes = 0;
  /** By Tenancy, or undefined for all unknown keys; only of those with bodies. */
  readonly #usedBytesOf = new Map<string | undefined, number>();

  constructor(maxBytes: number, maxBytesOfUnknownKeys: number) {
    this.#maxBytes = maxBytes;
    this.#maxBytesOfUnknownKeys = maxBytesOfUnknownKeys;
  }

  /** The share of the keys of a Tenancy, or of all unknown keys. */
  shareOf(tenantId: string | undefined): BodyBudget {
    return {
      take: (bytes) => {
        const used = (this.#usedBytesOf.get(tenantId) ?? 0) + bytes;
        if (used > this.#maxBytesOf(tenantId)) return false;
        this.#usedBytesOf.set(tenantId, used);
        this.#usedBytes += bytes;
        return true;
      },
      releaseBytes: (bytes) => {
        const used = (this.#usedBytesOf.get(tenantId) ?? 0) - bytes;
        if (used > 0) this.#usedBytesOf.set(tenantId, used);
        else this.#usedBytesOf.delete(tenantId);
        this.#usedBytes -= bytes;
      },
    };
  }

  #maxBytesOf(tenantId: string | undefined): number {
    const leftByOthers = this.#maxBytes - this.#usedBytes + (this.#usedBytesOf.get(tenantId) ?? 0);
    return tenantId === undefined ? Math.min(this.#maxBytesOfUnknownKeys, leftByOthers) : leftByOthers / 2;
  }
}
