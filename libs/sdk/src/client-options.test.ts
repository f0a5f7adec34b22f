import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { Lending, type LendingOptions } from './lending-sdk.ts';

const variables = ['LENDING_URL', 'LENDING_TENANT', 'LENDING_KEY'] as const;
const inherited = variables.map((name) => [name, process.env[name]] as const);
function restoreEnvironment(): void {
  for (const [name, value] of inherited) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
}
beforeEach(() => {
  for (const name of variables) delete process.env[name];
});
afterEach(restoreEnvironment);

const secret = 'lsk_test_nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A';
const valid = { baseUrl: 'https://lending.example', tenant: 'acme', key: secret };

/** The message for options that were not type checked; `accepted` where there is none. */
function errorFor(options: unknown): string {
  try {
    new Lending(options as LendingOptions);
  } catch (cause) {
    expect(cause).toBeInstanceOf(TypeError);
    return (cause as TypeError).message;
  }
  return 'accepted';
}

describe('an invalid option is named before anything is sent', () => {
  test.each([
    ['baseUrl', undefined, 'baseUrl is missing; set it or LENDING_URL: the address of the service, '],
    ['baseUrl', null, 'baseUrl is missing; '],
    ['baseUrl', '', 'baseUrl is missing; '],
    ['baseUrl', 8080, 'baseUrl is a number; '],
    ['baseUrl', 'lending.example', 'baseUrl is not a URL; '],
    ['baseUrl', 'localhost:8080', 'baseUrl is not a URL; '],
    ['baseUrl', 'https://lending.example/v1', 'baseUrl has a path or a query; '],
    ['baseUrl', 'https://ana:hush@lending.example', 'baseUrl has a user or a password; '],
    ['tenant', undefined, 'tenant is missing; '],
    ['tenant', '', 'tenant is missing; '],
    ['tenant', { id: 'acme' }, 'tenant is an object; '],
    ['tenant', 'no such/tenant', 'tenant is not an identifier; expected '],
    ['tenant', 'a'.repeat(65), 'tenant is not an identifier; '],
    ['key', undefined, 'key is missing; set it or LENDING_KEY: the secret of a key, '],
    ['key', '', 'key is missing; '],
    ['key', 7, 'key is a number; '],
    ['key', 'nonsense', 'key is not the secret of a lending key; expected '],
    ['key', secret.slice(0, -1), 'key is not the secret of a lending key; '],
    ['key', { fp: 'ab' }, 'key is an object without sign; '],
    ['key', { sign: () => new Uint8Array(64) }, 'key is an object without fp; '],
    ['key', ['ab'], 'key is a list; '],
  ])('%s: %j', (name, value, expected) => {
    const message = errorFor({ ...valid, [name]: value });
    expect(message.slice(0, expected.length)).toBe(expected);
  });

  test('without options the missing baseUrl is reported', () => {
    for (const options of [undefined, null, {}, 'https://lending.example'])
      expect(errorFor(options)).toContain('baseUrl is missing');
  });

  test('what is left out is read from the environment, and what is stated wins', () => {
    const [url, tenant, key] = variables;
    Object.assign(process.env, { [url]: 'https://lending.example', [tenant]: 'acme' });
    expect(errorFor(undefined)).toContain('key is missing');
    process.env[key] = secret;
    expect(errorFor(undefined)).toBe('accepted');
    expect(errorFor({ baseUrl: 'lending.example' })).toContain('baseUrl is not a URL');
  });

  test('a secret in the wrong option is not printed', () => {
    for (const name of ['baseUrl', 'patience', 'key'] as const) {
      const message = errorFor({ ...valid, [name]: `${secret}=` });
      expect(message).toContain(name);
      expect(message).not.toContain(secret);
    }
    expect(errorFor({ ...valid, baseUrl: 'https://ana:hush@lending.example' })).not.toContain('hush');
  });

  test('valid options are accepted', () => {
    const customSigner = new (class {
      readonly fp = '00';
      sign() {
        return new Uint8Array(64);
      }
    })();
    expect(errorFor(valid)).toBe('accepted');
    expect(errorFor({ ...valid, key: customSigner })).toBe('accepted');
    expect(errorFor({ ...valid, baseUrl: 'http://127.0.0.1:8080/' })).toBe('accepted');
  });
});

describe('patience', () => {
  test.each([
    ['a number', 2_000],
    ['null', null],
    ['a list', [2_000]],
    ['an object with an unknown member', { within: 2_000 }],
    ['an object with a string', { withinMs: '2000' }],
    ['an object with NaN', { withinMs: Number.NaN }],
    ['an object with a negative number', { firstPauseMs: -1 }],
    ['an object with undefined', { longestPauseMs: undefined }],
  ])('that is %s is refused with the expected members', (_, patience) => {
    expect(errorFor({ ...valid, patience })).toContain('{ withinMs: 30000, firstPauseMs: 100, longestPauseMs: 5000 }');
  });

  test.each([[{}], [{ withinMs: 0 }], [{ withinMs: 2_000, firstPauseMs: 50 }], [{ withinMs: Infinity }]])(
    'of %j is accepted',
    (patience) => {
      expect(errorFor({ ...valid, patience })).toBe('accepted');
    },
  );
});
