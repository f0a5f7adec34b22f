import { expect, test } from '@jest/globals';
import { checkFrame } from '#libs/product/frame.ts';
import { valuesSchema } from '#libs/product/frame-schema.ts';
import { ARCHETYPES, FIELD_NAMES } from '#libs/product/frame-table.ts';
import { leastValues } from '#libs/product/given.ts';
import { MX } from '#libs/product/markets/mx.ts';
import type { JsonSchema } from '#libs/schema/form.ts';

test('the document requires what the frame requires', () => {
  for (const archetype of ARCHETYPES) {
    expect(valuesSchema(archetype)['required']).toEqual(Object.keys(leastValues[archetype]));
  }
});

test('the document leaves out exactly what the frame refuses as locked', () => {
  for (const archetype of ARCHETYPES) {
    const documented = Object.keys(valuesSchema(archetype)['properties'] as JsonSchema);
    const taken = FIELD_NAMES.filter((field) => {
      const values = { ...leastValues[archetype], [field]: null };
      return (checkFrame({ archetype, values, market: MX }) as { code?: string }).code !== 'field_locked';
    });
    expect(documented).toEqual(taken);
  }
});

test('a field says what it takes where it is not stated', () => {
  const of = (field: string): unknown => (valuesSchema('bnpl')['properties'] as JsonSchema)[field];
  expect(of('hold_days')).toEqual({
    type: 'integer',
    minimum: 0,
    maximum: 90,
    description: 'The longest hold.',
    default: 30,
  });
  expect(of('withdrawal_days')).toMatchObject({
    description: expect.stringMatching(/The market's where not stated\.$/),
  });
  expect(of('penalty_base')).not.toHaveProperty('default');
  expect(of('late_fee')).toMatchObject({ description: expect.stringMatching(/Nothing where not stated\.$/) });
  expect(of('terms')).toMatchObject({ description: expect.stringContaining('Ascending.') });
});
