import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { EffectiveField } from '#libs/product/effective-values.ts';
import { checkFrame } from '#libs/product/frame.ts';
import { ARCHETYPES, type FieldName, FRAME } from '#libs/product/frame-table.ts';
import { MX } from '#libs/product/markets/mx.ts';
import type { Archetype } from '#libs/product/terms.ts';
import {
  checkedValues,
  minimalValues,
  pesos,
  refusalOf,
  strictMarket,
} from '#libs/product/testing/example-products.ts';
import type { JsonObject } from '#libs/schema/json.ts';
import type { Refusal } from '#libs/schema/refusals.ts';

const monthly = { kind: 'anchored_monthly' };
const weekly = { kind: 'anchored_every_n_days', interval_days: 7 };

const nothing: EffectiveField = { source: 'default' };
const byDefault = (value: unknown): EffectiveField => ({ value, source: 'default' }) as EffectiveField;

describe('a field that is not stated has the default of its archetype', () => {
  const defaults: [FieldName, Record<Archetype, EffectiveField>][] = [
    ['unit', same(byDefault('loans'))],
    ['penalty_rate_min', same(byDefault('0'))],
    ['penalty_rate_max', same(byDefault('0'))],
    ['day_count_basis', same(byDefault('actual_360'))],
    ['amortisation', { ...same(byDefault('level_payment')), bnpl: byDefault('equal_principal') }],
    [
      'schedule',
      {
        instalment: byDefault(monthly),
        bnpl: byDefault({ kind: 'anchored_every_n_days', interval_days: 14 }),
        payday: byDefault({ kind: 'anchored_every_n_days', interval_days: 30 }),
      },
    ],
    ['schedules', same(nothing)],
    ['origination_fee', same(byDefault(pesos(0)))],
    ['late_fee', same(byDefault(pesos(0)))],
    ['rollover_fee', same(byDefault(pesos(0)))],
    ['down_payment_min_bps', same(byDefault(0))],
    ['down_payment_max_bps', same(byDefault(0))],
    ['early_money_treatment', { ...same(byDefault('reduces_principal')), bnpl: byDefault('settles_next') }],
    ['charge_order', same(byDefault(['penalty', 'late_fee', 'fee', 'interest', 'principal']))],
    ['tolerance_days', same(byDefault(0))],
    ['tolerance', same(nothing)],
    ['penalty_base', same(byDefault('overdue_principal'))],
    ['penalty_ceiling_days', same(nothing)],
    ['penalty_ceiling_bps', same(nothing)],
    ['acceleration', same(byDefault({ forbidden: false, missed_periods: 1, notice_days: 0 }))],
    ['max_rollovers', same(byDefault(0))],
    ['withdrawal_days', same(nothing)],
    ['hold_days', same(byDefault(30))],
    ['max_open_loans_per_client', same(nothing)],
    ['max_outstanding_per_client', same(nothing)],
    ['refuse_while_any_loan_overdue', same(nothing)],
  ];

  test.each(defaults)('%s', (field, expected) => {
    const effective = (archetype: Archetype): EffectiveField => checkedValues(archetype).effective[field];
    expect(Object.fromEntries(ARCHETYPES.map((archetype) => [archetype, effective(archetype)]))).toEqual(expected);
  });

  test('by default a bnpl product has a zero rate and a payday product one period', () => {
    expect(checkedValues('bnpl').effective).toMatchObject({ rate_min: byDefault('0'), rate_max: byDefault('0') });
    expect(checkedValues('payday').effective.terms).toEqual(byDefault([1]));
  });

  test('a menu replaces the default schedule', () => {
    const { effective } = checkedValues('instalment', { schedules: [monthly, weekly] });
    expect(effective.schedule).toEqual(nothing);
    expect(effective.schedules).toEqual({ value: [monthly, weekly], source: 'stated' });
  });

  test('defaults of the law are those of the home market', () => {
    expect(checkedValues('payday', {}, strictMarket).effective).toMatchObject({
      penalty_base: byDefault('overdue_instalment'),
      penalty_ceiling_days: byDefault(60),
      penalty_ceiling_bps: byDefault(2_000),
      acceleration: byDefault({ forbidden: false, missed_periods: 2, notice_days: 10 }),
      withdrawal_days: byDefault(14),
    });
  });

  test('the effective values have every field, in the order of the frame', () => {
    for (const archetype of ARCHETYPES) {
      expect(Object.keys(checkedValues(archetype).effective)).toEqual(FRAME.map(({ field }) => field));
    }
  });
});

test('a rate is answered exactly as it was sent', () => {
  expect(checkedValues('instalment', { rate_max: '36.500' }).effective.rate_max).toEqual({
    value: '36.500',
    source: 'stated',
  });
});

describe('a locked field is refused, even with the value that the archetype fixes', () => {
  test.each<[Archetype, FieldName, JsonObject[string]]>([
    ['instalment', 'rollover_fee', pesos(0)],
    ['instalment', 'down_payment_min_bps', 0],
    ['instalment', 'down_payment_max_bps', 0],
    ['instalment', 'max_rollovers', 0],
    ['bnpl', 'rollover_fee', pesos(10)],
    ['bnpl', 'max_rollovers', 1],
    ['payday', 'amortisation', 'level_payment'],
    ['payday', 'terms', [1]],
    ['payday', 'down_payment_min_bps', 0],
    ['payday', 'down_payment_max_bps', 500],
    ['bnpl', 'rollover_fee', { colour: 'red' }],
  ])('%s: %s', (archetype, field, value) => {
    expect(refusalOf(archetype, { [field]: value })).toEqual(['field_locked', `/values/${field}`]);
  });
});

