/** Tenancies and their keys. */

import { formatMoment, type Moment } from '#libs/calendar/moment.ts';
import { isIdentifier } from '#libs/schema/form.ts';
import { isRefusal } from '#libs/schema/refusals.ts';
import type { Administration } from '#libs/submission/administration.ts';
import { type Administering, administered, settled } from './administered.ts';
import { must, oneOf, text, UsageError } from './command.ts';
import { mint } from './mint.ts';

export const openTenancy = administered({
  usage: 'tenancy open ID [--name TEXT] [--live] [--jurisdiction MX] [--time-zone America/Mexico_City]',
  what: 'opens a Tenancy; one already opened the same way is answered again',
  options: { name: 'text', live: 'flag', jurisdiction: 'text', 'time-zone': 'text' },
  act: opened,
});

export const mintKey = administered({
  usage: 'key mint TENANCY --scope read|write [--holder service|agent] [--label TEXT]',
  what: 'makes a key pair, records the public half and shows the secret, once',
  options: { scope: 'text', holder: 'text', label: 'text' },
  act: minted,
});

export const revokeKey = administered({
  usage: 'key revoke TENANCY FP',
  what: 'ends a key within a second, everywhere and for good',
  act: revoked,
});

export const listKeys = administered({
  usage: 'key list TENANCY',
  what: 'lists the keys of a Tenancy, revoked ones too',
  act: listed,
});

async function opened(
  administration: Administration,
  { positionals, options, actor }: Administering,
): Promise<unknown> {
  const tenantId = tenancyOf(positionals);
  return settled(
    await administration.openTenancy(actor, {
      tenantId,
      name: text(options['name']) ?? tenantId,
      live: options['live'] === true,
      jurisdiction: text(options['jurisdiction']) ?? 'MX',
      timeZone: timeZone(text(options['time-zone']) ?? 'America/Mexico_City'),
    }),
  );
}

async function minted(
  administration: Administration,
  { positionals, options, actor }: Administering,
): Promise<unknown> {
  const tenantId = tenancyOf(positionals);
  const scope = oneOf('--scope', options['scope'], ['read', 'write'] as const);
  const holder = oneOf('--holder', options['holder'] ?? 'service', ['service', 'agent'] as const);
  const label = text(options['label']) ?? `${holder} ${scope}`;
  const done = await mint(administration, actor, { tenantId, scope, holder, label });
  if (isRefusal(done) && done.code === 'not_found') throw noTenancy(tenantId);
  const key = settled(done);
  return { fp: key.fp, tenant_id: tenantId, scope, holder, label, secret: key.secret };
}

async function revoked(administration: Administration, { positionals, actor }: Administering): Promise<unknown> {
  const [tenantId, fp] = [tenancyOf(positionals), must(positionals[1], 'FP')];
  const done = await administration.revokeKey(actor, tenantId, fp);
  if (isRefusal(done) && done.code === 'not_found') {
    await mustBeOpen(administration, tenantId);
    throw new Error(`the Tenancy ${tenantId} has no key ${fp}; key list tells which it has`);
  }
  return settled(done);
}

async function listed(administration: Administration, { positionals }: Administering): Promise<unknown> {
  const tenantId = tenancyOf(positionals);
  const keys = await administration.listKeys(tenantId);
  if (keys.length === 0) await mustBeOpen(administration, tenantId);
  return keys.map(({ fp, scope, holder, label, createdAt, revokedAt }) => ({
    fp,
    scope,
    holder,
    label,
    created_at: formatMoment(createdAt as Moment),
    revoked_at: revokedAt === null ? null : formatMoment(revokedAt as Moment),
  }));
}

async function mustBeOpen(administration: Administration, tenantId: string): Promise<void> {
  if ((await administration.isLive(tenantId)) === undefined) throw noTenancy(tenantId);
}

function noTenancy(tenantId: string): Error {
  return new Error(`there is no Tenancy ${tenantId}; lending tenancy open ${tenantId} opens it`);
}

function tenancyOf([id]: readonly string[]): string {
  if (!isIdentifier(must(id, 'the Tenancy'))) throw new UsageError('a Tenancy is 1 to 64 letters, digits, - and _');
  return id as string;
}

function timeZone(name: string): string {
  if (!Intl.supportedValuesOf('timeZone').includes(name)) throw new UsageError(`${name} is no time zone`);
  return name;
}
