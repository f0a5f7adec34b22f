/** The Tenancy's own book as a value, and its snapshot. */

import type { Moment } from '#libs/calendar/moment.ts';
import { type Adoption, noPolicies, type Policies, type PolicyVersion } from '#libs/credit/policy-lifecycle.ts';
import type { KeyRow, TenancyRow } from '#libs/ledger/book-decider.ts';
import { type Configuration, type Configurations, NO_CONFIGURATIONS } from '#libs/product/configurations.ts';
import type { Market, Markets } from '#libs/product/markets/market.ts';
import { marketOf } from '#libs/product/markets/registry.ts';
import type { JsonObject } from '#libs/schema/json.ts';
import { type LookupKeyEntry, type LookupKeys, NO_LOOKUP_KEYS } from '#libs/tenant/lookup-keys.ts';

/** The tables derived from the book have the same members. */
export type Tenancy = Omit<TenancyRow, 'tenantId'>;
export type TenancyKey = KeyRow;

/** Immutable. */
export interface TenancyBook {
  readonly tenantId: string;
  readonly tenancy?: Tenancy;
  /** Present while it is closed: then no key is valid and none can be minted. */
  readonly closedAt?: Moment;
  readonly keys: ReadonlyMap<string, TenancyKey>;
  readonly configurations: Configurations;
  readonly lookupKeys: LookupKeys;
  readonly policies: Policies;
  /** Absent until a profile is put. */
  readonly companyProfile?: JsonObject;
}

export function emptyTenancyBook(tenantId: string): TenancyBook {
  return {
    tenantId,
    keys: new Map(),
    configurations: NO_CONFIGURATIONS,
    lookupKeys: NO_LOOKUP_KEYS,
    policies: noPolicies,
  };
}

export function homeMarket(book: TenancyBook, markets: Markets): Market {
  const jurisdiction = book.tenancy?.jurisdiction;
  const market = marketOf(jurisdiction ?? '', markets);
  if (market === undefined) throw new Error(`no market for jurisdiction ${jurisdiction} of Tenancy ${book.tenantId}`);
  return market;
}

/** Raise this number whenever the snapshot reads differently. A snapshot of another format is dropped. */
const snapshotFormat = 4;

interface TenancySnapshot {
  readonly format: number;
  readonly tenantId: string;
  readonly tenancy?: Tenancy;
  readonly closedAt?: Moment;
  readonly keys: readonly TenancyKey[];
  readonly configurations: readonly Configuration[];
  readonly lookupKeys: readonly (readonly [lookupKey: string, entries: readonly LookupKeyEntry[]])[];
  /** Policy by policy, the versions of each oldest first. */
  readonly policyVersions: readonly PolicyVersion[];
  readonly adoptions: readonly Adoption[];
  readonly companyProfile?: JsonObject;
}

export function encodeTenancyBook(book: TenancyBook): string {
  const { tenantId, tenancy, closedAt, keys, configurations, lookupKeys, policies, companyProfile } = book;
  const snapshot: TenancySnapshot = {
    format: snapshotFormat,
    tenantId,
    ...(tenancy === undefined ? {} : { tenancy }),
    ...(closedAt === undefined ? {} : { closedAt }),
    keys: [...keys.values()],
    configurations: [...configurations.values()],
    lookupKeys: [...lookupKeys],
    policyVersions: [...policies.versions.values()].flat(),
    adoptions: [...policies.adoptions.values()],
    ...(companyProfile === undefined ? {} : { companyProfile }),
  };
  return JSON.stringify(snapshot);
}

export function decodeTenancyBook(text: string): TenancyBook | undefined {
  // Checked before parsing: a text of another format may be no JSON at all.
  if (!text.startsWith(`{"format":${snapshotFormat},`)) return undefined;
  const snapshot: TenancySnapshot = JSON.parse(text);
  const { tenantId, tenancy, closedAt, keys, configurations, lookupKeys, policyVersions, adoptions, companyProfile } =
    snapshot;
  return {
    tenantId,
    ...(tenancy === undefined ? {} : { tenancy }),
    ...(closedAt === undefined ? {} : { closedAt }),
    keys: new Map(keys.map((key) => [key.fp, key])),
    configurations: new Map(configurations.map((configuration) => [configuration.id, configuration])),
    lookupKeys: new Map(lookupKeys),
    policies: {
      versions: Map.groupBy(policyVersions, ({ policy }) => policy),
      adoptions: new Map(adoptions.map((adoption) => [adoption.configuration_id, adoption])),
    },
    ...(companyProfile === undefined ? {} : { companyProfile }),
  };
}
