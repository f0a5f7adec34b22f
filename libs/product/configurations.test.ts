import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Moment } from '#libs/calendar/moment.ts';
import {
  type Configuration,
  type ConfigurationFact,
  type Configurations,
  configurationAnswer,
  createConfiguration,
  latestVersions,
  NO_CONFIGURATIONS,
  previewConfiguration,
  versionAnswer,
  withConfigurationFact,
  writeVersion,
} from '#libs/product/configurations.ts';
import { leastValues, noon } from '#libs/product/given.ts';
import { MX } from '#libs/product/markets/mx.ts';
import type { Archetype } from '#libs/product/terms.ts';
import type { JsonObject } from '#libs/schema/json.ts';
import { isRefusal, type Refusal } from '#libs/schema/refusals.ts';

const tenantId = 'acme';
const locked = { ...leastValues.payday, terms: [1] };

function record(
  configurations: Configurations,
  decided: Refusal | ConfigurationFact,
  at: Moment = noon,
): Configurations {
  if (isRefusal(decided)) throw new Error(decided.code);
  return withConfigurationFact(configurations, decided, at);
}

function created(configurations: Configurations, archetype: Archetype): Configurations {
  return record(configurations, createConfiguration(configurations, { archetype, values: leastValues[archetype] }, MX));
}

function found(configurations: Configurations, id: string): Configuration {
  return configurations.get(id) as Configuration;
}

const shelf = (['instalment', 'bnpl', 'payday'] as const).reduce(created, NO_CONFIGURATIONS);

describe('creating a product', () => {
  test('one count runs over the three archetypes', () => {
    expect([...shelf.keys()]).toEqual(['ins-000001', 'bnp-000002', 'pay-000003']);
  });

  test('a refused creation takes no number', () => {
    const refused = createConfiguration(shelf, { archetype: 'payday', values: locked }, MX);
    expect(refused).toMatchObject({ code: 'field_locked' });
    expect([...created(shelf, 'payday').keys()].at(-1)).toBe('pay-000004');
  });

  test('after 999,999 products no identifier is left to compose', () => {
    const one = found(shelf, 'ins-000001');
    const full: Configurations = new Map(Array.from({ length: 999_999 }, (_, at) => [String(at), one]));
    const body = { archetype: 'payday', values: leastValues.payday } as const;
    expect(createConfiguration(full, body, MX)).toMatchObject({ status: 422, details: { bound: 999_999 } });
    expect(writeVersion(full, { id: '7', values: one.versions[0]?.values as JsonObject }, MX)).not.toHaveProperty(
      'refused',
    );
  });

  test('the answer is the product at version 1 with what it takes and what is worth a second look', () => {
    const values = { ...leastValues.instalment, rate_max: '36.500' };
    const configurations = record(shelf, createConfiguration(shelf, { archetype: 'instalment', values }, MX));
    const configuration = found(configurations, 'ins-000004');
    expect(configurationAnswer({ tenantId, configuration, version: 1 }, MX)).toMatchObject({
      id: 'ins-000004',
      tenant_id: 'acme',
      archetype: 'instalment',
      created_at: '2026-01-01T12:00:00.000000Z',
      version: 1,
      values,
      effective: { rate_max: { value: '36.500', source: 'stated' }, hold_days: { value: 30, source: 'default' } },
      advisories: [{ code: 'no_tolerance', field: '/values/tolerance_days' }],
    });
  });
});

describe('a preview', () => {
  const body = { archetype: 'bnpl', values: leastValues.bnpl } as const;

  test('shows what creation would answer, but for version and moment', () => {
    const preview = previewConfiguration(shelf, body, MX) as JsonObject;
    const configurations = created(shelf, 'bnpl');
    const configuration = found(configurations, 'bnp-000004');
    const { tenant_id, version, created_at, ...answer } = configurationAnswer(
      { tenantId, configuration, version: 1 },
      MX,
    );
    expect(preview).toEqual(answer);
    expect([tenant_id, version, created_at]).toEqual(['acme', 1, '2026-01-01T12:00:00.000000Z']);
  });

  test('reserves nothing', () => {
    expect(previewConfiguration(shelf, body, MX)).toEqual(previewConfiguration(shelf, body, MX));
  });

  test('is refused as creation is', () => {
    const refused = { archetype: 'payday', values: locked } as const;
    expect(previewConfiguration(shelf, refused, MX)).toEqual(createConfiguration(shelf, refused, MX));
  });
});

