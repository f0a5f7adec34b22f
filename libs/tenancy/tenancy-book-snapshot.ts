/** The snapshot of a Tenancy's book. A snapshot of another format is dropped and the book folded from its facts. */
import type { Configuration } from '#libs/tenancy/configurations.ts';
import type { Tenancy, TenancyBook, TenancyKey } from '#libs/tenancy/tenancy-book-state.ts';

/** Raised whenever what is written below reads differently. */
const format = 1;

interface Snapshot {
  readonly format: number;
  readonly tenantId: string;
  readonly tenancy?: Tenancy;
  readonly keys: readonly TenancyKey[];
  readonly configurations: readonly Configuration[];
}

export function encodeBook({ tenantId, tenancy, keys, configurations }: TenancyBook): string {
  const snapshot: Snapshot = {
    format,
    tenantId,
    ...(tenancy === undefined ? {} : { tenancy }),
    keys: [...keys.values()],
    configurations: [...configurations.values()],
  };
  return JSON.stringify(snapshot);
}

export function decodeBook(text: string): TenancyBook | undefined {
  const snapshot = JSON.parse(text) as Snapshot;
  if (snapshot.format !== format) return undefined;
  const { tenantId, tenancy, keys, configurations } = snapshot;
  return {
    tenantId,
    ...(tenancy === undefined ? {} : { tenancy }),
    keys: new Map(keys.map((key) => [key.fp, key])),
    configurations: new Map(configurations.map((each) => [each.id, each])),
  };
}
