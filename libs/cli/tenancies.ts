/** `lending tenancy` and `lending key`: opens Tenancies and administers their keys. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import { generateKey } from '#libs/auth/signer.ts';
import { formatMoment, type Moment } from '#libs/calendar/moment.ts';
import { boundsAnswer, defaultBounds } from '#libs/http/rate-limits.ts';
import { isRefusal, type Refusal } from '#libs/schema/refusals.ts';
import type { Administration, BoundsSettings, NewKeyRequest } from '#libs/submission/administration.ts';
import { type AdminOptions, addAdminOptions, administer, requireAdmitted } from './admin-command.ts';
import { parseTenancyId, wholeNumberParser } from './command.ts';

export function addTenancyCommands(program: Command): void {
  const tenancy = program.command('tenancy').description('open a Tenancy and set its bounds');
  const open = tenancy
    .command('open')
    .description('open a Tenancy; the same command again returns the same Tenancy')
    .argument('<tenancy>', 'its id: 1 to 64 letters, digits, - and _', parseTenancyId)
    .option('--name <text>', 'its name (default: its id)')
    .option('--live', 'a live Tenancy, whose keys are live keys')
    .option('--jurisdiction <market>', 'the market whose law applies; ZZ is for tests and refused with --live', 'MX')
    .option('--time-zone <zone>', 'an IANA time zone', parseTimeZone, 'America/Mexico_City');
  addAdminOptions(open).action((tenantId: string, options: OpenOptions) =>
    administer(options, (administration) => openTenancy(administration, tenantId, options)),
  );

  const bounds = tenancy
    .command('bounds')
    .description('show or change the request bounds of a Tenancy; those not stated stay; in force within a second')
    .argument('<tenancy>', 'its id', parseTenancyId)
    .option('--concurrent <number>', 'requests in progress at once, per instance', parseBound)
    .option('--patience-ms <number>', 'how long a request waits for its turn', parseBound)
    .option('--per-second <number>', 'requests per second, per instance', parseBound)
    .option('--burst <number>', 'requests at once after a pause', parseBound)
    .addOption(
      new Option('--default', 'the default bounds again').conflicts(['concurrent', 'patienceMs', 'perSecond', 'burst']),
    );
  addAdminOptions(bounds).action((tenantId: string, options: BoundsOptions) =>
    administer(options, (administration) => showOrSetBounds(administration, tenantId, options)),
  );

  const key = program.command('key').description('mint, list and revoke the keys of a Tenancy');
  const mint = key
    .command('mint')
    .description('create a key pair, record its public half and print the secret, once')
    .argument('<tenancy>', 'its id', parseTenancyId)
    .addOption(new Option('--scope <scope>', 'what the key may do').choices(['read', 'write']).makeOptionMandatory())
    .addOption(new Option('--holder <holder>', 'who signs with it').choices(['service', 'agent']).default('service'))
    .option('--label <text>', 'a note in the list of keys (default: holder and scope)');
  addAdminOptions(mint).action((tenantId: string, options: MintOptions) =>
    administer(options, (administration) => mintForOperator(administration, tenantId, options)),
  );
  const list = key
    .command('list')
    .description('list the keys of a Tenancy, with the revoked ones')
    .argument('<tenancy>', 'its id', parseTenancyId);
  addAdminOptions(list).action((tenantId: string, options: AdminOptions) =>
    administer(options, (administration) => listKeys(administration, tenantId)),
  );
  const revoke = key
    .command('revoke')
    .description('revoke a key for good; all instances refuse it within a second')
    .argument('<tenancy>', 'its id', parseTenancyId)
    .argument('<fingerprint>', 'the fp of the key, as key list prints it');
  addAdminOptions(revoke).action((tenantId: string, fingerprint: string, options: AdminOptions) =>
    administer(options, (administration) => revokeKey(administration, options.actor, tenantId, fingerprint)),
  );
}

type OpenOptions = AdminOptions & {
  readonly name?: string;
  readonly live?: boolean;
  readonly jurisdiction: string;
  readonly timeZone: string;
};

type BoundsOptions = AdminOptions & {
  readonly concurrent?: number;
  readonly patienceMs?: number;
  readonly perSecond?: number;
  readonly burst?: number;
  readonly default?: boolean;
};

type MintOptions = AdminOptions & {
  readonly scope: NewKeyRequest['scope'];
  readonly holder: NewKeyRequest['holder'];
  readonly label?: string;
};

const parseBound = wholeNumberParser(1, 1_000_000);

function parseTimeZone(value: string): string {
  if (Intl.supportedValuesOf('timeZone').includes(value)) return value;
  throw new InvalidArgumentError('Expected an IANA time zone, such as America/Mexico_City.');
}

async function openTenancy(administration: Administration, tenantId: string, options: OpenOptions): Promise<unknown> {
  const { actor, name = tenantId, live = false, jurisdiction, timeZone } = options;
  const result = await administration.openTenancy(actor, { tenantId, name, live, jurisdiction, timeZone });
  if (isRefusal(result) && result.details?.field === '/jurisdiction') {
    const kind = live ? 'live' : 'test';
    throw new Error(`refused: ${result.code}: a ${kind} Tenancy cannot be opened in the market ${jurisdiction}`);
  }
  return requireAdmitted(result);
}

/** A bound that is not stated stays as it is. */
async function showOrSetBounds(
  administration: Administration,
  tenantId: string,
  { actor, concurrent, patienceMs, perSecond, burst, default: isDefault }: BoundsOptions,
): Promise<unknown> {
  const recorded = await administration.bounds(tenantId);
  if (recorded === undefined) throw unknownTenancy(tenantId);
  const stated = Object.entries({ concurrent, patience_ms: patienceMs, per_second: perSecond, burst }).filter(
    ([, value]) => value !== undefined,
  );
  if (stated.length === 0 && isDefault !== true) return boundsInForce(recorded);
  const bounds = isDefault === true ? null : { ...(recorded ?? defaultSettings), ...Object.fromEntries(stated) };
  requireAdmitted(await administration.setBounds(actor, tenantId, bounds));
  return boundsInForce(bounds);
}

