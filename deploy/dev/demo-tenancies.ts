/** Creates the Tenancies and keys of a development start. No other code creates a demo key. */
import { join } from 'node:path';
import { parseSigner } from '#libs/auth/signer.ts';
import { mintKey } from '#libs/cli/keys.ts';
import { silentLogger } from '#libs/runtime/logging.ts';
import { writePrivateFile } from '#libs/runtime/private-file.ts';
import { isRefusal } from '#libs/schema/refusals.ts';
import type { Administration } from '#libs/submission/administration.ts';
import { type CellAddresses, openAdministration } from '#libs/submission/open-submission-client.ts';
import { readJsonFile } from './dev-files.ts';

const tenancies = {
  demo: { live: false, jurisdiction: 'MX' },
  other: { live: false, jurisdiction: 'MX' },
  live: { live: true, jurisdiction: 'MX' },
  zz: { live: false, jurisdiction: 'ZZ' },
} as const;
const timeZone = 'America/Mexico_City';
type TenantId = keyof typeof tenancies;

type DemoKey = { readonly tenantId: TenantId; readonly scope: 'read' | 'write'; readonly holder: 'service' | 'agent' };

/** The Tenancy that a start fills with example data. */
export const demoTenancy = { id: 'demo', ...tenancies.demo, timeZone } as const;

/** A cell that holds one of these Tenancies is a development cell. */
export const demoTenancyNames = (Object.keys(tenancies) as TenantId[]).map((tenantId) => ({
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
  zzWrite: { tenantId: 'zz', scope: 'write', holder: 'service' },
} as const satisfies Record<string, DemoKey>;
type Secrets = Record<keyof typeof keys, string>;

const actor = 'npm-start';

/** The members of `.data/dev.json` about Tenancies and keys. A restart on the same data gives the same ones. */
export async function createDemoTenancies(addresses: CellAddresses, dir: string) {
  const { administration, close } = await openAdministration(addresses, silentLogger);
  try {
    await Promise.all(
      (Object.keys(tenancies) as TenantId[]).map((tenantId) => openDemoTenancy(administration, tenantId)),
    );
    const secrets = await demoSecrets(administration, join(dir, 'demo-keys.json'));
    return {
      tenant_id: demoTenancy.id,
      keys: { write: secrets.write, read: secrets.read, agent: secrets.agent },
      other_tenant: { tenant_id: 'other', keys: { write: secrets.otherWrite } },
      live: { tenant_id: 'live', keys: { write: secrets.liveWrite, agent: secrets.liveAgent } },
      test_market: { tenant_id: 'zz', keys: { write: secrets.zzWrite } },
    };
  } finally {
    await close();
  }
}

function nameOf(tenantId: TenantId): string {
  return `Demo ${tenantId}`;
}

async function openDemoTenancy(administration: Administration, tenantId: TenantId): Promise<void> {
  const { live, jurisdiction } = tenancies[tenantId];
  const opening = { tenantId, name: nameOf(tenantId), live, jurisdiction, timeZone };
  const result = await administration.openTenancy(actor, opening);
  if (isRefusal(result)) throw new Error(`failed to open the demo Tenancy ${tenantId}: refused with ${result.code}`);
}

async function demoSecrets(administration: Administration, file: string): Promise<Secrets> {
  const activeFingerprints = new Set<string>();
  for (const tenantId of Object.keys(tenancies)) {
    for (const key of await administration.listKeys(tenantId)) {
      if (key.revokedAt === null) activeFingerprints.add(key.fp);
    }
  }
  const previous = readJsonFile<Partial<Secrets>>(file) ?? {};
  // A secret is replaced where the data are new or its key was revoked.
  const secretFor = async (name: keyof Secrets): Promise<string> => {
    const secret = previous[name];
    const fingerprint = secret === undefined ? undefined : parseSigner(secret)?.fp;
    const isActive = fingerprint !== undefined && activeFingerprints.has(fingerprint);
    return secret !== undefined && isActive ? secret : mintDemoKey(administration, keys[name]);
  };
  const names = Object.keys(keys) as (keyof Secrets)[];
  const entries = await Promise.all(names.map(async (name) => [name, await secretFor(name)] as const));
  const secrets = Object.fromEntries(entries) as Secrets;
  writePrivateFile(file, JSON.stringify(secrets));
  return secrets;
}

async function mintDemoKey(administration: Administration, { tenantId, scope, holder }: DemoKey): Promise<string> {
  const minted = await mintKey(administration, actor, { tenantId, scope, holder, label: `demo ${holder} ${scope}` });
  if (isRefusal(minted)) {
    throw new Error(`failed to mint a key of the demo Tenancy ${tenantId}: refused with ${minted.code}`);
  }
  return minted.secret;
}