describe('a required field of the archetype must be stated', () => {
  test.each<[Archetype, FieldName[]]>([
    ['instalment', ['principal_min', 'principal_max', 'rate_min', 'rate_max', 'terms']],
    ['bnpl', ['principal_min', 'principal_max', 'terms']],
    ['payday', ['principal_min', 'principal_max', 'rate_min', 'rate_max']],
  ])('%s', (archetype, fields) => {
    expect(Object.keys(minimalValues[archetype])).toEqual(fields);
    for (const field of fields) {
      const { [field]: _, ...values } = minimalValues[archetype];
      expect(checkFrame({ archetype, values, market: MX })).toMatchObject({
        code: 'missing_field',
        details: { field: `/values/${field}` },
      });
    }
  });
});

describe('of several faults the first is reported: unknown, locked, missing, invalid, contradictory', () => {
  const { principal_max, ...others } = minimalValues.payday;
  const all = { ...others, colour: 'red', terms: [1], penalty_rate_min: 'much', rate_min: '40' };
  const without = (...fields: string[]): JsonObject =>
    Object.fromEntries(Object.entries(all).filter(([field]) => !fields.includes(field)));
  const maximum = { principal_max: principal_max as JsonObject };

  test.each<[string, JsonObject, [string, string]]>([
    ['all of them', without(), ['unknown_field', '/values/colour']],
    ['all known', without('colour'), ['field_locked', '/values/terms']],
    ['none locked', without('colour', 'terms'), ['missing_field', '/values/principal_max']],
    ['none missing', { ...without('colour', 'terms'), ...maximum }, ['invalid_field', '/values/penalty_rate_min']],
    [
      'all valid',
      { ...without('colour', 'terms', 'penalty_rate_min'), ...maximum },
      ['inconsistent_values', '/values/rate_max'],
    ],
  ])('%s', (_, values, [code, field]) => {
    expect(checkFrame({ archetype: 'payday', values, market: MX })).toMatchObject({ code, details: { field } });
  });

  test('of several faults of one kind the first in the frame is reported, and of unknown fields the first by name', () => {
    expect(refusalOf('instalment', { hold_days: 91, tolerance_days: -1 })).toEqual([
      'invalid_field',
      '/values/tolerance_days',
    ]);
    expect(refusalOf('instalment', { zebra: 1, apple: 1 })).toEqual(['unknown_field', '/values/apple']);
    expect(refusalOf('instalment', { apple: 1, zebra: 1 })).toEqual(['unknown_field', '/values/apple']);
    expect(refusalOf('instalment', { 'a/b~c': 1 })).toEqual(['unknown_field', '/values/a~1b~0c']);
  });

  test('null is a value of a wrong type, not an absent field', () => {
    expect(refusalOf('instalment', { tolerance: null })).toEqual(['invalid_field', '/values/tolerance']);
    expect(refusalOf('instalment', { rate_min: null })).toEqual(['invalid_field', '/values/rate_min']);
    expect(refusalOf('payday', { terms: null })).toEqual(['field_locked', '/values/terms']);
  });
});

test('all faulty fields are named at once, in the order of the checks, and contradictions only where there are none', () => {
  const { principal_max: _, ...others } = minimalValues.payday;
  const values = { ...others, zebra: 1, apple: 1, terms: [1], penalty_rate_min: 'much', rate_min: '40', hold_days: -1 };
  const { details } = checkFrame({ archetype: 'payday', values, market: MX }) as Refusal;
  const fields = details?.fields as readonly JsonObject[];
  expect(fields.map(({ code, field }) => `${code} ${field}`)).toEqual([
    'unknown_field /values/apple',
    'unknown_field /values/zebra',
    'field_locked /values/terms',
    'missing_field /values/principal_max',
    'invalid_field /values/penalty_rate_min',
    'invalid_field /values/hold_days',
  ]);
  expect(fields[4]).toMatchObject({ bound: expect.any(String), observed: 'much' });
  expect(details?.field).toBe('/values/apple');
});

test('the order of members does not change the result', () => {
  const members: JsonObject = {
    ...minimalValues.bnpl,
    colour: 'red',
    hold_days: 91,
    tolerance_days: 0,
    rate_min: '1',
    late_fee: pesos(-1),
    max_rollovers: 1,
  };
  const subset = fc.shuffledSubarray(Object.keys(members));
  fc.assert(
    fc.property(subset, fc.constantFrom(...ARCHETYPES), (fields, archetype) => {
      const pick = (names: readonly string[]): JsonObject =>
        Object.fromEntries(names.map((name) => [name, members[name] as JsonObject[string]]));
      const check = (values: JsonObject): unknown => checkFrame({ archetype, values, market: MX });
      expect(check(pick(fields))).toEqual(check(pick([...fields].sort())));
    }),
  );
});

function same(field: EffectiveField): Record<Archetype, EffectiveField> {
  return { instalment: field, bnpl: field, payday: field };
}
