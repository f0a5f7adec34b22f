import { expect, test } from '@jest/globals';
import { FIELD_NAMES } from '#libs/product/frame-table.ts';
import { minimalValues } from '#libs/product/testing/example-products.ts';
import type { JsonObject } from '#libs/schema/json.ts';
import { en } from '../texts/en.ts';
import { inputNames, inputsOf, valuesOf } from './rehearsal-form-values.ts';

const pesos = (minorUnits: number): JsonObject => ({ minor_units: minorUnits, currency: 'MXN' });

const everyField: JsonObject = {
  ...minimalValues.payday,
  penalty_rate_max: '72.5',
  day_count_basis: 'actual_365',
  schedule: { kind: 'anchored_every_n_days', interval_days: 30, first_after_days: 45 },
  late_fee: pesos(5),
  tolerance: pesos(0),
  charge_order: ['principal', 'interest', 'fee', 'late_fee', 'penalty'],
  acceleration: { forbidden: false, missed_periods: 2, notice_days: 10 },
  penalty_ceiling_bps: 2_000,
  refuse_while_any_loan_overdue: true,
};

test.each([
  [
    'instalment',
    {
      ...minimalValues.instalment,
      schedules: [{ kind: 'anchored_monthly' }, { kind: 'anchored_monthly', day_of_month: 5 }],
    },
  ],
  ['bnpl', { ...minimalValues.bnpl, down_payment_max_bps: 5_000 }],
  ['payday', everyField],
] as const)('the values of a product of archetype %s survive the form', (archetype, values) => {
  expect(valuesOf(inputsOf(values), archetype, { texts: en, currency: 'MXN' })).toEqual(values);
});

test('amounts are stated as decimals, and what is none is passed on for the API to refuse', () => {
  const late = (text: string) => valuesOf({ late_fee: text }, 'instalment', { texts: en, currency: 'MXN' })['late_fee'];
  expect(late('1,234.5')).toEqual(pesos(123_450));
  expect(late('7')).toEqual(pesos(700));
  for (const text of ['1.005', 'ten', '12,34']) expect(late(text)).toBe(text);
  expect(valuesOf({ late_fee: '120' }, 'instalment', { texts: en, currency: 'CLP' })['late_fee']).toEqual({
    minor_units: 120,
    currency: 'CLP',
  });
});

test('an empty input states nothing, and a locked field has no input', () => {
  expect(
    valuesOf({ late_fee: '', 'schedule.kind': '', max_rollovers: '1' }, 'instalment', { texts: en, currency: 'MXN' }),
  ).toEqual({});
});

test('each field has an input', () => {
  expect(FIELD_NAMES.flatMap(inputNames)).toHaveLength(FIELD_NAMES.length + 3 + 2);
});
