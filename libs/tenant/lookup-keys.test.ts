import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Moment } from '#libs/calendar/moment.ts';
import { applyConfigurationFact, type ConfigurationFact, NO_CONFIGURATIONS } from '#libs/product/configurations.ts';
import { minimalValues, noon } from '#libs/product/testing/example-products.ts';
import { isRefusal } from '#libs/schema/refusals.ts';
import {
  decidePointing,
  decideRemoval,
  findLookupKey,
  type LookupKey,
  type LookupKeys,
  type LookupKeyTarget,
  lookupKeyAnswer,
  lookupKeysInUse,
  NO_LOOKUP_KEYS,
  type PointingDecision,
  withLookupKeyFact,
} from '#libs/tenant/lookup-keys.ts';

const values = minimalValues.bnpl;
const configurations = (
  [
    { kind: 'configuration_created', id: 'bnp-000001', archetype: 'bnpl', values },
    { kind: 'configuration_version', id: 'bnp-000001', version: 2, values },
    { kind: 'configuration_created', id: 'bnp-000002', archetype: 'bnpl', values },
  ] satisfies ConfigurationFact[]
).reduce((before, fact) => applyConfigurationFact(before, fact, noon), NO_CONFIGURATIONS);

const version = (configurationId: string, configurationVersion: number): LookupKeyTarget => ({
  configurationId,
  configurationVersion,
});
const first = version('bnp-000001', 1);
const second = version('bnp-000001', 2);
const otherProduct = version('bnp-000002', 1);

function pointed(keys: LookupKeys, lookupKey: string, target: LookupKeyTarget, at: Moment = noon): LookupKeys {
  const decided = decidePointing(keys, configurations, { lookupKey, target, transfer: true }) as PointingDecision;
  return decided.fact === undefined ? keys : withLookupKeyFact(keys, decided.fact, at);
}

function removed(keys: LookupKeys, lookupKey: string): LookupKeys {
  const decided = decideRemoval(keys, lookupKey);
  if (isRefusal(decided)) throw new Error(decided.code);
  return withLookupKeyFact(keys, decided, noon);
}

const noKey = NO_LOOKUP_KEYS;
const pointedAtFirst = pointed(noKey, 'spring', first);
const removedKey = removed(pointedAtFirst, 'spring');

const given = (keys: LookupKeys) => ({
  whenPointedAt: (target: LookupKeyTarget, transfer: boolean) =>
    decidePointing(keys, configurations, { lookupKey: 'spring', target, transfer }),
});

describe('pointing a lookup key', () => {
  test.each<[string, LookupKeys, LookupKeyTarget, boolean, number, boolean]>([
    ['a new key is created', noKey, first, false, 201, true],
    ['a new key is created with transfer stated too', noKey, first, true, 201, true],
    ['a removed key is created again', removedKey, first, false, 201, true],
    ['a removed key is created again with transfer stated too', removedKey, second, true, 201, true],
    ['a key that names the version already records nothing', pointedAtFirst, first, false, 200, false],
    ['a key that names the version already records nothing on transfer', pointedAtFirst, first, true, 200, false],
    ['a key is transferred to another version', pointedAtFirst, second, true, 200, true],
    ['a key is transferred to another product', pointedAtFirst, otherProduct, true, 200, true],
  ])('%s', (_, keys, target, transfer, status, isRecorded) => {
    const decision = given(keys).whenPointedAt(target, transfer) as PointingDecision;
    expect(decision.status).toBe(status);
    expect(decision.fact !== undefined).toBe(isRecorded);
    if (decision.fact === undefined) return;
    expect(findLookupKey(withLookupKeyFact(keys, decision.fact, noon), 'spring')?.target).toEqual(target);
  });

  test.each([
    ['another version', second],
    ['another product', otherProduct],
  ])('a key that names a version is not moved to %s without transfer', (_, target) => {
    expect(given(pointedAtFirst).whenPointedAt(target, false)).toMatchObject({
      code: 'lookup_key_taken',
      details: { recorded_id: 'bnp-000001', recorded_value: 1, stated_value: target.configurationVersion },
    });
  });

  test.each<[string, LookupKeyTarget]>([
    ['a product that does not exist', version('bnp-000003', 1)],
    ['a version that does not exist yet', version('bnp-000001', 3)],
    ['version 0', version('bnp-000001', 0)],
  ])('pointing a key at %s is refused', (_, target) => {
    expect(given(pointedAtFirst).whenPointedAt(target, true)).toMatchObject({
      code: 'no_configuration',
      status: 404,
    });
  });

  test('an invalid key is refused before an unknown configuration', () => {
    const request = { lookupKey: 'bnp-000001', target: version('bnp-9', 9), transfer: false };
    expect(decidePointing(noKey, configurations, request)).toMatchObject({ code: 'invalid_identifier', status: 422 });
  });

  test('keys that differ in case are two keys', () => {
    const keys = pointed(pointedAtFirst, 'Spring', otherProduct);
    expect(findLookupKey(keys, 'spring')?.target).toEqual(first);
    expect(findLookupKey(keys, 'Spring')?.target).toEqual(otherProduct);
  });
});

