import { describe, expect, test } from '@jest/globals';
import { Lending, type LendingOptions } from './lending-sdk.ts';

const secret = 'lsk_test_nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A';
const whole = { baseUrl: 'https://lending.example', tenant: 'acme', key: secret };

/** What is said of options that no types were asked about. */
function said(options: unknown): string {
  try {
    new Lending(options as LendingOptions);
  } catch (cause) {
    expect(cause).toBeInstanceOf(TypeError);
    return (cause as TypeError).message;
  }
  return 'nothing';
}

describe('what a client cannot be made of is told by its name, before anything is sent', () => {
  test.each([
    ['baseUrl', undefined, 'baseUrl is missing: the address of the service, '],
    ['baseUrl', null, 'baseUrl is missing: '],
    ['baseUrl', '', 'baseUrl is missing: '],
    ['baseUrl', 8080, 'baseUrl is a number: '],
    ['baseUrl', 'lending.example', 'baseUrl is no address: '],
    ['baseUrl', 'localhost:8080', 'baseUrl is no address: '],
    ['baseUrl', 'https://lending.example/v1', 'baseUrl is more than the host alone: '],
    ['baseUrl', 'https://ana:hush@lending.example', 'baseUrl holds a user or a password: '],
    ['tenant', undefined, 'tenant is missing: '],
    ['tenant', '', 'tenant is missing: '],
    ['tenant', { id: 'acme' }, 'tenant is an object: '],
    ['key', undefined, 'key is missing: the secret of a key, '],
    ['key', '', 'key is missing: '],
    ['key', 7, 'key is a number: '],
    ['key', { fp: 'ab' }, 'key is an object without sign: '],
    ['key', { sign: () => new Uint8Array(64) }, 'key is an object without fp: '],
    ['key', ['ab'], 'key is a list: '],
  ])('%s: %j', (name, value, begin) => {
    const message = said({ ...whole, [name]: value });
    expect(message.slice(0, begin.length)).toBe(begin);
  });

  test('where nothing is given at all, it is the address that is missing first', () => {
    for (const nothing of [undefined, null, {}, 'https://lending.example'])
      expect(said(nothing)).toContain('baseUrl is missing');
  });

  test('and a secret that stands in the wrong place is not told on', () => {
    for (const name of ['baseUrl', 'patience'] as const) {
      const message = said({ ...whole, [name]: secret });
      expect(message).toContain(name);
      expect(message).not.toContain(secret);
    }
    expect(said({ ...whole, baseUrl: 'https://ana:hush@lending.example' })).not.toContain('hush');
  });

  test('what a client can be made of is taken', () => {
    const elsewhere = new (class {
      readonly fp = '00';
      sign() {
        return new Uint8Array(64);
      }
    })();
    expect(said(whole)).toBe('nothing');
    expect(said({ ...whole, key: elsewhere })).toBe('nothing');
    expect(said({ ...whole, baseUrl: 'http://127.0.0.1:8080/' })).toBe('nothing');
  });
});

describe('patience', () => {
  test.each([
    ['a number', 2_000],
    ['nothing of an object', null],
    ['a list', [2_000]],
    ['a name it does not know', { within: 2_000 }],
    ['a text for a number', { withinMs: '2000' }],
    ['no number', { withinMs: Number.NaN }],
    ['less than nothing', { firstPauseMs: -1 }],
    ['nothing for a number', { longestPauseMs: undefined }],
  ])('that is %s is told with the shape it has', (_, patience) => {
    expect(said({ ...whole, patience })).toContain('{ withinMs: 30000, firstPauseMs: 100, longestPauseMs: 5000 }');
  });

  test.each([[{}], [{ withinMs: 0 }], [{ withinMs: 2_000, firstPauseMs: 50 }], [{ withinMs: Infinity }]])(
    'of %j is taken',
    (patience) => {
      expect(said({ ...whole, patience })).toBe('nothing');
    },
  );
});
