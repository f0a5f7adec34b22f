/** The registered keys of all databases of a cell. A database that does not answer makes only its own keys unknown. */
import type { KeyRing, RegisteredKey, RegisteredTenancy } from '#libs/auth/key-ring.ts';
import { withTimeout } from '#libs/kafka/with-timeout.ts';
import { DependencyUnavailableError } from '#libs/runtime/dependency.ts';
import type { Database } from './database.ts';
import type { PartitionDatabases } from './partition-databases.ts';
import type { PolledKeyRing } from './polled-key-ring.ts';
import { tenancyBook } from './tenancies.ts';

/** For a database that does not answer: then only the keys on which both readings do not agree are unknown. */
const maxWaitMs = 500;

export class CellKeyRing implements KeyRing {
  readonly #databases: PartitionDatabases;
  readonly #rings: readonly PolledKeyRing[];
  /** After a move, until the placement and the keys are both of now. */
  #reading: Promise<void> | undefined;

  /** The rings in the order of the databases. */
  constructor(databases: PartitionDatabases, rings: readonly PolledKeyRing[]) {
    this.#databases = databases;
    this.#rings = rings;
    for (const ring of rings) ring.onPartitionsChanged(() => this.#readAgain());
    databases.onChanged(() => this.#readAgain());
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
    if (this.#reading !== undefined) return this.#reading;
    const refreshing = this.#rings.map((ring) => ring.refreshed()).filter((each) => each !== undefined);
    return refreshing.length === 0 ? undefined : Promise.all(refreshing).then(() => undefined);
  }

  tenancy(id: string): RegisteredTenancy | undefined {
    return this.#rings.find((_, index) => this.#isHere(index, id))?.tenancy(id);
  }

  #isHere(index: number, tenantId: string): boolean {
    return this.#databases.isHere(this.#databases.all[index] as Database, tenancyBook(tenantId));
  }

  /** Requests wait for it: between the two readings a partition that was moved seems to be nowhere. */
  #readAgain(): void {
    const before = this.#reading ?? Promise.resolve();
    const reading = before
      .then(() => withTimeout(this.#readAll(), maxWaitMs))
      .catch(() => undefined)
      .then(() => {
        if (this.#reading === reading) this.#reading = undefined;
      });
    this.#reading = reading;
  }

  async #readAll(): Promise<void> {
    // The first may be a read that was under way before the change.
    await this.#databases.refresh();
    await this.#databases.refresh();
    await Promise.all(this.#rings.map((ring) => ring.readAgain()));
  }

  /** A placement that was read before a move leads to the former database, where no key is revoked any more. */
  #requireCurrent(ring: PolledKeyRing, tenantId: string): void {
    if (ring.hasAllPartitions || ring.hasPartition(this.#databases.partitionOf(tenancyBook(tenantId)))) return;
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
