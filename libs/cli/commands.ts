/** What the command line does, as a table. Answers are JSON on standard output; a refusal is an error. */
import { isIdentifier } from '#libs/contract/form.ts';
import { isRefusal, type Refusal } from '#libs/contract/refusals.ts';
import type { Administration } from '#libs/submission/administration.ts';
import { formatMoment, type Moment } from '#libs/turn/moment.ts';
import { mint } from './mint.ts';

/** What the person typed is not a command of ours: told with how it is used. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export type Typed = {
  readonly positionals: readonly string[];
  readonly options: Readonly<Record<string, string | boolean | readonly string[] | undefined>>;
  readonly actor: string;
};

export type Command = {
  readonly usage: string;
  readonly what: string;
  readonly run: (administration: Administration, typed: Typed) => Promise<unknown>;
};

export const commands: Readonly<Record<string, Command>> = {
  'tenancy open': {
    usage: 'tenancy open ID [--name TEXT] [--live] [--jurisdiction MX] [--time-zone America/Mexico_City]',
    what: 'opens a Tenancy; one already opened the same way is answered again',
    run: openTenancy,
  },
  'key mint': {
    usage: 'key mint TENANCY --scope read|write [--holder service|agent] [--label TEXT]',
    what: 'makes a key pair, records the public half and shows the secret, once',
    run: mintKey,
  },
  'key revoke': {
    usage: 'key revoke TENANCY FP',
    what: 'ends a key within a second, everywhere and for good',
    run: async (administration, { positionals, actor }) =>
      settled(await administration.revokeKey(actor, tenancyOf(positionals), must(positionals[1], 'FP'))),
  },
  'key list': {
    usage: 'key list TENANCY',
    what: 'lists the keys of a Tenancy, revoked ones too',
    run: listKeys,
  },
};

async function openTenancy(administration: Administration, { positionals, options, actor }: Typed): Promise<unknown> {
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

async function mintKey(administration: Administration, { positionals, options, actor }: Typed): Promise<unknown> {
  const tenantId = tenancyOf(positionals);
  const scope = oneOf('--scope', options['scope'], ['read', 'write'] as const);
  const holder = oneOf('--holder', options['holder'] ?? 'service', ['service', 'agent'] as const);
  const label = text(options['label']) ?? `${holder} ${scope}`;
  const minted = settled(await mint(administration, actor, { tenantId, scope, holder, label }));
  return { fp: minted.fp, tenant_id: tenantId, scope, holder, label, secret: minted.secret };
}

async function listKeys(administration: Administration, { positionals }: Typed): Promise<unknown> {
  const keys = await administration.listKeys(tenancyOf(positionals));
  return keys.map(({ fp, scope, holder, label, createdAt, revokedAt }) => ({
    fp,
    scope,
    holder,
    label,
    created_at: formatMoment(createdAt as Moment),
    revoked_at: revokedAt === null ? null : formatMoment(revokedAt as Moment),
  }));
}

function settled<Done>(done: Done | Refusal): Done {
  if (isRefusal(done)) throw new Error(`refused: ${done.code} ${JSON.stringify(done.details ?? {})}`);
  return done;
}

function tenancyOf([id]: readonly string[]): string {
  if (!isIdentifier(must(id, 'the Tenancy'))) throw new UsageError('a Tenancy is 1 to 64 letters, digits, - and _');
  return id as string;
}

function must(value: string | undefined, what: string): string {
  if (value === undefined) throw new UsageError(`${what} is missing`);
  return value;
}

function text(value: Typed['options'][string]): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function oneOf<const Word extends string>(name: string, value: unknown, words: readonly Word[]): Word {
  const found = words.find((word) => word === value);
  if (found === undefined) throw new UsageError(`${name} is ${words.join(' or ')}`);
  return found;
}

function timeZone(name: string): string {
  if (!Intl.supportedValuesOf('timeZone').includes(name)) throw new UsageError(`${name} is no time zone`);
  return name;
}
