/** The keys of every Tenancy as its own book says, with their life. */
import type { KeyRow } from '#libs/ledger/book-decider.ts';
import type { RecordedKey } from './signature.ts';

export interface StandingKey extends RecordedKey {
  readonly scope: string;
}

export class StandingKeys {
  readonly #keys = new Map<string, StandingKey>();

  add(tenantId: string, { fp, publicKey, scope, createdAt, revokedAt }: KeyRow): void {
    this.#keys.set(`${tenantId}/${fp}`, { publicKey: Buffer.from(publicKey, 'hex'), scope, createdAt, revokedAt });
  }

  of(tenantId: string, fp: string): StandingKey | undefined {
    return this.#keys.get(`${tenantId}/${fp}`);
  }
}
