/** The registered keys of all databases of a cell. A database that does not answer makes only its own keys unknown. */
import type { KeyRing, RegisteredKey, RegisteredTenancy } from '#libs/auth/key-ring.ts';
import type { PolledKeyRing } from './polled-key-ring.ts';

export class CellKeyRing implements KeyRing {
  readonly #rings: readonly PolledKeyRing[];

  /** Of each database. */
  constructor(rings: readonly PolledKeyRing[]) {
    this.#rings = rings;
  }

  /** Throws where no current ring has the key and another one is not current. */
  find(fp: string): RegisteredKey | undefined {
    let failure: unknown;
    for (const ring of this.#rings) {
      try {
        const key = ring.find(fp);
        if (key !== undefined) return key;
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
    return firstOf(this.#rings, (ring) => ring.tenancy(id));
  }
}

function firstOf<Item, Value>(items: readonly Item[], find: (item: Item) => Value | undefined): Value | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}
