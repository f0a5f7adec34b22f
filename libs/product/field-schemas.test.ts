import { describe, expect, test } from '@jest/globals';
import { checkFrame } from '#libs/product/frame.ts';
import { ARCHETYPES, type FieldName, FRAME } from '#libs/product/frame-table.ts';
import { MX } from '#libs/product/markets/mx.ts';
import type { Archetype } from '#libs/product/terms.ts';
import { minimalValues } from '#libs/product/testing/example-products.ts';
import type { Json } from '#libs/schema/json.ts';
import { isRefusal } from '#libs/schema/refusals.ts';

function resultOf(field: FieldName, value: Json): 'valid' | string {
  const archetype = ARCHETYPES.find((each) => ruleOf(field, each) !== 'locked') as Archetype;
  const refusal = checkFrame({ archetype, values: { ...minimalValues[archetype], [field]: value }, market: MX });
  if (!isRefusal(refusal) || refusal.code === 'inconsistent_values') return 'valid';
  return `${refusal.code} ${refusal.details?.field}`;
}

function ruleOf(field: FieldName, archetype: Archetype): string | undefined {
  return FRAME.find((row) => row.field === field)?.byArchetype[archetype].kind;
}

const mxn = (minor_units: Json): Json => ({ minor_units, currency: 'MXN' });
const everyN = (interval_days: Json): Json => ({ kind: 'anchored_every_n_days', interval_days });
const monthly: Json = { kind: 'anchored_monthly' };
const order: Json = ['principal', 'interest', 'fee', 'late_fee', 'penalty'];
const acceleration = { forbidden: false, missed_periods: 1, notice_days: 0 };
const menu = (length: number): Json => Array.from({ length }, (_, at) => everyN(at + 1));

const good: [FieldName, Json[]][] = [
  ['unit', ['loans', 'purchases', 'x'.repeat(64)]],
  ['principal_min', [mxn(1), mxn(Number.MAX_SAFE_INTEGER)]],
  ['origination_fee', [mxn(0), mxn(1)]],
  ['tolerance', [mxn(0)]],
  ['rate_min', ['0', '0.0', '36.50', '999999.12345678']],
  ['day_count_basis', ['actual_360', 'actual_365', 'thirty_360', 'actual_actual']],
  ['amortisation', ['level_payment', 'level_principal_and_interest', 'equal_principal']],
  ['terms', [[1], [600], [1, 2, 600]]],
  ['schedule', [monthly, { ...(monthly as object), day_of_month: 31, first_after_days: 0 }, everyN(1)]],
  ['schedules', [menu(2), menu(12), [monthly, everyN(7)]]],
  ['down_payment_max_bps', [0, 9_999]],
  ['early_money_treatment', ['reduces_principal', 'shortens_term', 'settles_next']],
  ['charge_order', [order]],
  ['tolerance_days', [0, 90]],
  ['penalty_base', ['overdue_principal', 'overdue_instalment']],
  ['penalty_ceiling_days', [1, 100_000]],
  ['penalty_ceiling_bps', [1, 20_000]],
  ['acceleration', [acceleration, { forbidden: true, missed_periods: 0, notice_days: 0 }]],
  ['max_rollovers', [0, 12]],
  ['withdrawal_days', [0, 60]],
  ['hold_days', [0, 90]],
  ['max_open_loans_per_client', [1]],
  ['max_outstanding_per_client', [mxn(1)]],
  ['refuse_while_any_loan_overdue', [true, false]],
];

describe('a valid value is accepted', () => {
  test.each(good)('%s', (field, values) => {
    for (const value of values) expect(resultOf(field, value)).toBe('valid');
  });
});

