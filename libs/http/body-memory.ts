/** How much memory request bodies may use together, and who may use how much of it. */
import { bytesPerMebibyte } from '#libs/api/route.ts';

export interface BodyMemoryLimits {
  /** For bodies that are still being received: anyone can send all but the last byte and wait. */
  readonly maxIncompleteBytes: number;
  /** Of these, for the keys of one Tenancy: the signature is checked only when the body is complete. */
  readonly maxIncompleteBytesPerTenancy: number;
  /** Of these, for all keys that are not registered. */
  readonly maxIncompleteBytesOfUnknownKeys: number;
  /** For complete bodies, each until its request is answered. */
  readonly maxCompleteBytes: number;
}

/** Twelve and thirty-two of the longest bodies: hundreds of usual batches, and more than are decided before a timeout. */
export const defaultBodyMemoryLimits: BodyMemoryLimits = {
  maxIncompleteBytes: 96 * bytesPerMebibyte,
  maxIncompleteBytesPerTenancy: 64 * bytesPerMebibyte,
  maxIncompleteBytesOfUnknownKeys: 8 * bytesPerMebibyte,
  maxCompleteBytes: 256 * bytesPerMebibyte,
};

export interface BodyBudget {
  take(bytes: number): boolean;
  releaseBytes(bytes: number): void;
}

export class ByteBudget implements BodyBudget {
  readonly #maxBytes: number;
  #usedBytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  take(bytes: number): boolean {
    if (this.#usedBytes + bytes > this.#maxBytes) return false;
    this.#usedBytes += bytes;
    return true;
  }

  releaseBytes(bytes: number): void {
    this.#usedBytes -= bytes;
  }

  get isUnused(): boolean {
    return this.#usedBytes === 0;
  }
}

/** The memory for incomplete bodies, of which no Tenancy and no unknown key can take everything. */
export class IncompleteBodyBudget {
  readonly #limits: BodyMemoryLimits;
  readonly #all: ByteBudget;
  readonly #ofUnknownKeys: ByteBudget;
  /** Only of Tenancies with incomplete bodies. */
  readonly #byTenancy = new Map<string, ByteBudget>();

  constructor(limits: BodyMemoryLimits) {
    this.#limits = limits;
    this.#all = new ByteBudget(limits.maxIncompleteBytes);
    this.#ofUnknownKeys = new ByteBudget(limits.maxIncompleteBytesOfUnknownKeys);
  }

  /** The share of the keys of a Tenancy, or of all unknown keys. */
  shareOf(tenantId: string | undefined): BodyBudget {
    return {
      take: (bytes) => {
        const share = this.#share(tenantId);
        if (!share.take(bytes)) return false;
        if (this.#all.take(bytes)) return true;
        share.releaseBytes(bytes);
        return false;
      },
      releaseBytes: (bytes) => {
        this.#all.releaseBytes(bytes);
        const share = this.#share(tenantId);
        share.releaseBytes(bytes);
        if (tenantId !== undefined && share.isUnused) this.#byTenancy.delete(tenantId);
      },
    };
  }

  #share(tenantId: string | undefined): ByteBudget {
    if (tenantId === undefined) return this.#ofUnknownKeys;
    const share = this.#byTenancy.get(tenantId) ?? new ByteBudget(this.#limits.maxIncompleteBytesPerTenancy);
    this.#byTenancy.set(tenantId, share);
    return share;
  }
}
