import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Moment } from '#libs/calendar/moment.ts';
import {
  applyConfigurationFact,
  type Configuration,
  type ConfigurationFact,
  type Configurations,
  configurationAnswer,
  createConfiguration,
  createVersion,
  NO_CONFIGURATIONS,
  previewConfiguration,
  versionAnswer,
} from '#libs/product/configurations.ts';
import { MX } from '#libs/product/markets/mx.ts';
import type { Archetype } from '#libs/product/terms.ts';
import { minimalValues, noon } from '#libs/product/testing/example-products.ts';
import type { JsonObject } from '#libs/schema/json.ts';
import { isRefusal, type Refusal } from '#libs/schema/refusals.ts';

const tenantId = 'acme';
const locked = { ...minimalValues.payday, terms: [1] };

function record(
  configurations: Configurations,
  decided: Refusal | ConfigurationFact,
  at: Moment = noon,
): Configurations {
  if (isRefusal(decided)) throw new Error(decided.code);
  return applyConfigurationFact(configurations, decided, at);
}

function created(configurations: Configurations, archetype: Archetype): Configurations {
  return record(
    configurations,
    createConfiguration(configurations, { archetype, values: minimalValues[archetype] }, MX),
  );
}

function found(configurations: Configurations, id: string): Configuration {
  return configurations.get(id) as Configuration;
}

const threeProducts = (['instalment', 'bnpl', 'payday'] as const).reduce(created, NO_CONFIGURATIONS);

describe('creating a product', () => {
  test('identifiers are numbered over all archetypes', () => {
    expect([...threeProducts.keys()]).toEqual(['ins-000001', 'bnp-000002', 'pay-000003']);
  });

  test('a refused creation uses no number', () => {
    const refused = createConfiguration(threeProducts, { archetype: 'payday', values: locked }, MX);
    expect(refused).toMatchObject({ code: 'field_locked' });
    expect([...created(threeProducts, 'payday').keys()].at(-1)).toBe('pay-000004');
  });

  test('creation is refused after 999,999 products', () => {
    const one = found(threeProducts, 'ins-000001');
    const full: Configurations = new Map(Array.from({ length: 999_999 }, (_, at) => [String(at), one]));
    const body = { archetype: 'payday', values: minimalValues.payday } as const;
    expect(createConfiguration(full, body, MX)).toMatchObject({ status: 422, details: { bound: 999_999 } });
    expect(createVersion(full, { id: '7', values: one.versions[0]?.values as JsonObject }, MX)).not.toHaveProperty(
      'refused',
    );
  });

  test('the answer is version 1 with effective values and advisories', () => {
    const values = { ...minimalValues.instalment, rate_max: '36.500' };
    const configurations = record(
      threeProducts,
      createConfiguration(threeProducts, { archetype: 'instalment', values }, MX),
    );
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
  const body = { archetype: 'bnpl', values: minimalValues.bnpl } as const;

  test('answers what creation would, without version and moment', () => {
    const preview = previewConfiguration(threeProducts, body, MX) as JsonObject;
    const configurations = created(threeProducts, 'bnpl');
    const configuration = found(configurations, 'bnp-000004');
    const { tenant_id, version, created_at, ...answer } = configurationAnswer(
      { tenantId, configuration, version: 1 },
      MX,
    );
    expect(preview).toEqual(answer);
    expect([tenant_id, version, created_at]).toEqual(['acme', 1, '2026-01-01T12:00:00.000000Z']);
  });

  test('reserves nothing', () => {
    expect(previewConfiguration(threeProducts, body, MX)).toEqual(previewConfiguration(threeProducts, body, MX));
  });

  test('is refused as creation is', () => {
    const refused = { archetype: 'payday', values: locked } as const;
    expect(previewConfiguration(threeProducts, refused, MX)).toEqual(createConfiguration(threeProducts, refused, MX));
  });
});

describe('a new version', () => {
  const values = { ...minimalValues.instalment, terms: [24] };
  const later = (noon + 1) as Moment;
  const next = record(threeProducts, createVersion(threeProducts, { id: 'ins-000001', values }, MX), later);

  test('has the next number, all values and its own moment', () => {
    expect(versionAnswer({ tenantId, configuration: found(next, 'ins-000001'), version: 2 })).toEqual({
      id: 'ins-000001',
      tenant_id: 'acme',
      archetype: 'instalment',
      created_at: '2026-01-01T12:00:00.000001Z',
      version: 2,
      values,
    });
  });

  test('leaves earlier versions unchanged', () => {
    const first = { tenantId, version: 1 };
    expect(configurationAnswer({ ...first, configuration: found(next, 'ins-000001') }, MX)).toEqual(
      configurationAnswer({ ...first, configuration: found(threeProducts, 'ins-000001') }, MX),
    );
    expect(found(threeProducts, 'ins-000001').versions).toHaveLength(1);
  });

  test('is checked by the frame of the archetype of the product', () => {
    expect(createVersion(threeProducts, { id: 'pay-000003', values: locked }, MX)).toMatchObject({
      code: 'field_locked',
    });
    expect(createVersion(threeProducts, { id: 'ins-000001', values: {} }, MX)).toMatchObject({
      code: 'missing_field',
      details: { field: '/values/principal_min' },
    });
  });

  test('of an unknown product is refused', () => {
    expect(createVersion(threeProducts, { id: 'ins-000009', values: {} }, MX)).toMatchObject({
      code: 'no_configuration',
      status: 404,
    });
  });

  test('must follow the last version', () => {
    const stale = createVersion(threeProducts, { id: 'ins-000001', values }, MX);
    expect(() => record(next, stale)).toThrow('does not follow');
  });
});

test('versions and identifiers have no gaps, whatever is created', () => {
  const anyStep = fc.oneof(
    fc.record({ create: fc.constantFrom<Archetype>('instalment', 'bnpl', 'payday'), valid: fc.boolean() }),
    fc.record({ versionOf: fc.nat(5), valid: fc.boolean() }),
  );
  fc.assert(
    fc.property(fc.array(anyStep, { maxLength: 30 }), (steps) => {
      let configurations = NO_CONFIGURATIONS;
      let facts = 0;
      for (const step of steps) {
        const decided = decide(configurations, step);
        if (isRefusal(decided)) continue;
        configurations = applyConfigurationFact(configurations, decided, (noon + facts) as Moment);
        facts += 1;
      }
      const numbers = [...configurations.keys()].map((id) => Number(id.slice(4)));
      expect(numbers).toEqual(numbers.map((_, at) => at + 1));
      const versions = [...configurations.values()].map((configuration) => configuration.versions.length);
      expect(versions.reduce((sum, count) => sum + count, 0)).toBe(facts);
    }),
  );
});

type Step = { create: Archetype; valid: boolean } | { versionOf: number; valid: boolean };

function decide(configurations: Configurations, step: Step): Refusal | ConfigurationFact {
  if ('create' in step) {
    const values = step.valid ? minimalValues[step.create] : {};
    return createConfiguration(configurations, { archetype: step.create, values }, MX);
  }
  const configuration = [...configurations.values()][step.versionOf];
  const values = step.valid && configuration !== undefined ? minimalValues[configuration.archetype] : {};
  return createVersion(configurations, { id: configuration?.id ?? 'ins-999999', values }, MX);
}
