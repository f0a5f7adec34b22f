/** `lending tenancy`: opens Tenancies, lists them and sets their bounds. */
import { formatMoment, type Moment } from '#libs/calendar/moment.ts';
import { boundsAnswer, defaultBounds } from '#libs/http/rate-limits.ts';
import { MARKETS } from '#libs/product/markets/registry.ts';
import { isRefusal, refuse } from '#libs/schema/refusals.ts';
import type { BoundsSettings, TenancyListing } from '#libs/submission/administration-reads.ts';
import { actorOf } from './actor.ts';
import { administer, readAdministration, requireAdmitted } from './admin-command.ts';
import type { AdminOptions } from './commands/admin-options.ts';
import { keyListings } from './keys.ts';
import { unknownTenancy } from './unknown-tenancy.ts';

export type OpenOptions = AdminOptions & {
  readonly name?: string;
  readonly live?: boolean;
  readonly jurisdiction: string;
  readonly timeZone: string;
};

export type BoundsOptions = AdminOptions & {
  readonly concurrent?: number;
  readonly patienceMs?: number;
  readonly perSecond?: number;
  readonly burst?: number;
  readonly default?: boolean;
};

export function listTenancies(options: AdminOptions): Promise<void> {
  return readAdministration(options, async (administration) => {
    const tenancies = await administration.listTenancies();
    return tenancies.map(({ bounds, ...tenancy }) => ({
      ...tenancyFields(tenancy),
      bounds: bounds === null ? 'default' : 'its own',
    }));
  });
}

export function showTenancy(tenantId: string, options: AdminOptions): Promise<void> {
  return readAdministration(options, async (administration) => {
    const [tenancy] = await administration.listTenancies(tenantId);
    if (tenancy === undefined) throw unknownTenancy(tenantId);
    const keys = await keyListings(administration, tenantId);
    return { ...tenancyFields(tenancy), bounds: boundsInForce(tenancy.bounds), keys };
  });
}

function tenancyFields({ tenantId, name, live, jurisdiction, timeZone, createdAt }: Omit<TenancyListing, 'bounds'>) {
  const created_at = formatMoment(createdAt as Moment);
  return { id: tenantId, name, live, jurisdiction, time_zone: timeZone, created_at };
}

export function openTenancy(tenantId: string, options: OpenOptions): Promise<void> {
  const { name = tenantId, live = false, jurisdiction, timeZone } = options;
  return administer(options, async (administration) => {
    const actor = actorOf(options);
    const result = await administration.openTenancy(actor, { tenantId, name, live, jurisdiction, timeZone });
    if (isRefusal(result) && result.details?.field === '/jurisdiction') {
      const field = `--jurisdiction of a ${live ? 'live' : 'test'} Tenancy`;
      return requireAdmitted(refuse('invalid_field', { field, observed: jurisdiction, bound: marketNames(live) }));
    }
    return requireAdmitted(result);
  });
}

function marketNames(live: boolean): string {
  return [...MARKETS.values()]
    .filter(({ isForTests }) => !live || isForTests !== true)
    .map(({ jurisdiction }) => jurisdiction)
    .join(', ');
}

/** A bound that is not stated stays as it is. */
export function showOrSetBounds(tenantId: string, options: BoundsOptions): Promise<void> {
  const { concurrent, patienceMs, perSecond, burst, default: isDefault } = options;
  return administer(options, async (administration) => {
    const recorded = await administration.bounds(tenantId);
    if (recorded === undefined) throw unknownTenancy(tenantId);
    const stated = Object.entries({ concurrent, patience_ms: patienceMs, per_second: perSecond, burst }).filter(
      ([, value]) => value !== undefined,
    );
    if (stated.length === 0 && isDefault !== true) return boundsInForce(recorded);
    const bounds = isDefault === true ? null : { ...(recorded ?? defaultSettings), ...Object.fromEntries(stated) };
    requireAdmitted(await administration.setBounds(actorOf(options), tenantId, bounds));
    return boundsInForce(bounds);
  });
}

const defaultSettings: BoundsSettings = boundsAnswer(defaultBounds);

function boundsInForce(recorded: BoundsSettings | null): BoundsSettings & { readonly source: 'default' | 'tenancy' } {
  return recorded === null ? { ...defaultSettings, source: 'default' } : { ...recorded, source: 'tenancy' };
}
