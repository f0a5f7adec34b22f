import type { KeyObject } from 'node:crypto';
import { fingerprint } from '#libs/auth/fingerprint.ts';
import { keyFault } from '#libs/auth/point.ts';
import { keyObject } from '#libs/auth/verify.ts';
import type { Bounds } from '#libs/http/rate-limits.ts';

export type Scope = 'read' | 'write';
export type KeyHolder = 'service' | 'agent';

/** What the door and the handlers know of a Tenancy without asking anybody. */
export interface RegisteredTenancy {
  readonly id: string;
  readonly live: boolean;
  /** Its home market. */
  readonly jurisdiction: string;
  readonly timeZone: string;
  /** Absent where the default bounds are in force. */
  readonly bounds?: Bounds;
}

export interface RegisteredKey {
  readonly fp: string;
  readonly tenancy: RegisteredTenancy;
  readonly scope: Scope;
  readonly holder: KeyHolder;
  readonly publicKey: Uint8Array;
  readonly verifier: KeyObject;
}

/**
 * The keys that stand, asked once for each request and answered from memory. Where the ring cannot vouch that it knows
 * of every revocation older than a second, `find` throws `StoreUnavailable` rather than answer.
 */
export interface KeyRing {
  find(fp: string): RegisteredKey | undefined;
  /** To be waited for, as often as it is said, before a key is looked for: what is known may be too old just now. */
  current?(): Promise<void> | undefined;
}

export interface KeyRecord {
  readonly publicKey: Uint8Array;
  readonly tenantId: string;
  readonly scope: Scope;
  readonly holder: KeyHolder;
}

/** A ring held in memory, kept current by whoever watches the store. */
export class KeyTable implements KeyRing {
  readonly #tenancies = new Map<string, RegisteredTenancy>();
  readonly #keys = new Map<string, Omit<RegisteredKey, 'tenancy'> & { readonly tenantId: string }>();

  find(fp: string): RegisteredKey | undefined {
    const key = this.#keys.get(fp);
    const tenancy = key && this.#tenancies.get(key.tenantId);
    return key && tenancy && { ...key, tenancy };
  }

  tenancy(id: string): RegisteredTenancy | undefined {
    return this.#tenancies.get(id);
  }

  putTenancy(tenancy: RegisteredTenancy): void {
    this.#tenancies.set(tenancy.id, tenancy);
  }

  /** A key that was no key to register is not let in by a store that holds it all the same. */
  putKey({ publicKey, tenantId, scope, holder }: KeyRecord): void {
    const fp = fingerprint(publicKey);
    if (this.#keys.has(fp)) return;
    if (keyFault(publicKey) !== undefined) throw new Error(`key ${fp} is no key to register`);
    this.#keys.set(fp, { fp, tenantId, scope, holder, publicKey, verifier: keyObject(publicKey) });
  }

  revoke(fp: string): void {
    this.#keys.delete(fp);
  }
}