const bad: [FieldName, Json, string][] = [
  ['unit', '', 'invalid_field'],
  ['unit', 'two words', 'invalid_field'],
  ['unit', 'x'.repeat(65), 'invalid_field'],
  ['principal_min', 100, 'invalid_field'],
  ['principal_min', [1], 'invalid_field'],
  ['principal_min', mxn(0), 'invalid_field /minor_units'],
  ['principal_min', mxn(-1), 'invalid_field /minor_units'],
  ['principal_min', mxn(1.5), 'invalid_field /minor_units'],
  ['principal_min', mxn('1'), 'invalid_field /minor_units'],
  ['principal_min', mxn(null), 'invalid_field /minor_units'],
  ['principal_min', mxn(2 ** 53), 'amount_out_of_range /minor_units'],
  ['principal_min', { minor_units: 1 }, 'missing_field /currency'],
  ['principal_min', { currency: 'MXN' }, 'missing_field /minor_units'],
  ['principal_min', { minor_units: 0, currency: 'MXN', note: '' }, 'unknown_field /note'],
  ['principal_min', { minor_units: 1, currency: 'mxn' }, 'invalid_field /currency'],
  ['principal_min', { minor_units: 1, currency: 'MXNN' }, 'invalid_field /currency'],
  ['origination_fee', mxn(-1), 'invalid_field /minor_units'],
  ['max_outstanding_per_client', mxn(0), 'invalid_field /minor_units'],
  ['rate_min', 36, 'invalid_field'],
  ['rate_min', '36%', 'invalid_field'],
  ['rate_min', '01', 'invalid_field'],
  ['rate_min', '-1', 'invalid_field'],
  ['rate_min', '1.', 'invalid_field'],
  ['rate_min', '1.123456789', 'invalid_field'],
  ['rate_min', '1000000', 'invalid_field'],
  ['day_count_basis', 'actual_364', 'invalid_field'],
  ['amortisation', 'balloon', 'invalid_field'],
  ['terms', 3, 'invalid_field'],
  ['terms', [], 'invalid_field'],
  ['terms', [0], 'invalid_field /0'],
  ['terms', [601], 'invalid_field /0'],
  ['terms', [3, 3], 'invalid_field /1'],
  ['terms', [3, 6, 5], 'invalid_field /2'],
  ['terms', [1.5], 'invalid_field /0'],
  ['terms', ['3'], 'invalid_field /0'],
  ['schedule', 'monthly', 'invalid_field'],
  ['schedule', {}, 'missing_field /kind'],
  ['schedule', { kind: 'weekly' }, 'invalid_field /kind'],
  ['schedule', { kind: 'anchored_every_n_days' }, 'missing_field /interval_days'],
  ['schedule', everyN(0), 'invalid_field /interval_days'],
  ['schedule', { kind: 'anchored_monthly', interval_days: 30 }, 'invalid_field /interval_days'],
  ['schedule', { kind: 'anchored_every_n_days', interval_days: 7, day_of_month: 1 }, 'invalid_field /day_of_month'],
  ['schedule', { kind: 'anchored_monthly', first_after_days: 5 }, 'invalid_field /first_after_days'],
  ['schedule', { kind: 'anchored_monthly', day_of_month: 32 }, 'invalid_field /day_of_month'],
  ['schedule', { kind: 'anchored_monthly', day_of_week: 1 }, 'unknown_field /day_of_week'],
  ['schedules', monthly, 'invalid_field'],
  ['schedules', [monthly], 'invalid_field'],
  ['schedules', menu(13), 'invalid_field'],
  ['schedules', [monthly, everyN(0)], 'invalid_field /1/interval_days'],
  ['schedules', [everyN(7), { interval_days: 7, kind: 'anchored_every_n_days' }], 'invalid_field /1'],
  ['down_payment_max_bps', 10_000, 'invalid_field'],
  ['early_money_treatment', 'keeps', 'invalid_field'],
  ['charge_order', 'principal', 'invalid_field'],
  ['charge_order', ['principal', 'interest', 'fee', 'late_fee'], 'invalid_field'],
  ['charge_order', ['principal', 'principal', 'interest', 'fee', 'late_fee'], 'invalid_field'],
  ['charge_order', ['principal', 'interest', 'fee', 'late_fee', 'penalty', 'tax'], 'invalid_field'],
  ['tolerance_days', 91, 'invalid_field'],
  ['tolerance_days', -1, 'invalid_field'],
  ['tolerance_days', '0', 'invalid_field'],
  ['tolerance', mxn(-1), 'invalid_field /minor_units'],
  ['penalty_base', 'everything', 'invalid_field'],
  ['penalty_ceiling_days', 0, 'invalid_field'],
  ['penalty_ceiling_bps', 0, 'invalid_field'],
  ['acceleration', true, 'invalid_field'],
  ['acceleration', { ...acceleration, forbidden: 1 }, 'invalid_field /forbidden'],
  ['acceleration', { ...acceleration, missed_periods: -1 }, 'invalid_field /missed_periods'],
  ['acceleration', { ...acceleration, notice_days: 0.5 }, 'invalid_field /notice_days'],
  ['acceleration', { forbidden: false, missed_periods: 1 }, 'missing_field /notice_days'],
  ['acceleration', { ...acceleration, notice: 1 }, 'unknown_field /notice'],
  ['max_rollovers', 13, 'invalid_field'],
  ['withdrawal_days', 61, 'invalid_field'],
  ['hold_days', 91, 'invalid_field'],
  ['max_open_loans_per_client', 0, 'invalid_field'],
  ['refuse_while_any_loan_overdue', 'true', 'invalid_field'],
];

describe('an invalid value is refused with a JSON pointer to it', () => {
  test.each(bad)('%s %j', (field, value, expected) => {
    const [code, step = ''] = expected.split(' ');
    expect(resultOf(field, value)).toBe(`${code} /values/${field}${step}`);
  });
});

test('every field of the frame has valid and invalid examples above', () => {
  const shown = (rows: readonly [FieldName, ...unknown[]][]): Set<string> => new Set(rows.map(([field]) => field));
  const sameSchema = [
    'principal_max',
    'rate_max',
    'penalty_rate_min',
    'penalty_rate_max',
    'late_fee',
    'rollover_fee',
    'down_payment_min_bps',
  ];
  for (const examples of [shown(good), shown(bad)]) {
    expect(FRAME.map(({ field }) => field).filter((field) => !examples.has(field))).toEqual(sameSchema);
  }
});

test('every field of the frame has a description and a type', () => {
  for (const { schema: form, description: says } of FRAME) {
    expect(says).toMatch(/^[A-Z].*\.$/);
    expect(Object.keys(form.jsonSchema)).toContain('type');
  }
});
