/** `lending profile`: lists, sets, selects and removes profiles. */
import { resolve } from 'node:path';
import { parseSigner } from '#libs/auth/signer.ts';
import { type CommonOptions, type ConfirmationOptions, UsageError } from './command.ts';
import { confirmHere } from './confirm.ts';
import { printDocument } from './output/print-result.ts';
import { formatValue } from './output/text-table.ts';
import { type Profile, type Profiles, profilesPath, readProfiles, writeProfiles } from './profiles.ts';
import { readSecret } from './read-secret.ts';

export type SetProfileOptions = CommonOptions &
  ConfirmationOptions & {
    readonly url?: string;
    readonly tenant?: string;
    readonly key?: string;
    readonly keyFile?: string;
    readonly actor?: string;
  };

export type RemoveProfileOptions = CommonOptions & ConfirmationOptions;

export function listProfiles(options: CommonOptions): void {
  const { use, profiles } = readProfiles(process.env);
  const list = Object.entries(profiles).map(([name, profile]) => describeProfile(name, profile, name === use));
  printDocument(list, () => formatValue(list).join('\n'), options);
  if (list.length === 0)
    console.error(`There is no profile in ${profilesPath(process.env)}; lending profile set makes one.`);
}

/** The fingerprint names the key, which itself is not shown. */
function describeProfile(name: string, { url, tenant, key, key_file, actor }: Profile, isUsed: boolean) {
  const stated = key === undefined ? undefined : (parseSigner(key)?.fp ?? 'not the secret of a key');
  return { name, used: isUsed, url, tenant, key: key_file ?? stated, actor };
}

export async function setProfile(name: string, options: SetProfileOptions): Promise<void> {
  const { url, tenant, keyFile, actor, dryRun = false } = options;
  if (options.key !== undefined && options.key !== '-') {
    throw new UsageError(
      '--key takes no secret: the shell keeps each command line in its history. Use --key - and give the secret on standard ' +
        'input, or --key-file with the path of its file',
    );
  }
  if (url !== undefined && !/^https?:\/\/[^/]+/.test(url)) {
    throw new UsageError(`--url is ${url}; expected an address such as https://lending.example`);
  }
  const key = options.key === undefined ? undefined : await readSecret('Secret of the key');
  // The value is not printed, because it is a secret.
  if (key !== undefined && parseSigner(key) === undefined) {
    throw new UsageError('standard input is not the secret of a key; expected lsk_test_… or lsk_live_…');
  }
  const { use, profiles } = readProfiles(process.env);
  // Of key and key file the one that is stated last counts.
  const { key: formerKey, key_file: formerFile, ...former } = profiles[name] ?? {};
  const secret =
    key === undefined && keyFile === undefined
      ? { key: formerKey, key_file: formerFile }
      : { key, key_file: keyFile === undefined ? undefined : resolve(keyFile) };
  const stated = Object.entries({ url, tenant, actor }).filter(([, value]) => value !== undefined);
  const profile: Profile = { ...former, ...Object.fromEntries(stated), ...secret };
  const isFirst = Object.keys(profiles).length === 0;
  const state = { use: use ?? (isFirst ? name : undefined), profiles: { ...profiles, [name]: profile } };
  if (dryRun) return printProfile(state, name, options);
  if (formerKey !== undefined && secret.key !== formerKey)
    await confirmLoss(`In the profile ${name}`, formerKey, options);
  writeProfiles(process.env, state);
  printProfile(state, name, options);
}

export function selectProfile(name: string, options: CommonOptions): void {
  const { profiles } = readProfiles(process.env);
  const use = name === '-' ? undefined : name;
  if (use !== undefined) requireProfile(profiles, use);
  writeProfiles(process.env, { use, profiles });
  printProfile({ use, profiles }, use, options);
}

export async function removeProfile(name: string, options: RemoveProfileOptions): Promise<void> {
  const { use, profiles } = readProfiles(process.env);
  requireProfile(profiles, name);
  if (options.dryRun === true) return printProfile({ use, profiles }, name, options);
  const { [name]: removed, ...rest } = profiles;
  if (removed?.key !== undefined) await confirmLoss(`With the profile ${name}`, removed.key, options);
  const state = { use: use === name ? undefined : use, profiles: rest };
  writeProfiles(process.env, state);
  printProfile(state, undefined, options);
}

/** Nothing but the profile has the secret: the service keeps the public half of a key. */
async function confirmLoss(where: string, secret: string, options: ConfirmationOptions): Promise<void> {
  const key = parseSigner(secret)?.fp ?? 'that cannot be read';
  await confirmHere(
    `${where} the secret of the key ${key} is removed. No service has it; without a copy it is lost.`,
    options,
  );
}

function requireProfile(profiles: Profiles['profiles'], name: string): void {
  if (Object.hasOwn(profiles, name)) return;
  throw new UsageError(`there is no profile ${name}; profiles are: ${Object.keys(profiles).join(', ') || 'none'}`);
}

/** Without a name, which profile is in use. */
function printProfile(state: Profiles, name: string | undefined, options: CommonOptions): void {
  const profile = name === undefined ? undefined : state.profiles[name];
  const result =
    name === undefined || profile === undefined
      ? { used: state.use ?? null }
      : describeProfile(name, profile, name === state.use);
  printDocument(result, () => formatValue(result).join('\n'), options);
}
