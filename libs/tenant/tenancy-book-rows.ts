/** The tables that follow the Tenancy's book: what the door, the ingress and the listings look things up in. */

import type { ConfigurationRow, DerivedRows, KeyRow, TenancyRow } from '#libs/ledger/book-decider.ts';
import type { Markets } from '#libs/product/markets/market.ts';
import { configurationText } from '#libs/tenant/tenancy-book-configurations.ts';
import type { TenancyBook } from '#libs/tenant/tenancy-book-state.ts';

export function derived(before: TenancyBook, after: TenancyBook, markets: Markets): DerivedRows {
  return {
    tenancies: tenancyRows(before, after),
    keys: keyRows(before, after),
    configurations: configurationRows(before, after, markets),
  };
}

function tenancyRows(before: TenancyBook, after: TenancyBook): TenancyRow[] {
  const { tenancy, tenantId } = after;
  return tenancy === undefined || tenancy === before.tenancy ? [] : [{ tenantId, ...tenancy }];
}

function keyRows(before: TenancyBook, after: TenancyBook): KeyRow[] {
  if (before.keys === after.keys) return [];
  return [...after.keys.values()].filter((key) => before.keys.get(key.fp) !== key);
}

function configurationRows(before: TenancyBook, after: TenancyBook, markets: Markets): ConfigurationRow[] {
  if (before.configurations === after.configurations) return [];
  const rows: ConfigurationRow[] = [];
  for (const { id, archetype, versions } of after.configurations.values()) {
    const known = before.configurations.get(id)?.versions.length ?? 0;
    for (const [at, { values, recordedAt }] of versions.entries()) {
      if (at < known) continue;
      const answer = configurationText(after, id, at + 1, markets);
      const stated = JSON.stringify(values);
      rows.push({ configurationId: id, version: at + 1, archetype, createdAt: recordedAt, values: stated, answer });
    }
  }
  return rows;
}
