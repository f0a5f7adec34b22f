/** `lending login`: replaces the logins of the database. */
import { readFileSync, statSync } from 'node:fs';
import type { RotatedLogin } from '#libs/database/rotate-login.ts';
import { readConfig, type Setting, settingFile } from '#libs/runtime/config.ts';
import { backingSettings, ownerUrlSetting } from '#libs/runtime/connection-settings.ts';
import { writePrivateFile } from '#libs/runtime/private-file.ts';
import { type CommonOptions, type ConfirmationOptions, UsageError } from './command.ts';
import { confirm } from './confirm.ts';
import { printResult } from './output/print-result.ts';
import { withProgress } from './output/progress-line.ts';

export type RotateLoginOptions = CommonOptions & ConfirmationOptions & { readonly owner?: boolean };
export type RetireOptions = CommonOptions & ConfirmationOptions & { readonly terminate?: boolean };

export async function runRotate(options: RotateLoginOptions): Promise<void> {
  const { owner = false, dryRun = false } = options;
  const { databaseUrl, ownerUrl } = readUrls();
  const setting: Setting<unknown> = owner ? ownerUrlSetting : backingSettings.databaseUrl;
  const statedFile = settingFile(process.env, setting);
  if (dryRun) {
    const { findNextLogin, loginOfOwner } = await import('#libs/database/rotate-login.ts');
    const login = owner ? loginOfOwner(ownerUrl) : await findNextLogin(ownerUrl, databaseUrl);
    printResult({ login, rotated: false, file: statedFile ?? null }, options);
    return;
  }
  if (owner) {
    await confirm(
      'The login that owns the tables gets a new password at once. The former password is not accepted any more.',
      options,
    );
  }
  const file = replaceableFile(statedFile);
  const { changeOwnerPassword, createNextLogin } = await import('#libs/database/rotate-login.ts');
  const { recordCommandAt } = await import('./record-command.ts');
  await recordCommandAt(ownerUrl, owner ? 'login rotate --owner' : 'login rotate', '');
  const rotated = owner ? await changeOwnerPassword(ownerUrl) : await createNextLogin(ownerUrl, databaseUrl);
  printResult(handOver(rotated, file), options);
}

/** Undefined where it cannot be replaced, such as in a mounted Secret: the new password would be lost after the change. */
function replaceableFile(file: string | undefined): string | undefined {
  if (file === undefined) return undefined;
  try {
    writePrivateFile(file, readFileSync(file, 'utf8'), statSync(file).mode);
    return file;
  } catch {
    return undefined;
  }
}

export async function runRetire(login: string, options: RetireOptions): Promise<void> {
  const { terminate = false, dryRun = false } = options;
  const { databaseUrl, ownerUrl } = readUrls();
  const { loginOf } = await import('#libs/database/service-login.ts');
  if (decodeURIComponent(loginOf(databaseUrl).username) === login) {
    throw new UsageError(`${login} is the login of DATABASE_URL; rotate it first`);
  }
  const { dropLogin, findLoginSessions } = await import('#libs/database/rotate-login.ts');
  if (dryRun) {
    printResult({ login, retired: false, sessions: await findLoginSessions(ownerUrl, login) }, options);
    return;
  }
  await confirm(
    `The login ${login} of the database is dropped for good: no service can log in with it again.`,
    options,
  );
  const { recordCommandAt } = await import('./record-command.ts');
  await recordCommandAt(ownerUrl, 'login retire', login);
  const sessions = await withProgress('sessions', () => dropLogin(ownerUrl, login, { terminate }));
  if (sessions.length > 0) {
    const list = sessions.map(({ application, sessions: count }) => `  ${application}: ${count}`).join('\n');
    throw new Error(
      `${login} still has sessions:\n${list}\nWait until the services have changed their connections, ten minutes after ` +
        'they read the new login, or end the sessions with --terminate. The publishing locks are held until then.',
    );
  }
  printResult({ retired: login }, options);
}

function readUrls(): { readonly databaseUrl: string; readonly ownerUrl: string } {
  const { databaseUrl, ownerUrl } = readConfig(process.env, {
    databaseUrl: backingSettings.databaseUrl,
    ownerUrl: ownerUrlSetting,
  });
  if (ownerUrl === undefined) throw new UsageError('DATABASE_OWNER_URL is empty; set the login that owns the tables');
  return { databaseUrl, ownerUrl };
}

/** The file keeps its mode, because the services read it with a login of their own. */
function handOver({ login, url }: RotatedLogin, file: string | undefined) {
  if (file === undefined) return { login, url };
  writePrivateFile(file, `${url}\n`, statSync(file).mode);
  return { login, written_to: file };
}
