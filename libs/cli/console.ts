/** `lending console`: invites people to the console by one-time sign-in links, and encrypts their secrets with another key. */
import { parseEmail } from '#libs/people/persons.ts';
import type { Role } from '#libs/people/roles.ts';
import { readConfig } from '#libs/runtime/config.ts';
import { backingSettings } from '#libs/runtime/connection-settings.ts';
import { consoleSettings } from '#libs/runtime/settings.ts';
import { actorOf } from './actor.ts';
import { type CommonOptions, UsageError } from './command.ts';
import type { AdminOptions } from './commands/admin-options.ts';
import { explainOutage } from './explain-outage.ts';
import { printResult } from './output/print-result.ts';

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
  const { databaseUrl, url, port } = readConfig(process.env, {
    databaseUrl: backingSettings.databaseUrl,
    url: consoleSettings.url,
    port: consoleSettings.port,
  });
  const { openDatabase } = await import('#libs/database/pool.ts');
  const { invite } = await import('#libs/people/invitations.ts');
  const database = openDatabase({ url: databaseUrl, name: 'console-invite', connections: 1 });
  try {
    const path = await invite(database, { email, as, actor: actorOf(options), origin: { channel: 'command_line' } });
    const result = { email, as, sign_in_url: new URL(path, url ?? `http://127.0.0.1:${port}`).href };
    printResult(result, options);
  } catch (cause) {
    throw explainOutage(cause, process.env);
  } finally {
    await database.end();
  }
}

export type EncryptSecretsOptions = CommonOptions & { readonly plain?: boolean; readonly dryRun?: boolean };

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
    const result = await encryptTotpSecrets(database, new TotpSecrets(() => totpKeys), options);
    printResult(result, options);
    if (result.unreadable.length > 0) process.exitCode = 1;
  } catch (cause) {
    throw explainOutage(cause, process.env);
  } finally {
    await database.end();
  }
}