describe('a new version', () => {
  const values = { ...leastValues.instalment, terms: [24] };
  const later = (noon + 1) as Moment;
  const next = record(shelf, writeVersion(shelf, { id: 'ins-000001', values }, MX), later);

  test('is stated whole, numbered one above the last, and recorded at its own moment', () => {
    expect(versionAnswer({ tenantId, configuration: found(next, 'ins-000001'), version: 2 })).toEqual({
      id: 'ins-000001',
      tenant_id: 'acme',
      archetype: 'instalment',
      created_at: '2026-01-01T12:00:00.000001Z',
      version: 2,
      values,
    });
  });

  test('leaves the versions before it as they were', () => {
    const first = { tenantId, version: 1 };
    expect(configurationAnswer({ ...first, configuration: found(next, 'ins-000001') }, MX)).toEqual(
      configurationAnswer({ ...first, configuration: found(shelf, 'ins-000001') }, MX),
    );
    expect(found(shelf, 'ins-000001').versions).toHaveLength(1);
  });

  test('answers to the frame of the archetype, which never changes', () => {
    expect(writeVersion(shelf, { id: 'pay-000003', values: locked }, MX)).toMatchObject({ code: 'field_locked' });
    expect(writeVersion(shelf, { id: 'ins-000001', values: {} }, MX)).toMatchObject({
      code: 'missing_field',
      details: { field: '/values/principal_min' },
    });
  });

  test('of a product that does not exist is no version of anything', () => {
    expect(writeVersion(shelf, { id: 'ins-000009', values: {} }, MX)).toMatchObject({
      code: 'no_configuration',
      status: 404,
    });
  });

  test('does not follow a version that is not the last', () => {
    const stale = writeVersion(shelf, { id: 'ins-000001', values }, MX);
    expect(() => record(next, stale)).toThrow('does not follow');
  });
});

test('products are listed newest first, each at its latest version', () => {
  const next = record(shelf, writeVersion(shelf, { id: 'ins-000001', values: leastValues.instalment }, MX));
  expect(latestVersions(next).map(({ configuration, version }) => [configuration.id, version])).toEqual([
    ['pay-000003', 1],
    ['bnp-000002', 1],
    ['ins-000001', 2],
  ]);
});

test('whatever is created and versioned, versions count 1, 2, 3 and identifiers leave no gap', () => {
  const step = fc.oneof(
    fc.record({ create: fc.constantFrom<Archetype>('instalment', 'bnpl', 'payday'), valid: fc.boolean() }),
    fc.record({ versionOf: fc.nat(5), valid: fc.boolean() }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      let configurations = NO_CONFIGURATIONS;
      let facts = 0;
      for (const asked of steps) {
        const decided = decide(configurations, asked);
        if (isRefusal(decided)) continue;
        configurations = withConfigurationFact(configurations, decided, (noon + facts) as Moment);
        facts += 1;
      }
      const numbers = [...configurations.keys()].map((id) => Number(id.slice(4)));
      expect(numbers).toEqual(numbers.map((_, at) => at + 1));
      const versions = [...configurations.values()].map((configuration) => configuration.versions.length);
      expect(versions.reduce((sum, count) => sum + count, 0)).toBe(facts);
    }),
  );
});

type Asked = { create: Archetype; valid: boolean } | { versionOf: number; valid: boolean };

function decide(configurations: Configurations, asked: Asked): Refusal | ConfigurationFact {
  if ('create' in asked) {
    const values = asked.valid ? leastValues[asked.create] : {};
    return createConfiguration(configurations, { archetype: asked.create, values }, MX);
  }
  const configuration = [...configurations.values()][asked.versionOf];
  const values = asked.valid && configuration !== undefined ? leastValues[configuration.archetype] : {};
  return writeVersion(configurations, { id: configuration?.id ?? 'ins-999999', values }, MX);
}
