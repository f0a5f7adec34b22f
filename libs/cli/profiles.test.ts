import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { generateKey } from '#libs/auth/signer.ts';
import { runCommandLine } from './command-line.ts';
import { readProfiles } from './profiles.ts';

const folder = mkdtempSync(join(tmpdir(), 'lending-profiles-'));
const file = join(folder, 'new', 'config.json');
const { secret, fp } = generateKey('test');
const environment = { ...process.env };
const { exitCode } = process;
const out = jest.spyOn(console, 'log').mockImplementation(() => undefined);
const err = jest.spyOn(console, 'error').mockImplementation(() => undefined);

beforeEach(() => {
  process.env['LENDING_CONFIG'] = file;
  for (const name of ['URL', 'KEY', 'TENANT', 'ACTOR', 'PROFILE']) delete process.env[`LENDING_${name}`];
});
afterEach(() => {
  process.env = { ...environment };
  process.exitCode = exitCode;
  out.mockReset();
  err.mockReset();
});
afterAll(() => rmSync(folder, { recursive: true }));

/** The variables that a command of a caller gets, of those that the test names. */
async function variablesOf(...args: string[]) {
  let seen: Record<string, string | undefined> = {};
  await runCommandLine([...args, 'tail'], async () => {
    const { LENDING_URL: url, LENDING_KEY: key, LENDING_TENANT: tenant, LENDING_ACTOR: actor } = process.env;
    seen = { url, key, tenant, actor };
    throw new Error('only the environment is tried');
  });
  return seen;
}

/** With the secret on standard input. */
function setKey(input: string) {
  const args = [join(import.meta.dirname, 'main.ts'), 'profile', 'set', 'acme', '--key', '-'];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { input, encoding: 'utf8', env: process.env });
  return { code: status, out: stdout, err: stderr };
}

const acme = { url: 'https://acme.example', tenant: 'acme', key: secret, actor: 'maria' };

test('a profile is written for its owner alone, listed without its secret, and used until another one is', async () => {
  const values = ['--url', acme.url, '--tenant', 'acme', '--actor', 'maria'];
  await runCommandLine(['profile', 'set', 'acme', ...values]);
  expect(setKey(`${secret}\n`).code).toBe(0);
  await runCommandLine(['profile', 'set', 'beta', '--url', 'https://beta.example', '--tenant', 'beta']);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readProfiles(process.env)).toMatchObject({ use: 'acme', profiles: { acme } });

  out.mockReset();
  await runCommandLine(['profile', 'list', '--json']);
  const listed = JSON.parse(String(out.mock.calls[0]?.[0]));
  expect(listed).toMatchObject([
    { name: 'acme', used: true, key: fp },
    { name: 'beta', used: false },
  ]);
  expect(JSON.stringify(listed)).not.toContain(secret);

  expect(await variablesOf()).toEqual(acme);
  await runCommandLine(['profile', 'use', 'beta']);
  for (const name of ['URL', 'KEY', 'TENANT', 'ACTOR']) delete process.env[`LENDING_${name}`];
  expect(await variablesOf()).toMatchObject({ tenant: 'beta', key: undefined });
  for (const name of ['URL', 'TENANT']) delete process.env[`LENDING_${name}`];
  expect(await variablesOf('--profile', 'acme')).toEqual(acme);
});

const beta = { url: 'https://beta.example', tenant: 'beta', key: generateKey('test').secret, actor: 'luis' };

function useNamedProfiles(): void {
  const named = join(folder, 'named.json');
  writeFileSync(named, JSON.stringify({ use: 'acme', profiles: { acme, beta, keyless: { tenant: 'keyless' } } }));
  process.env['LENDING_CONFIG'] = named;
}

