/** The registered keys, looked up once per request, from memory. */
import type { KeyObject } from 'node:crypto';
import { fingerprint } from '#libs/auth/signing-scheme.ts';
import { createKeyObject } from '#libs/auth/verify.ts';
import { publicKeyFault } from './verify.ts';

export type Scope = 'read' | 'write';
export type KeyHolder = 'service' | 'agent';

/** What one Tenancy may request of one serving instance, all its keys together. */
export interface TenancyBounds {
  readonly maxConcurrent: number;
  readonly maxWaitMs: number;
  readonly requestsPerSecond: number;
  readonly burst: number;
}

/** What the request pipeline and the handlers know of a Tenancy without a query. */
export interface RegisteredTenancy {
  readonly id: string;
  readonly live: boolean;
  /** Its home market. */
  readonly jurisdiction: string;
  readonly timeZone: string;
  /** Absent where the default bounds apply. */
  readonly bounds?: TenancyBounds;
}

export interface RegisteredKey {
  readonly fp: string;
  readonly tenancy: RegisteredTenancy;
  readonly scope: Scope;
  readonly holder: KeyHolder;
  readonly publicKey: Uint8Array;
  readonly verifier: KeyObject;
}

export interface KeyRing {
  /** Throws `DependencyUnavailableError` where a revocation older than a second might not be known yet. */
  find(fp: string): RegisteredKey | undefined;
  /** The Tenancy of a key as last known: tells callers apart before they are authenticated, and may be out of date. */
  lastKnownTenancyId(fp: string): string | undefined;
  /** Defined while the known keys are too old: await it, then call it again, until it is undefined. */
  refreshed?(): Promise<void> | undefined;
}

export interface KeyRegistration {
  readonly publicKey: Uint8Array;
  readonly tenantId: string;
  readonly scope: Scope;
  readonly holder: KeyHolder;
}

export class InMemoryKeyRing implements KeyRing {
  readonly #tenancies = new Map<string, RegisteredTenancy>();
  readonly #keys = new Map<string, Omit<RegisteredKey, 'tenancy'> & { readonly tenantId: string }>();

  find(fp: string): RegisteredKey | undefined {
    const key = this.#keys.get(fp);
    const tenancy = key && this.#tenancies.get(key.tenantId);
    return key && tenancy && { ...key, tenancy };
  }

  lastKnownTenancyId(fp: string): string | undefined {
    return this.#keys.get(fp)?.tenantId;
  }

  tenancy(id: string): RegisteredTenancy | undefined {
    return this.#tenancies.get(id);
  }

  putTenancy(tenancy: RegisteredTenancy): void {
    this.#tenancies.set(tenancy.id, tenancy);
  }

  /** Throws for a key that must not be registered, even if the database contains it. */
  putKey({ publicKey, tenantId, scope, holder }: KeyRegistration): void {
    const fp = fingerprint(publicKey);
    if (this.#keys.has(fp)) return;
    const fault = publicKeyFault(publicKey);
    if (fault !== undefined) throw new Error(`key ${fp} is not a usable Ed25519 public key: ${fault}`);
    this.#keys.set(fp, { fp, tenantId, scope, holder, publicKey, verifier: createKeyObject(publicKey) });
  }

  revoke(fp: string): void {
    this.#keys.delete(fp);
  }
}
