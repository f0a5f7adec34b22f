import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { checkLookupKey, composeIdentifier, isConfigurationId } from '#libs/product/configurations.ts';

test('an identifier is composed of the archetype and the number of the product', () => {
  expect(composeIdentifier('instalment', 1)).toBe('ins-000001');
  expect(composeIdentifier('bnpl', 42)).toBe('bnp-000042');
  expect(composeIdentifier('payday', 999_999)).toBe('pay-999999');
});

test('a lookup key shaped like a composed identifier or a UUID is refused', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('instalment' as const, 'bnpl' as const, 'payday' as const),
      fc.integer({ min: 1, max: 999_999 }),
      (archetype, count) => {
        const id = composeIdentifier(archetype, count);
        expect(isConfigurationId(id)).toBe(true);
        expect(checkLookupKey(id)?.code).toBe('invalid_identifier');
        expect(checkLookupKey(id.toUpperCase())?.code).toBe('invalid_identifier');
      },
    ),
  );
  fc.assert(fc.property(fc.uuid(), (uuid) => checkLookupKey(uuid)?.code === 'invalid_identifier'));
});

describe('a lookup key has 1 to 64 letters, digits, hyphens and underscores', () => {
  test.each([
    'a',
    'Personal_12-months',
    '0',
    '-',
    'x'.repeat(64),
    'ins-00001',
    'ins-0000001',
    'xins-000001',
    'ins_000001',
    'INS',
  ])('%s is accepted', (key) => {
    expect(checkLookupKey(key)).toBeUndefined();
  });

  test('a UUID without hyphens is accepted', () => {
    expect(checkLookupKey('0190a1b2c3d47e5f8a9b0c1d2e3f4a5b')).toBeUndefined();
  });

  test.each(['', 'x'.repeat(65), 'two words', 'préstamo', 'a/b', 'a.b', 'a\n', ' a'])('%j is refused', (key) => {
    expect(checkLookupKey(key)).toMatchObject({
      code: 'invalid_identifier',
      details: { field: 'lookup_key', observed: key },
    });
  });

  test.each(['ins-000001', 'BNP-123456', 'Pay-000000', '0190A1B2-c3d4-7e5f-8a9b-0c1d2e3f4a5b'])(
    '%s is refused because it is shaped like an identifier',
    (key) => {
      expect(checkLookupKey(key)).toMatchObject({ code: 'invalid_identifier', details: { observed: key } });
    },
  );
});