describe('a command of a caller', () => {
  beforeEach(useNamedProfiles);

  test('uses the profile that --profile names, whatever the environment sets', async () => {
    Object.assign(process.env, { LENDING_URL: acme.url, LENDING_TENANT: 'acme', LENDING_KEY_FILE: '/acme.key' });
    expect(await variablesOf('--profile', 'beta')).toEqual(beta);
    expect(process.env['LENDING_KEY_FILE']).toBeUndefined();
  });

  test('takes from the environment what the profile that --profile names does not state', async () => {
    Object.assign(process.env, { LENDING_URL: acme.url, LENDING_KEY: secret });
    expect(await variablesOf('--profile', 'keyless')).toMatchObject({ url: acme.url, key: secret, tenant: 'keyless' });
  });

  test.each<[string, string, string]>([
    ['LENDING_URL', 'https://other.example', 'LENDING_URL is https://other.example, and https://beta.example in the'],
    [
      'LENDING_TENANT',
      'acme',
      'LENDING_TENANT is acme, and beta in the profile beta; unset it or LENDING_PROFILE, or use --profile beta',
    ],
    ['LENDING_KEY', secret, 'LENDING_KEY or LENDING_KEY_FILE is not the key of the profile beta'],
    ['LENDING_KEY_FILE', '/acme.key', 'LENDING_KEY or LENDING_KEY_FILE is not the key of the profile beta'],
  ])('is refused where LENDING_PROFILE and %s name different callers', async (variable, value, problem) => {
    Object.assign(process.env, { LENDING_PROFILE: 'beta', [variable]: value });
    expect(await variablesOf()).toEqual({});
    expect(process.exitCode).toBe(2);
    expect(err.mock.calls.join()).toContain(problem);
    expect(err.mock.calls.join()).not.toContain(secret);
  });

  test('accepts LENDING_PROFILE where the environment says the same in other characters', async () => {
    Object.assign(process.env, {
      LENDING_PROFILE: 'beta',
      LENDING_URL: 'HTTPS://Beta.example:443/',
      LENDING_TENANT: 'beta',
    });
    expect(await variablesOf()).toMatchObject({ tenant: 'beta', key: beta.key });
  });

  test('uses the environment before the profile in use, and says where they differ', async () => {
    process.env['LENDING_TENANT'] = 'other';
    expect(await variablesOf()).toEqual({ ...acme, tenant: 'other' });
    expect(err.mock.calls[0]).toEqual([
      'LENDING_TENANT is other, and acme in the profile acme; the environment is used.',
    ]);
  });

  test('sends nothing of the profile in use to another service', async () => {
    process.env['LENDING_URL'] = 'http://127.0.0.1:8080';
    expect(await variablesOf()).toEqual({ url: 'http://127.0.0.1:8080' });
    expect(err.mock.calls[0]?.[0]).toContain('and https://acme.example in the profile acme');
  });
});

describe('a command of an operator', () => {
  beforeEach(useNamedProfiles);

  test('refuses --profile, because a profile names no cell', async () => {
    await runCommandLine(['key', 'list', 'demo', '--profile', 'acme']);
    expect(process.exitCode).toBe(2);
    expect(err.mock.calls.join()).toContain('--profile acme names a service, and this command acts on a cell');
  });

  test('takes only the actor of the profile in use', async () => {
    process.env['LENDING_URL'] = 'http://127.0.0.1:8080';
    await runCommandLine(['key', 'list', 'demo'], async () => {
      throw new Error('only the environment is tried');
    });
    expect([process.env['LENDING_ACTOR'], process.env['LENDING_TENANT']]).toEqual(['maria', undefined]);
  });
});

describe('removing a profile', () => {
  beforeEach(useNamedProfiles);

  test('that holds a secret is not done without a terminal and --yes', async () => {
    await runCommandLine(['profile', 'remove', 'acme']);
    expect(process.exitCode).toBe(2);
    const shown = err.mock.calls.join();
    expect(shown).toContain(`With the profile acme the secret of the key ${fp} is removed.`);
    expect(shown).toContain('add --yes');
    expect(shown).not.toContain(secret);
    expect(readProfiles(process.env).profiles).toHaveProperty('acme');
    await runCommandLine(['profile', 'remove', 'acme', '--yes']);
    expect(readProfiles(process.env)).toEqual({ profiles: { beta, keyless: { tenant: 'keyless' } } });
  });

  test('or replacing its secret is not done without a terminal and --yes', async () => {
    const file = join(folder, 'beta.key');
    await runCommandLine(['profile', 'set', 'acme', '--key-file', file]);
    expect(process.exitCode).toBe(2);
    expect(err.mock.calls.join()).toContain(`In the profile acme the secret of the key ${fp} is removed.`);
    expect(readProfiles(process.env).profiles['acme']).toEqual(acme);
    await runCommandLine(['profile', 'set', 'acme', '--key-file', file, '--yes']);
    expect(readProfiles(process.env).profiles['acme']).toMatchObject({ key_file: file });
  });

  test('without a secret asks nothing', async () => {
    process.exitCode = undefined;
    await runCommandLine(['profile', 'remove', 'keyless']);
    expect(process.exitCode).toBeUndefined();
    expect(readProfiles(process.env).profiles).not.toHaveProperty('keyless');
  });
});

test('what is no secret of a key is refused without printing it', () => {
  const result = setKey('lsk_test_short');
  expect(result).toMatchObject({ code: 2, out: '', err: expect.stringContaining('is not the secret of a key') });
  expect(result.err).not.toContain('lsk_test_short');
});

test.each([
  ['{', 'is not JSON'],
  ['[]', 'has no object "profiles"'],
  [
    '{"profiles":{"acme":{"URL":"x"}}}',
    'the profile acme has URL; expected texts named url, tenant, key, key_file, actor',
  ],
])('a file with %s is refused with what is wrong', async (content, message) => {
  const broken = join(folder, 'broken.json');
  writeFileSync(broken, content);
  process.env['LENDING_CONFIG'] = broken;
  await runCommandLine(['profile', 'list']);
  expect(process.exitCode).toBe(2);
  expect(err.mock.calls.join('\n')).toContain(message);
});
