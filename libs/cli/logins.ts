/** `lending login`: replaces the logins of the database. */
import { readFileSync } from 'node:fs';
import type { RotatedLogin } from '#libs/database/rotate-login.ts';
import { readConfig, type Setting, settingFile } from '#libs/runtime/config.ts';
import { backingSettings, ownerUrlSetting, partitionOwnerUrlsSetting } from '#libs/runtime/connection-settings.ts';
import { replacePrivateFile } from '#libs/runtime/private-file.ts';
import { type CommonOptions, type ConfirmationOptions, UsageError } from './command.ts';
import { confirm } from './confirm.ts';
import { printResult } from './output/print-result.ts';
import { withProgress } from './output/progress-line.ts';

interface DatabaseOption {
  /** The name of a further database; the home database without it. */
  readonly database?: string;
}

export type RotateLoginOptions = CommonOptions & ConfirmationOptions & DatabaseOption & { readonly owner?: boolean };
export type RetireOptions = CommonOptions & ConfirmationOptions & DatabaseOption & { readonly terminate?: boolean };

export async function runRotate(options: RotateLoginOptions): Promise<void> {
  const { owner = false, dryRun = false, database } = options;
  const { servicesUrl, ownerUrl, homeOwnerUrl } = readUrls(database);
  const statedFile = settingFile(process.env, settingOf(owner, database));
  if (dryRun) {
    const { findNextLogin, loginOfOwner } = await import('#libs/database/rotate-login.ts');
    const login = owner ? loginOfOwner(ownerUrl) : await findNextLogin(ownerUrl, servicesUrl);
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
  await recordCommandAt(homeOwnerUrl, owner ? 'login rotate --owner' : 'login rotate', database ?? '');
  const rotated = owner ? await changeOwnerPassword(ownerUrl) : await createNextLogin(ownerUrl, servicesUrl);
  printResult(handOver(rotated, file, database), options);
}

function settingOf(owner: boolean, database: string | undefined): Setting<unknown> {
  if (database === undefined) return owner ? ownerUrlSetting : backingSettings.databaseUrl;
  return owner ? partitionOwnerUrlsSetting : backingSettings.partitionDatabaseUrls;
}

/**
 * Undefined where it cannot be replaced, such as in a mounted Secret, or not with its owner and group, such as a file of root: the
 * new password would be lost after the change, or the services could not read the file.
 */
function replaceableFile(file: string | undefined): string | undefined {
  if (file === undefined) return undefined;
  try {
    replacePrivateFile(file, readFileSync(file, 'utf8'));
    return file;
  } catch {
    return undefined;
  }
}

export async function runRetire(login: string, options: RetireOptions): Promise<void> {
  const { terminate = false, dryRun = false, database } = options;
  const { servicesUrl, ownerUrl, homeOwnerUrl } = readUrls(database);
  const { loginOf } = await import('#libs/database/service-login.ts');
  if (decodeURIComponent(loginOf(servicesUrl).username) === login) {
    throw new UsageError(`${login} is the login of ${settingOf(false, database).variable}; rotate it first`);
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
  await recordCommandAt(homeOwnerUrl, 'login retire', database === undefined ? login : `${login} ${database}`);
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

interface LoginUrls {
  readonly servicesUrl: string;
  readonly ownerUrl: string;
  /** Of the database that has the audit list. */
  readonly homeOwnerUrl: string;
}

function readUrls(database: string | undefined): LoginUrls {
  const urls = readConfig(process.env, {
    databaseUrl: backingSettings.databaseUrl,
    ownerUrl: ownerUrlSetting,
    partitionDatabaseUrls: backingSettings.partitionDatabaseUrls,
    partitionOwnerUrls: partitionOwnerUrlsSetting,
  });
  const { databaseUrl, ownerUrl: homeOwnerUrl, partitionDatabaseUrls, partitionOwnerUrls } = urls;
  if (homeOwnerUrl === undefined)
    throw new UsageError('DATABASE_OWNER_URL is empty; set the login that owns the tables');
  if (database === undefined) return { servicesUrl: databaseUrl, ownerUrl: homeOwnerUrl, homeOwnerUrl };
  const servicesUrl = partitionDatabaseUrls.get(database);
  const ownerUrl = partitionOwnerUrls.get(database);
  if (servicesUrl === undefined)
    throw new UsageError(missingDatabase('PARTITION_DATABASE_URLS', database, partitionDatabaseUrls));
  if (ownerUrl === undefined)
    throw new UsageError(missingDatabase('PARTITION_DATABASE_OWNER_URLS', database, partitionOwnerUrls));
  return { servicesUrl, ownerUrl, homeOwnerUrl };
}

function missingDatabase(variable: string, database: string, urls: ReadonlyMap<string, string>): string {
  const names = urls.size === 0 ? 'no database' : [...urls.keys()].join(', ');
  return `${variable} has no database ${database}; it has ${names}`;
}

/** The services read the file with a login of their own. */
function handOver({ login, url }: RotatedLogin, file: string | undefined, database: string | undefined) {
  if (file === undefined) return { login, url };
  const text = database === undefined ? `${url}\n` : withUrlOf(database, url, readFileSync(file, 'utf8'));
  replacePrivateFile(file, text);
  return { login, written_to: file };
}

/** The text of a setting with several databases, with another URL of one of them. */
function withUrlOf(database: string, url: string, text: string): string {
  return text.replace(new RegExp(`(?<=^|\\s)${database}=\\S+`), () => `${database}=${url}`);
}
