/** `lending key`: mints, lists, rotates and revokes the keys of a Tenancy. */
import { generateKey } from '#libs/auth/signer.ts';
import { formatMoment, type Moment } from '#libs/calendar/moment.ts';
import { isRefusal, type Refusal } from '#libs/schema/refusals.ts';
import type { Administration, NewKeyRequest } from '#libs/submission/administration.ts';
import type { AdministrationReads, KeyListing } from '#libs/submission/administration-reads.ts';
import { actorOf } from './actor.ts';
import { administer, readAdministration, requireAdmitted, withAdministration } from './admin-command.ts';
import { type ConfirmationOptions, UsageError } from './command.ts';
import type { AdminOptions } from './commands/admin-options.ts';
import { confirm } from './confirm.ts';
import { waitOutOverlap } from './key-overlap.ts';
import { explainNotOpen, requireTenancy } from './unknown-tenancy.ts';

export type MintOptions = AdminOptions & {
  readonly scope: NewKeyRequest['scope'];
  readonly holder: NewKeyRequest['holder'];
  readonly label?: string;
};

export type RotateOptions = AdminOptions &
  ConfirmationOptions & {
    /** In milliseconds. Without it the former key stays. */
    readonly overlap?: number;
  };

export type RevokeOptions = AdminOptions & ConfirmationOptions & { readonly all?: boolean };

export function listKeys(tenantId: string, options: AdminOptions): Promise<void> {
  return readAdministration(options, (administration) => keyListings(administration, tenantId));
}

export async function keyListings(administration: AdministrationReads, tenantId: string) {
  return (await keysOf(administration, tenantId)).map(({ fp, scope, holder, label, createdAt, revokedAt }) => ({
    fp,
    scope,
    holder,
    label,
    created_at: formatMoment(createdAt as Moment),
    revoked_at: revokedAt === null ? null : formatMoment(revokedAt as Moment),
  }));
}

async function keysOf(administration: AdministrationReads, tenantId: string): Promise<KeyListing[]> {
  const keys = await administration.listKeys(tenantId);
  if (keys.length === 0) await requireTenancy(administration, tenantId);
  return keys;
}

export function mintForOperator(tenantId: string, options: MintOptions): Promise<void> {
  const { scope, holder, label = `${holder} ${scope}` } = options;
  return administer(options, async (administration) => {
    const result = await mintKey(administration, actorOf(options), { tenantId, scope, holder, label });
    const { fp, secret } = requireAdmitted(explainNotOpen(result, tenantId));
    return { fp, tenant_id: tenantId, scope, holder, label, secret };
  });
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

/** The result is printed before the overlap, because it holds the secret that the caller needs in that time. */
export async function rotateKey(tenantId: string, fp: string, options: RotateOptions): Promise<void> {
  const { overlap, dryRun = false } = options;
  await administer(options, async (administration) => {
    const former = requireValid(await keysOf(administration, tenantId), tenantId, fp);
    const scope = former.scope as NewKeyRequest['scope'];
    const holder = former.holder as NewKeyRequest['holder'];
    const plan = { tenant_id: tenantId, former: fp, scope, holder, label: former.label };
    if (dryRun) return { ...plan, former_revoked: afterOverlap(overlap) };
    if (overlap !== undefined) {
      await confirm(
        `A successor of the key ${fp} of ${tenantId} is created, and ${fp} is revoked for good ${afterOverlap(overlap)}.`,
        options,
      );
    }
    const key = { tenantId, scope, holder, label: former.label };
    const { fp: successor, secret } = requireAdmitted(await mintKey(administration, actorOf(options), key));
    return { fp: successor, ...plan, former_revoked: afterOverlap(overlap), secret };
  });
  if (dryRun) return;
  const revoke = `lending key revoke ${tenantId} ${fp}`;
  if (overlap === undefined) {
    console.error(
      `Both keys work. Once no caller signs with the former one (lending tail --key ${fp}), run: ${revoke}`,
    );
    return;
  }
  await waitOutOverlap(overlap, revoke);
  await withAdministration(async (administration) =>
    requireAdmitted(await administration.revokeKey(actorOf(options), tenantId, fp)),
  );
  console.error(`The key ${fp} is revoked.`);
}

function afterOverlap(overlap: number | undefined): string {
  if (overlap === undefined) return 'not by this command';
  return overlap === 0 ? 'at once' : `after ${overlap / 1_000} s`;
}

function requireValid(keys: readonly KeyListing[], tenantId: string, fp: string): KeyListing {
  const key = keys.find((each) => each.fp === fp);
  if (key === undefined) throw unknownKey(tenantId, fp);
  if (key.revokedAt === null) return key;
  throw new Error(`the key ${fp} was revoked at ${formatMoment(key.revokedAt as Moment)}; mint a key instead`);
}

function unknownKey(tenantId: string, fp: string): Error {
  return new Error(`the Tenancy ${tenantId} has no key ${fp}; lending key list ${tenantId} lists its keys`);
}

export async function revokeKeys(tenantId: string, fp: string | undefined, options: RevokeOptions): Promise<void> {
  const { all = false, dryRun = false } = options;
  if ((fp === undefined) === !all) throw new UsageError('name one key by its fingerprint, or all keys by --all');
  await administer(options, async (administration) => {
    const keys = await keysOf(administration, tenantId);
    const named = all ? keys.filter(({ revokedAt }) => revokedAt === null) : keys.filter((key) => key.fp === fp);
    if (fp !== undefined && named.length === 0) throw unknownKey(tenantId, fp);
    const listed = named.map((key) => ({ fp: key.fp, scope: key.scope, holder: key.holder, label: key.label }));
    if (dryRun) return listed;
    const isUsed = named.some(({ revokedAt }) => revokedAt === null);
    if (isUsed) await confirm(revocationText(tenantId, listed, all), options);
    const revoked = [];
    for (const key of named) {
      revoked.push(requireAdmitted(await administration.revokeKey(actorOf(options), tenantId, key.fp)));
    }
    return all ? revoked : revoked[0];
  });
}

function revocationText(tenantId: string, keys: readonly { fp: string; label: string }[], all: boolean): string {
  const list = keys.map(({ fp, label }) => `  ${fp}  ${label}`).join('\n');
  const consequence = all
    ? `All keys of ${tenantId} are revoked for good. No request of it is accepted until a key is minted.`
    : `This key of ${tenantId} is revoked for good. Requests signed with it are refused within a second.`;
  return `${consequence}\n${list}`;
}
