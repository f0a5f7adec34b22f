/** The configuration file of the command line: named profiles with address, Tenancy, key and actor of a caller. */
import { mkdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { ConfigurationError, type Environment, isSet } from '#libs/runtime/config.ts';
import { writePrivateFile } from '#libs/runtime/private-file.ts';
import { callerSettings } from '#libs/runtime/settings.ts';

/** The members of a profile, as the file has them. */
const members = ['url', 'tenant', 'key', 'key_file', 'actor'] as const;

export type Profile = { readonly [Member in (typeof members)[number]]?: string | undefined };

export interface Profiles {
  /** The profile that is used where none is named. */
  readonly use?: string | undefined;
  readonly profiles: Readonly<Record<string, Profile>>;
}

export function profilesPath(env: Environment): string {
  return env[callerSettings.config.variable] || join(homedir(), '.config', 'lending', 'config.json');
}

/** A missing file has no profiles. */
export function readProfiles(env: Environment): Profiles {
  const path = profilesPath(env);
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return { profiles: {} };
    throw new ConfigurationError([`${path} cannot be read (${(cause as NodeJS.ErrnoException).code})`]);
  }
  const problem = (what: string): ConfigurationError =>
    new ConfigurationError([`${path} ${what}; correct it, or name another file in ${callerSettings.config.variable}`]);
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch (cause) {
    throw problem(`is not JSON (${cause instanceof Error ? cause.message : cause})`);
  }
  if (!isObject(content) || !isObject(content['profiles'])) throw problem('has no object "profiles"');
  for (const [name, profile] of Object.entries(content['profiles'])) {
    if (!isObject(profile)) throw problem(`: the profile ${name} is not an object`);
    const unknown = Object.entries(profile).find(([key, value]) => !isMember(key) || typeof value !== 'string');
    if (unknown !== undefined) {
      throw problem(`: the profile ${name} has ${unknown[0]}; expected texts named ${members.join(', ')}`);
    }
  }
  const { use, profiles } = content as { use?: string; profiles: Record<string, Profile> };
  return { use, profiles };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isMember(name: string): boolean {
  return members.some((member) => member === name);
}

/** A folder that is created is its owner's alone too. */
export function writeProfiles(env: Environment, profiles: Profiles): void {
  const path = profilesPath(env);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writePrivateFile(path, `${JSON.stringify(profiles, null, 2)}\n`);
}

/** The profile that `--profile`, the environment or the file names; undefined where none does. */
export function selectProfileOf({ use, profiles }: Profiles, env: Environment, named?: string): Profile | undefined {
  const name = named || env[callerSettings.profile.variable] || use;
  if (name === undefined) return undefined;
  const profile = Object.hasOwn(profiles, name) ? profiles[name] : undefined;
  if (profile !== undefined) return profile;
  const known = Object.keys(profiles).join(', ') || 'none';
  throw new ConfigurationError([`there is no profile ${name}; profiles are: ${known}`]);
}

/** The variables that complete the environment. The key of a profile is not used with the address of another service. */
export function profileVariables(env: Environment, profile: Profile): Readonly<Record<string, string>> {
  const { url, key, tenant, actor } = callerSettings;
  const stated = env[url.variable] || undefined;
  const isOtherService = stated !== undefined && profile.url !== undefined && stated !== profile.url;
  const keyVariables = isOtherService
    ? {}
    : {
        [key.variable]: profile.key,
        [`${key.variable}_FILE`]: profile.key === undefined ? profile.key_file : undefined,
      };
  const candidates: Record<string, string | undefined> = {
    [url.variable]: profile.url,
    ...(isSet(env, key.variable) ? {} : keyVariables),
    [tenant.variable]: profile.tenant,
    [actor.variable]: profile.actor,
  };
  const isMissing = ([name, value]: readonly [string, string | undefined]): boolean =>
    value !== undefined && (env[name] ?? '') === '';
  return Object.fromEntries(Object.entries(candidates).filter(isMissing)) as Record<string, string>;
}
