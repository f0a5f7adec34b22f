/** The snapshot of a Tenancy's book. A snapshot of another format is dropped and the book folded from its facts. */

import type { Adoption, PolicyVersion } from '#libs/credit/lifecycle.ts';
import type { Configuration } from '#libs/product/configurations.ts';
import type { JsonObject } from '#libs/schema/json.ts';
import type { KeyEntry } from '#libs/tenant/lookup-keys.ts';
import type { Tenancy, TenancyBook, TenancyKey } from '#libs/tenant/tenancy-book-state.ts';

/** Raised whenever what is written below reads differently. */
const format = 3;

interface Snapshot {
  readonly format: number;
  readonly tenantId: string;
  readonly tenancy?: Tenancy;
  readonly keys: readonly TenancyKey[];
  readonly configurations: readonly Configuration[];
  readonly lookupKeys: readonly (readonly [lookupKey: string, entries: readonly KeyEntry[]])[];
  /** Of one policy after the other, each oldest first. */
  readonly policyVersions: readonly PolicyVersion[];
  readonly adoptions: readonly Adoption[];
  readonly companyProfile?: JsonObject;
}

export function encodeBook(book: TenancyBook): string {
  const { tenantId, tenancy, keys, configurations, lookupKeys, policies, companyProfile } = book;
  const snapshot: Snapshot = {
    format,
    tenantId,
    ...(tenancy === undefined ? {} : { tenancy }),
    keys: [...keys.values()],
    configurations: [...configurations.values()],
    lookupKeys: [...lookupKeys],
    policyVersions: [...policies.versions.values()].flat(),
    adoptions: [...policies.adoptions.values()],
    ...(companyProfile === undefined ? {} : { companyProfile }),
  };
  return JSON.stringify(snapshot);
}

export function decodeBook(text: string): TenancyBook | undefined {
  // Asked of the text: what is of another format may be no JSON at all.
  if (!text.startsWith(`{"format":${format},`)) return undefined;
  const snapshot = JSON.parse(text) as Snapshot;
  const { tenantId, tenancy, keys, configurations, lookupKeys, policyVersions, adoptions, companyProfile } = snapshot;
  return {
    tenantId,
    ...(tenancy === undefined ? {} : { tenancy }),
    keys: new Map(keys.map((key) => [key.fp, key])),
    configurations: new Map(configurations.map((each) => [each.id, each])),
    lookupKeys: new Map(lookupKeys),
    policies: {
      versions: Map.groupBy(policyVersions, ({ policy }) => policy),
      adoptions: new Map(adoptions.map((each) => [each.configuration_id, each])),
    },
    ...(companyProfile === undefined ? {} : { companyProfile }),
  };
}
