/**
 * What a submission had looked up where it entered: the product version, the policy that decided. It travels in the log
 * of submissions and nowhere else, so it is known for as long as that keeps it; what an issuance names never changes and
 * is looked up again.
 */

import type { Database } from '#libs/database/database.ts';
import { openLocations } from '#libs/database/locations.ts';
import { namedByIssuance } from '#libs/database/named-by-issuance.ts';
import type { Json, JsonObject } from '#libs/schema/json.ts';

interface Place {
  readonly tenant_id: string;
  readonly partition: number;
  readonly offset: number;
  readonly item: number;
}

export class LookedUp {
  readonly #locations: ReturnType<typeof openLocations>;
  /** By partition, offset and item; texts that are the same are kept once. */
  readonly #logged = new Map<string, string>();
  readonly #texts = new Map<string, string>();

  constructor(database: Database) {
    this.#locations = openLocations(database);
  }

  keep({ partition, offset, item }: Omit<Place, 'tenant_id'>, resolved: string): void {
    const text = this.#texts.get(resolved) ?? resolved;
    this.#texts.set(text, text);
    this.#logged.set(`${partition}/${offset}/${item}`, text);
  }

  /** Null where nothing was looked up, or where nobody knows any more what was. */
  async by(
    place: Place,
    { operation, body }: { readonly operation: string; readonly body: JsonObject },
  ): Promise<Json> {
    const logged = this.#logged.get(`${place.partition}/${place.offset}/${place.item}`);
    const text =
      logged ??
      (operation === 'issueLoan'
        ? await namedByIssuance(this.#locations, { tenantId: place.tenant_id, body })
        : undefined);
    return text === undefined ? null : (JSON.parse(text) as Json);
  }
}
