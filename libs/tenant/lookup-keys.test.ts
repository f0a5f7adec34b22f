import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Moment } from '#libs/calendar/moment.ts';
import { type ConfigurationFact, NO_CONFIGURATIONS, withConfigurationFact } from '#libs/product/configurations.ts';
import { leastValues, noon } from '#libs/product/given.ts';
import { isRefusal } from '#libs/schema/refusals.ts';
import {
  type HeldKey,
  heldKeys,
  type LookupKeys,
  lookupKeyAnswer,
  NO_LOOKUP_KEYS,
  namedBy,
  type Pointed,
  type Pointing,
  pointLookupKey,
  removeLookupKey,
  withLookupKeyFact,
} from '#libs/tenant/lookup-keys.ts';

const values = leastValues.bnpl;
const shelf = (
  [
    { kind: 'configuration_created', id: 'bnp-000001', archetype: 'bnpl', values },
    { kind: 'configuration_version', id: 'bnp-000001', version: 2, values },
    { kind: 'configuration_created', id: 'bnp-000002', archetype: 'bnpl', values },
  ] satisfies ConfigurationFact[]
).reduce((before, fact) => withConfigurationFact(before, fact, noon), NO_CONFIGURATIONS);

const names = (configurationId: string, configurationVersion: number): Pointing => ({
  configurationId,
  configurationVersion,
});
const first = names('bnp-000001', 1);
const second = names('bnp-000001', 2);
const other = names('bnp-000002', 1);

function pointed(keys: LookupKeys, lookupKey: string, pointing: Pointing, at: Moment = noon): LookupKeys {
  const decided = pointLookupKey(keys, shelf, { lookupKey, pointing, transfer: true }) as Pointed;
  return decided.fact === undefined ? keys : withLookupKeyFact(keys, decided.fact, at);
}

function removed(keys: LookupKeys, lookupKey: string): LookupKeys {
  const decided = removeLookupKey(keys, lookupKey);
  if (isRefusal(decided)) throw new Error(decided.code);
  return withLookupKeyFact(keys, decided, noon);
}

const absent = NO_LOOKUP_KEYS;
const held = pointed(absent, 'spring', first);

describe('pointing a key', () => {
  test.each<[string, LookupKeys, Pointing, boolean, 'refused' | { status: number; recorded: boolean }]>([
    ['absent', absent, first, false, { status: 201, recorded: true }],
    ['absent, to be transferred', absent, first, true, { status: 201, recorded: true }],
    ['removed', removed(held, 'spring'), first, false, { status: 201, recorded: true }],
    ['removed, to be transferred', removed(held, 'spring'), second, true, { status: 201, recorded: true }],
    ['names this version', held, first, false, { status: 200, recorded: false }],
    ['names this version, to be transferred', held, first, true, { status: 200, recorded: false }],
    ['names another version', held, second, true, { status: 200, recorded: true }],
    ['names another product', held, other, true, { status: 200, recorded: true }],
    ['names another version, not to be transferred', held, second, false, 'refused'],
    ['names another product, not to be transferred', held, other, false, 'refused'],
  ])('%s', (_, keys, pointing, transfer, expected) => {
    const decided = pointLookupKey(keys, shelf, { lookupKey: 'spring', pointing, transfer });
    if (expected === 'refused') {
      expect(decided).toMatchObject({
        code: 'lookup_key_taken',
        details: { recorded_id: 'bnp-000001', recorded_value: 1, stated_value: pointing.configurationVersion },
      });
    } else {
      const { status, fact } = decided as Pointed;
      expect({ status, recorded: fact !== undefined }).toEqual(expected);
      if (fact !== undefined) {
        expect(namedBy(withLookupKeyFact(keys, fact, noon), 'spring')?.pointing).toEqual(pointing);
      }
    }
  });

  test.each<[string, Pointing]>([
    ['a product that does not exist', names('bnp-000003', 1)],
    ['a version not written yet', names('bnp-000001', 3)],
    ['version 0', names('bnp-000001', 0)],
  ])('at %s is refused', (_, pointing) => {
    const decided = pointLookupKey(held, shelf, { lookupKey: 'spring', pointing, transfer: true });
    expect(decided).toMatchObject({ code: 'no_configuration', status: 404 });
  });

  test('the name of the key is looked at before what it should name', () => {
    const decided = pointLookupKey(absent, shelf, {
      lookupKey: 'bnp-000001',
      pointing: names('bnp-9', 9),
      transfer: false,
    });
    expect(decided).toMatchObject({ code: 'invalid_identifier', status: 422 });
  });

  test('keys that differ in case are two keys', () => {
    const keys = pointed(held, 'Spring', other);
    expect([namedBy(keys, 'spring')?.pointing, namedBy(keys, 'Spring')?.pointing]).toEqual([first, other]);
  });
});

