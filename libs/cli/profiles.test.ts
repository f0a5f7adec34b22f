import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { generateKey } from '#libs/auth/signer.ts';
import { runCommandLine } from './command-line.ts';
import { profileVariables, readProfiles } from './profiles.ts';

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

const acme = { url: 'https://acme.example', tenant: 'acme', key: secret, actor: 'maria' };

test('a profile is written for its owner alone, listed without its secret, and used until another one is', async () => {
  const values = ['--url', acme.url, '--tenant', 'acme', '--actor', 'maria'];
  await runCommandLine(['profile', 'set', 'acme', ...values]);
  await runCommandLine(['profile', 'set', 'acme', '--key', secret]);
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

describe('the environment wins over a profile', () => {
  test('for each value', () => {
    expect(profileVariables({ LENDING_TENANT: 'other', LENDING_KEY_FILE: '/key' }, acme)).toEqual({
      LENDING_URL: acme.url,
      LENDING_ACTOR: 'maria',
    });
  });

  test('and its address is not called with the key of the profile', () => {
    const { LENDING_KEY } = profileVariables({ LENDING_URL: 'http://127.0.0.1:8080' }, acme);
    expect(LENDING_KEY).toBeUndefined();
  });
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
