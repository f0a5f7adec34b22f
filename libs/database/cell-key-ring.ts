/** The registered keys of all databases of a cell. A database that does not answer makes only its own keys unknown. */
import type { KeyRing, RegisteredKey, RegisteredTenancy } from '#libs/auth/key-ring.ts';
import { DependencyUnavailableError } from '#libs/runtime/dependency.ts';
import type { Database } from './database.ts';
import type { PartitionDatabases } from './partition-databases.ts';
import type { PolledKeyRing } from './polled-key-ring.ts';
import { tenancyBook } from './tenancies.ts';

export class CellKeyRing implements KeyRing {
  readonly #databases: PartitionDatabases;
  readonly #rings: readonly PolledKeyRing[];

  /** The rings in the order of the databases. */
  constructor(databases: PartitionDatabases, rings: readonly PolledKeyRing[]) {
    this.#databases = databases;
    this.#rings = rings;
    // Until the placement is read again, the keys of a partition that was moved are unknown.
    for (const ring of rings) ring.onPartitionsChanged(() => void databases.refresh().catch(() => undefined));
  }

  /** Throws where no current ring has the key and another one is not current. */
  find(fp: string): RegisteredKey | undefined {
    let failure: unknown;
    for (const [index, ring] of this.#rings.entries()) {
      try {
        const key = ring.find(fp);
        // A ring still has the keys of a Tenancy that was moved to another database.
        if (key === undefined || !this.#isHere(index, key.tenancy.id)) continue;
        this.#requireCurrent(ring, key.tenancy.id);
        return key;
      } catch (cause) {
        failure = cause;
      }
    }
    if (failure !== undefined) throw failure;
    return undefined;
  }

  lastKnownTenancyId(fp: string): string | undefined {
    return firstOf(this.#rings, (ring) => ring.lastKnownTenancyId(fp));
  }

  refreshed(): Promise<void> | undefined {
    const refreshing = this.#rings.map((ring) => ring.refreshed()).filter((each) => each !== undefined);
    return refreshing.length === 0 ? undefined : Promise.all(refreshing).then(() => undefined);
  }

  tenancy(id: string): RegisteredTenancy | undefined {
    return this.#rings.find((_, index) => this.#isHere(index, id))?.tenancy(id);
  }

  #isHere(index: number, tenantId: string): boolean {
    return this.#databases.isHere(this.#databases.all[index] as Database, tenancyBook(tenantId));
  }

  /** A placement that was read before a move leads to the former database, where no key is revoked any more. */
  #requireCurrent(ring: PolledKeyRing, tenantId: string): void {
    if (!this.#databases.hasSeveral || ring.hasPartition(this.#databases.partitionOf(tenancyBook(tenantId)))) return;
    throw new DependencyUnavailableError('the placement of partitions');
  }
}

function firstOf<Item, Value>(items: readonly Item[], find: (item: Item) => Value | undefined): Value | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}
