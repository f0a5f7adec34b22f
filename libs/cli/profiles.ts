/** The configuration file of the command line: named profiles with address, Tenancy, key and actor of a caller. */
import { mkdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { ConfigurationError, type Environment } from '#libs/runtime/config.ts';
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

/** An option names a profile for this command, a variable for a shell, and `profile use` for all commands. */
type ProfileSource = 'option' | 'variable' | 'use';

interface SelectedProfile {
  readonly name: string;
  readonly source: ProfileSource;
  readonly profile: Profile;
}

/** The profile that `--profile`, the environment or the file names; undefined where none does. */
export function selectProfileOf(
  { use, profiles }: Profiles,
  env: Environment,
  option?: string,
): SelectedProfile | undefined {
  const variable = env[callerSettings.profile.variable] || undefined;
  const source = option !== undefined ? 'option' : variable !== undefined ? 'variable' : 'use';
  const name = option ?? variable ?? use;
  if (name === undefined) return undefined;
  const profile = Object.hasOwn(profiles, name) ? profiles[name] : undefined;
  if (profile !== undefined) return { name, source, profile };
  const known = Object.keys(profiles).join(', ') || 'none';
  throw new ConfigurationError([`there is no profile ${name}; profiles are: ${known}`]);
}

/** Undefined where the variable must be unset. */
type Variables = Readonly<Record<string, string | undefined>>;

/** The variables of each value that the profile states. A key has two, of which one is set. */
function statedValues({ url, tenant, key, key_file, actor }: Profile): Variables[] {
  const keyVariable = callerSettings.key.variable;
  const values: Variables[] = [
    { [callerSettings.url.variable]: url },
    { [callerSettings.tenant.variable]: tenant },
    { [keyVariable]: key, [`${keyVariable}_FILE`]: key === undefined ? key_file : undefined },
    { [callerSettings.actor.variable]: actor },
  ];
  return values.filter((value) => Object.values(value).some((text) => text !== undefined));
}

export interface ProfileEffect {
  readonly variables: Variables;
  /** Where the environment wins over the profile. */
  readonly notices: readonly string[];
}

/**
 * A profile that an option names wins over the environment. One that a variable names must agree with it. The profile in
 * use completes it, and is left out where the environment names another service, which must not get its key. Reasons:
 * docs/decisions/0076.
 */
export function applyProfile(env: Environment, { name, source, profile }: SelectedProfile): ProfileEffect {
  const values = statedValues(profile);
  if (source === 'option') return { variables: Object.assign({}, ...values), notices: [] };
  const differing = values.filter((value) => isStated(env, value) && !agrees(env, value));
  const differences = differing.map((value) => describeDifference(env, value, name));
  if (source === 'variable' && differences.length > 0) {
    const { variable } = callerSettings.profile;
    throw new ConfigurationError(
      differences.map((difference) => `${difference}; unset it or ${variable}, or use --profile ${name}`),
    );
  }
  const notices = differences.map((difference) => `${difference}; the environment is used.`);
  if (differing.some((value) => callerSettings.url.variable in value)) return { variables: {}, notices };
  return { variables: Object.assign({}, ...values.filter((value) => !isStated(env, value))), notices };
}

function isStated(env: Environment, value: Variables): boolean {
  return Object.keys(value).some((variable) => (env[variable] ?? '') !== '');
}

function agrees(env: Environment, value: Variables): boolean {
  return Object.entries(value).every(([variable, text = '']) => comparable(env[variable] ?? '') === comparable(text));
}

/** `HTTPS://Lending.example:443/` is `https://lending.example`. */
function comparable(text: string): string {
  return /^https?:/i.test(text) && URL.canParse(text) ? new URL(text).href.replace(/\/+$/, '') : text;
}

/** A key is not printed, because it is a secret. */
function describeDifference(env: Environment, value: Variables, name: string): string {
  const [[variable, text] = ['', '']] = Object.entries(value);
  if (variable === callerSettings.key.variable) {
    return `${variable} or ${variable}_FILE is not the key of the profile ${name}`;
  }
  return `${variable} is ${env[variable]}, and ${text} in the profile ${name}`;
}

/** Of an operator's command: a profile names a service and no cell, so only its actor counts. */
export function actorOnly(selected: SelectedProfile): SelectedProfile {
  return { ...selected, profile: { actor: selected.profile.actor } };
}