describe('removing a lookup key', () => {
  test('a removed key names nothing and can be pointed again', () => {
    expect(findLookupKey(removedKey, 'spring')).toBeUndefined();
    expect(findLookupKey(pointed(removedKey, 'spring', otherProduct), 'spring')?.target).toEqual(otherProduct);
  });

  test('a key that names nothing cannot be removed', () => {
    expect(decideRemoval(noKey, 'spring')).toMatchObject({ code: 'not_found' });
    expect(decideRemoval(removedKey, 'spring')).toMatchObject({ code: 'not_found' });
  });
});

describe('reading lookup keys', () => {
  const keys = ['b', 'a', 'B', '_', '0'].reduce((before, key) => pointed(before, key, first), noKey);
  const names = (found: readonly LookupKey[]): string[] => found.map(({ lookupKey }) => lookupKey);

  test('keys are listed in order, without the removed ones', () => {
    expect(names(lookupKeysInUse(removed(keys, 'a')))).toEqual(['0', 'B', '_', 'b']);
  });

  test('a list of names gives each existing key once', () => {
    expect(names(lookupKeysInUse(keys, ['b', 'unknown', 'a', 'b']))).toEqual(['a', 'b']);
  });

  test('a key is answered with its version, since when it names it, and the latest version', () => {
    const spring = findLookupKey(pointedAtFirst, 'spring') as LookupKey;
    const book = { tenantId: 'acme', configurations };
    const row = {
      lookup_key: 'spring',
      configuration_id: 'bnp-000001',
      configuration_version: 1,
      pointed_at: '2026-01-01T12:00:00.000000Z',
      latest_version: 2,
    };
    expect(lookupKeyAnswer(spring, book, { withVersion: false })).toEqual(row);
    expect(lookupKeyAnswer(spring, book, { withVersion: true })).toEqual({
      ...row,
      version: {
        id: 'bnp-000001',
        tenant_id: 'acme',
        archetype: 'bnpl',
        created_at: row.pointed_at,
        version: 1,
        values,
      },
    });
  });
});

test('the history of a key only grows, and the key names what its last entry says', () => {
  const step = fc.record({
    key: fc.constantFrom('spring', 'summer'),
    target: fc.option(fc.constantFrom(first, second, otherProduct), { nil: undefined }),
    transfer: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      let keys = NO_LOOKUP_KEYS;
      for (const { key, target, transfer } of steps) {
        const decided =
          target === undefined
            ? decideRemoval(keys, key)
            : decidePointing(keys, configurations, { lookupKey: key, target, transfer });
        if (isRefusal(decided)) continue;
        const fact = 'status' in decided ? decided.fact : decided;
        if (fact === undefined) continue;
        const before = keys.get(key) ?? [];
        keys = withLookupKeyFact(keys, fact, noon);
        expect(keys.get(key)?.slice(0, -1)).toEqual(before);
        expect(findLookupKey(keys, key)?.target).toEqual(target);
      }
    }),
  );
});