const defaultSettings: BoundsSettings = boundsAnswer(defaultBounds);

function boundsInForce(recorded: BoundsSettings | null): BoundsSettings & { readonly source: 'default' | 'tenancy' } {
  return recorded === null ? { ...defaultSettings, source: 'default' } : { ...recorded, source: 'tenancy' };
}

async function mintForOperator(
  administration: Administration,
  tenantId: string,
  { actor, scope, holder, label = `${holder} ${scope}` }: MintOptions,
): Promise<unknown> {
  const result = await mintKey(administration, actor, { tenantId, scope, holder, label });
  if (isRefusal(result) && result.code === 'not_found') throw unknownTenancy(tenantId);
  const { fp, secret } = requireAdmitted(result);
  return { fp, tenant_id: tenantId, scope, holder, label, secret };
}

/** The key pair is generated here, and only its public half leaves this process. */
export async function mintKey(
  administration: Administration,
  actor: string,
  key: Omit<NewKeyRequest, 'publicKey'>,
): Promise<{ readonly secret: string; readonly fp: string } | Refusal> {
  // For an unknown Tenancy the request itself is refused below.
  const isLive = (await administration.isLive(key.tenantId)) ?? false;
  const { secret, publicKey, fp } = generateKey(isLive ? 'live' : 'test');
  const result = await administration.mintKey(actor, { ...key, publicKey });
  return isRefusal(result) ? result : { secret, fp };
}

async function revokeKey(
  administration: Administration,
  actor: string,
  tenantId: string,
  fingerprint: string,
): Promise<unknown> {
  const result = await administration.revokeKey(actor, tenantId, fingerprint);
  if (isRefusal(result) && result.code === 'not_found') {
    await requireTenancy(administration, tenantId);
    throw new Error(`the Tenancy ${tenantId} has no key ${fingerprint}; lending key list ${tenantId} lists its keys`);
  }
  return requireAdmitted(result);
}

async function listKeys(administration: Administration, tenantId: string): Promise<unknown> {
  const keys = await administration.listKeys(tenantId);
  if (keys.length === 0) await requireTenancy(administration, tenantId);
  return keys.map(({ fp, scope, holder, label, createdAt, revokedAt }) => ({
    fp,
    scope,
    holder,
    label,
    created_at: formatMoment(createdAt as Moment),
    revoked_at: revokedAt === null ? null : formatMoment(revokedAt as Moment),
  }));
}

async function requireTenancy(administration: Administration, tenantId: string): Promise<void> {
  if ((await administration.isLive(tenantId)) === undefined) throw unknownTenancy(tenantId);
}

function unknownTenancy(tenantId: string): Error {
  return new Error(`there is no Tenancy ${tenantId}; lending tenancy open ${tenantId} opens it`);
}
