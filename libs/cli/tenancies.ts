/** `lending tenancy`: opens and closes Tenancies, lists them and sets their bounds. */
import { formatMoment, type Moment } from '#libs/calendar/moment.ts';
import type { BoundsSettings } from '#libs/database/tenancies.ts';
import { boundsAnswer, defaultBounds } from '#libs/http/rate-limits.ts';
import { MARKETS } from '#libs/product/markets/registry.ts';
import { refuse } from '#libs/schema/refusals.ts';
import type { AdministrationReads, NewTenancy, TenancyListing } from '#libs/submission/administration-reads.ts';
import { offeredJurisdictions } from '#libs/tenant/administration-acts.ts';
import { actorOf } from './actor.ts';
import { administer, readAdministration, requireAdmitted } from './admin-command.ts';
import type { ConfirmationOptions } from './command.ts';
import type { AdminOptions } from './commands/admin-options.ts';
import { confirm } from './confirm.ts';
import { keyListings } from './keys.ts';
import { explainNotOpen, unknownTenancy } from './unknown-tenancy.ts';

export type OpenOptions = AdminOptions &
  ConfirmationOptions & {
    readonly name?: string;
    readonly live?: boolean;
    readonly jurisdiction: string;
    readonly timeZone: string;
    /** Opens a closed Tenancy as it was. */
    readonly again?: boolean;
  };

export type CloseOptions = AdminOptions & ConfirmationOptions & { readonly basis: string };

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

function tenancyFields(tenancy: Omit<TenancyListing, 'bounds'>) {
  const { tenantId, name, live, jurisdiction, timeZone, createdAt, closedAt } = tenancy;
  const created_at = formatMoment(createdAt as Moment);
  const closed_at = closedAt === null ? null : formatMoment(closedAt as Moment);
  return { id: tenantId, name, live, jurisdiction, time_zone: timeZone, created_at, closed_at };
}

export function openTenancy(tenantId: string, options: OpenOptions): Promise<void> {
  const { name = tenantId, live = false, jurisdiction, timeZone, again = false, dryRun = false } = options;
  const actor = actorOf(options);
  const opening = { tenantId, name, live, jurisdiction, timeZone };
  if (!again) requireOffered(opening);
  return administer(options, async (administration) => {
    const [existing] = await administration.listTenancies(tenantId);
    if (dryRun) return planOpening(opening, existing, again);
    if (again) return requireAdmitted(explainNotOpen(await administration.reopenTenancy(actor, tenantId), tenantId));
    if (live && existing === undefined) await confirm(openingText(opening), options);
    return requireAdmitted(explainNotOpen(await administration.openTenancy(actor, opening), tenantId));
  });
}

function requireOffered({ live, jurisdiction }: NewTenancy): void {
  const offered = offeredJurisdictions({ live }, MARKETS);
  if (offered.includes(jurisdiction)) return;
  const field = `--jurisdiction of a ${live ? 'live' : 'test'} Tenancy`;
  requireAdmitted(refuse('invalid_field', { field, observed: jurisdiction, bound: offered.join(', ') }));
}

function planOpening(opening: NewTenancy, existing: TenancyListing | undefined, again: boolean): object {
  if (existing !== undefined) return { exists: true, ...tenancyFields(existing) };
  if (again) throw unknownTenancy(opening.tenantId);
  const { tenantId, name, live, jurisdiction, timeZone } = opening;
  return { exists: false, id: tenantId, name, live, jurisdiction, time_zone: timeZone };
}

function openingText({ tenantId, name, jurisdiction, timeZone }: NewTenancy): string {
  return `The live Tenancy ${tenantId} is opened, with the name ${JSON.stringify(name)}, the market ${jurisdiction} and the time zone ${timeZone}.
These are fixed for its life, and a Tenancy is never deleted.`;
}

export function closeTenancy(tenantId: string, options: CloseOptions): Promise<void> {
  const { basis, dryRun = false } = options;
  return administer(options, async (administration) => {
    const [tenancy] = await administration.listTenancies(tenantId);
    if (tenancy === undefined) throw unknownTenancy(tenantId);
    const keys = (await keyListings(administration, tenantId)).filter(({ revoked_at }) => revoked_at === null);
    const revoked_keys = keys.map(({ fp, scope, holder, label }) => ({ fp, scope, holder, label }));
    if (dryRun) return { ...tenancyFields(tenancy), revoked_keys };
    if (tenancy.closedAt === null) await confirm(closingText(tenantId, revoked_keys), options);
    const closed = requireAdmitted(await administration.closeTenancy(actorOf(options), tenantId, basis));
    return { ...closed, revoked_keys };
  });
}

function closingText(tenantId: string, keys: readonly { readonly fp: string; readonly label: string }[]): string {
  const list = keys.map(({ fp, label }) => `\n  ${fp}  ${label}`).join('');
  return `The Tenancy ${tenantId} is closed: its keys are revoked for good, and no request of it is accepted any more.
Its records stay. lending tenancy open ${tenantId} --again opens it again, and new keys must be minted then.
Keys: ${keys.length}${list}`;
}

/** A bound that is not stated stays as it is. */
export function showOrSetBounds(tenantId: string, options: BoundsOptions): Promise<void> {
  const { concurrent, patienceMs, perSecond, burst, default: isDefault } = options;
  const stated = Object.entries({ concurrent, patience_ms: patienceMs, per_second: perSecond, burst }).filter(
    ([, value]) => value !== undefined,
  );
  if (stated.length === 0 && isDefault !== true) {
    return readAdministration(options, async (administration) =>
      boundsInForce(await recordedBounds(administration, tenantId)),
    );
  }
  return administer(options, async (administration) => {
    const recorded = await recordedBounds(administration, tenantId);
    const bounds = isDefault === true ? null : { ...(recorded ?? defaultSettings), ...Object.fromEntries(stated) };
    requireAdmitted(explainNotOpen(await administration.setBounds(actorOf(options), tenantId, bounds), tenantId));
    return boundsInForce(bounds);
  });
}

async function recordedBounds(administration: AdministrationReads, tenantId: string): Promise<BoundsSettings | null> {
  const recorded = await administration.bounds(tenantId);
  if (recorded === undefined) throw unknownTenancy(tenantId);
  return recorded;
}

const defaultSettings: BoundsSettings = boundsAnswer(defaultBounds);

function boundsInForce(recorded: BoundsSettings | null): BoundsSettings & { readonly source: 'default' | 'tenancy' } {
  return recorded === null ? { ...defaultSettings, source: 'default' } : { ...recorded, source: 'tenancy' };
}
