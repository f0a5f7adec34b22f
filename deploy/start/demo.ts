/** The Tenancies and keys of a development start. Nothing else makes a demo key, and no service knows of one. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { signerFromText } from '#libs/auth/sign.ts';
import { mint } from '#libs/cli/mint.ts';
import { isRefusal } from '#libs/schema/refusals.ts';
import type { Administration } from '#libs/submission/administration.ts';
import { type Addresses, openAdministration } from '#libs/submission/client.ts';

const tenancies = { demo: { live: false }, other: { live: false }, live: { live: true } } as const;
type TenantId = keyof typeof tenancies;

type DemoKey = { readonly tenantId: TenantId; readonly scope: 'read' | 'write'; readonly holder: 'service' | 'agent' };

/** By which a cell is known as one of development. */
export const demoInhabitants = (Object.keys(tenancies) as TenantId[]).map((tenantId) => ({
  tenantId,
  name: nameOf(tenantId),
}));

const keys = {
  write: { tenantId: 'demo', scope: 'write', holder: 'service' },
  read: { tenantId: 'demo', scope: 'read', holder: 'service' },
  agent: { tenantId: 'demo', scope: 'write', holder: 'agent' },
  otherWrite: { tenantId: 'other', scope: 'write', holder: 'service' },
  liveWrite: { tenantId: 'live', scope: 'write', holder: 'service' },
  liveAgent: { tenantId: 'live', scope: 'write', holder: 'agent' },
} as const satisfies Record<string, DemoKey>;
type Secrets = Record<keyof typeof keys, string>;

const quiet = { warn: () => undefined, error: () => undefined };
const actor = 'npm-start';

/** What of it `.data/dev.json` tells. Started again on the same data, Tenancies and keys are those of the last time. */
export async function demoTenancies(addresses: Addresses, dir: string) {
  const { administration, close } = await openAdministration(addresses, quiet);
  try {
    await Promise.all((Object.keys(tenancies) as TenantId[]).map((tenantId) => open(administration, tenantId)));
    const secrets = await secretsOf(administration, join(dir, 'demo-keys.json'));
    return {
      tenant_id: 'demo',
      keys: { write: secrets.write, read: secrets.read, agent: secrets.agent },
      other_tenant: { tenant_id: 'other', keys: { write: secrets.otherWrite } },
      live: { tenant_id: 'live', keys: { write: secrets.liveWrite, agent: secrets.liveAgent } },
    };
  } finally {
    await close();
  }
}

function nameOf(tenantId: TenantId): string {
  return `Demo ${tenantId}`;
}

async function open(administration: Administration, tenantId: TenantId): Promise<void> {
  const { live } = tenancies[tenantId];
  const opening = { tenantId, name: nameOf(tenantId), live, jurisdiction: 'MX', timeZone: 'America/Mexico_City' };
  const done = await administration.openTenancy(actor, opening);
  if (isRefusal(done)) throw new Error(`the demo Tenancy ${tenantId} was refused: ${done.code}`);
}

async function secretsOf(administration: Administration, file: string): Promise<Secrets> {
  const standing = new Set<string>();
  for (const tenantId of Object.keys(tenancies)) {
    for (const key of await administration.listKeys(tenantId)) {
      if (key.revokedAt === null) standing.add(key.fp);
    }
  }
  const last = lastSecrets(file);
  const secrets = await Promise.all(
    Object.entries(keys).map(async ([name, key]) => {
      const secret = last[name];
      const fp = secret === undefined ? undefined : signerFromText(secret)?.fp;
      // Of other data, or revoked since: a key in its place.
      return [
        name,
        secret !== undefined && standing.has(fp ?? '') ? secret : await mintOne(administration, key),
      ] as const;
    }),
  );
  writeFileSync(file, JSON.stringify(Object.fromEntries(secrets)), { mode: 0o600 });
  return Object.fromEntries(secrets) as Secrets;
}

async function mintOne(administration: Administration, { tenantId, scope, holder }: DemoKey): Promise<string> {
  const minted = await mint(administration, actor, { tenantId, scope, holder, label: `demo ${holder} ${scope}` });
  if (isRefusal(minted)) throw new Error(`a key of the demo Tenancy ${tenantId} was refused: ${minted.code}`);
  return minted.secret;
}

function lastSecrets(file: string): Record<string, string> {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;
  } catch {
    return {};
  }
}
