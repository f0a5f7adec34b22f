import { expect, test } from '@jest/globals';
import { checkFrame } from '#libs/product/frame.ts';
import { ARCHETYPES, FIELD_NAMES, valuesSchema } from '#libs/product/frame-table.ts';
import { MX } from '#libs/product/markets/mx.ts';
import { minimalValues } from '#libs/product/testing/example-products.ts';
import type { JsonSchema } from '#libs/schema/schema.ts';

test('the JSON Schema requires the fields that the frame requires', () => {
  for (const archetype of ARCHETYPES) {
    expect(valuesSchema(archetype)['required']).toEqual(Object.keys(minimalValues[archetype]));
  }
});

test('the JSON Schema omits exactly the locked fields', () => {
  for (const archetype of ARCHETYPES) {
    const documented = Object.keys(valuesSchema(archetype)['properties'] as JsonSchema);
    const taken = FIELD_NAMES.filter((field) => {
      const values = { ...minimalValues[archetype], [field]: null };
      return (checkFrame({ archetype, values, market: MX }) as { code?: string }).code !== 'field_locked';
    });
    expect(documented).toEqual(taken);
  }
});

test('the JSON Schema describes the default of a field', () => {
  const of = (field: string): unknown => (valuesSchema('bnpl')['properties'] as JsonSchema)[field];
  expect(of('hold_days')).toEqual({
    type: 'integer',
    minimum: 0,
    maximum: 90,
    description: 'The longest hold.',
    default: 30,
  });
  expect(of('withdrawal_days')).toMatchObject({
    description: expect.stringMatching(/The market's rule by default\.$/),
  });
  expect(of('penalty_base')).not.toHaveProperty('default');
  expect(of('late_fee')).toMatchObject({ description: expect.stringMatching(/Zero by default\.$/) });
  expect(of('terms')).toMatchObject({ description: expect.stringContaining('Ascending.') });
});
