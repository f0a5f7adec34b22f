/** `lending console`: invites people to the console by one-time sign-in links, and encrypts their secrets with another key. */
import type { Database } from '#libs/database/database.ts';
import { parseEmail } from '#libs/people/persons.ts';
import type { Role } from '#libs/people/roles.ts';
import { readConfig } from '#libs/runtime/config.ts';
import { backingSettings } from '#libs/runtime/connection-settings.ts';
import type { UrlSource } from '#libs/runtime/follow-setting.ts';
import { consoleSettings } from '#libs/runtime/settings.ts';
import { actorOf } from './actor.ts';
import { UsageError } from './command.ts';
import type { AdminOptions } from './commands/admin-options.ts';
import { printResult } from './output/print-result.ts';
import { withProgress } from './output/progress-line.ts';

export type InviteOptions = AdminOptions & {
  readonly operator?: boolean;
  readonly tenant?: string;
  readonly role?: Role;
};

export async function runInvite(address: string, options: InviteOptions): Promise<void> {
  const { operator, tenant, role } = options;
  const email = parseEmail(address);
  if (email === undefined) {
    throw new UsageError(`${JSON.stringify(address)} is no e-mail address; expected one such as ana@example.com`);
  }
  if (operator !== true && (tenant === undefined || role === undefined)) {
    throw new UsageError('no role is stated; set --operator, or --tenant and --role');
  }
  const as = tenant === undefined || role === undefined ? 'operator' : { tenantId: tenant, role };
  const { databaseUrl, partitionDatabaseUrls, url, port } = readConfig(process.env, {
    databaseUrl: backingSettings.databaseUrl,
    partitionDatabaseUrls: backingSettings.partitionDatabaseUrls,
    url: consoleSettings.url,
    port: consoleSettings.port,
  });
  const { openDatabase } = await import('#libs/database/pool.ts');
  const { openDatabasesOf } = await import('#libs/database/open-partition-databases.ts');
  const { invite } = await import('#libs/people/invitations.ts');
  const pools: Database[] = [];
  const open = (address: UrlSource): Database => {
    const pool = openDatabase({ url: address, name: 'console-invite', connections: 2 });
    pools.push(pool);
    return pool;
  };
  try {
    const databases = await openDatabasesOf(open(databaseUrl), { urls: () => partitionDatabaseUrls, open });
    const tenancies = tenant === undefined ? {} : { tenancies: databases.ofTenancy(tenant) };
    const by = { actor: actorOf(options), origin: { channel: 'command_line' } } as const;
    const path = await invite(databases.home, { email, as, ...by, ...tenancies });
    const result = { email, as, sign_in_url: new URL(path, url ?? `http://127.0.0.1:${port}`).href };
    printResult(result, options);
  } finally {
    await Promise.all(pools.map((pool) => pool.end()));
  }
}

export type EncryptSecretsOptions = AdminOptions & { readonly plain?: boolean; readonly dryRun?: boolean };

export async function runEncryptSecrets(options: EncryptSecretsOptions): Promise<void> {
  const { databaseUrl, totpKeys } = readConfig(process.env, {
    databaseUrl: backingSettings.databaseUrl,
    totpKeys: consoleSettings.totpKeys,
  });
  if (totpKeys === undefined) throw new UsageError('TOTP_KEY is not set; set the key of the console');
  const { openDatabase } = await import('#libs/database/pool.ts');
  const { encryptTotpSecrets } = await import('#libs/people/encrypt-totp-secrets.ts');
  const { TotpSecrets } = await import('#libs/people/totp-secrets.ts');
  const database = openDatabase({ url: databaseUrl, name: 'encrypt-secrets', connections: 1 });
  try {
    const by = { actor: actorOf(options), origin: { channel: 'command_line' } } as const;
    const result = await withProgress('secrets', (progress) => {
      const onSecret = (done: number, total: number): void => progress.set(done, total);
      return encryptTotpSecrets(database, new TotpSecrets(() => totpKeys), { ...options, ...by, onSecret });
    });
    printResult(result, options);
    if (result.unreadable.length > 0) process.exitCode = 1;
  } finally {
    await database.end();
  }
}