describe('removing a key', () => {
  test('it names nothing any more, and can be pointed anew', () => {
    const gone = removed(held, 'spring');
    expect(namedBy(gone, 'spring')).toBeUndefined();
    expect(namedBy(pointed(gone, 'spring', other), 'spring')?.pointing).toEqual(other);
  });

  test('a key that is not held cannot be removed', () => {
    expect(removeLookupKey(absent, 'spring')).toMatchObject({ code: 'not_found' });
    expect(removeLookupKey(removed(held, 'spring'), 'spring')).toMatchObject({ code: 'not_found' });
  });
});

describe('reading keys', () => {
  const keys = ['b', 'a', 'B', '_', '0'].reduce((before, key) => pointed(before, key, first), absent);
  const listed = (of: readonly HeldKey[]): string[] => of.map(({ lookupKey }) => lookupKey);

  test('they are listed by key, the removed ones left out', () => {
    expect(listed(heldKeys(removed(keys, 'a')))).toEqual(['0', 'B', '_', 'b']);
  });

  test('named ones are exactly those held, each once', () => {
    expect(listed(heldKeys(keys, ['b', 'nobody', 'a', 'b']))).toEqual(['a', 'b']);
  });

  test('a key says what it names, since when, and what it could name by now', () => {
    const [spring] = heldKeys(held);
    const book = { tenantId: 'acme', configurations: shelf };
    const plain = {
      lookup_key: 'spring',
      configuration_id: 'bnp-000001',
      configuration_version: 1,
      pointed_at: '2026-01-01T12:00:00.000000Z',
      latest_version: 2,
    };
    expect(lookupKeyAnswer(spring as HeldKey, book, { withVersion: false })).toEqual(plain);
    expect(lookupKeyAnswer(spring as HeldKey, book, { withVersion: true })).toEqual({
      ...plain,
      version: {
        id: 'bnp-000001',
        tenant_id: 'acme',
        archetype: 'bnpl',
        created_at: plain.pointed_at,
        version: 1,
        values,
      },
    });
  });
});

test('whatever is pointed and removed, the history only grows and what a key names is its last entry', () => {
  const step = fc.record({
    key: fc.constantFrom('spring', 'summer'),
    pointing: fc.option(fc.constantFrom(first, second, other), { nil: undefined }),
    transfer: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      let keys = NO_LOOKUP_KEYS;
      for (const { key, pointing, transfer } of steps) {
        const decided =
          pointing === undefined
            ? removeLookupKey(keys, key)
            : pointLookupKey(keys, shelf, { lookupKey: key, pointing, transfer });
        if (isRefusal(decided)) continue;
        const fact = 'status' in decided ? decided.fact : decided;
        if (fact === undefined) continue;
        const before = keys.get(key) ?? [];
        keys = withLookupKeyFact(keys, fact, noon);
        expect(keys.get(key)?.slice(0, -1)).toEqual(before);
        expect(namedBy(keys, key)?.pointing).toEqual(pointing);
      }
    }),
  );
});
