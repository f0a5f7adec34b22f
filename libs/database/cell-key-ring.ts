/** The registered keys of all databases of a cell. A database that does not answer makes only its own keys unknown. */
import type { KeyRing, RegisteredKey, RegisteredTenancy } from '#libs/auth/key-ring.ts';
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
  }

  /** Throws where no current ring has the key and another one is not current. */
  find(fp: string): RegisteredKey | undefined {
    let failure: unknown;
    for (const [index, ring] of this.#rings.entries()) {
      try {
        const key = ring.find(fp);
        // A ring still has the keys of a Tenancy that was moved to another database.
        if (key !== undefined && this.#isHere(index, key.tenancy.id)) return key;
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
}

function firstOf<Item, Value>(items: readonly Item[], find: (item: Item) => Value | undefined): Value | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}
