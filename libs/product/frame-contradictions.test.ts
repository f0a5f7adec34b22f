import { describe, expect, test } from '@jest/globals';
import { FRAME } from '#libs/product/frame-table.ts';
import type { Archetype } from '#libs/product/terms.ts';
import { checkWith, pesos, refusalOf, strictMarket } from '#libs/product/testing/example-products.ts';
import type { JsonObject } from '#libs/schema/json.ts';
import { money, moneyOrZero } from '#libs/schema/objects.ts';

const monthly = { kind: 'anchored_monthly' };
const weekly = { kind: 'anchored_every_n_days', interval_days: 7 };

describe('contradictory values are refused at the later field, or at the stated one if the other is a default', () => {
  test.each<[string, Archetype, JsonObject, string, unknown, unknown]>([
    [
      'a minimum principal above the maximum',
      'bnpl',
      { principal_min: pesos(9), principal_max: pesos(8) },
      'principal_max',
      pesos(9),
      pesos(8),
    ],
    [
      'two currencies of principal',
      'bnpl',
      { principal_max: { minor_units: 1, currency: 'USD' } },
      'principal_max',
      'MXN',
      'USD',
    ],
    [
      'equal minimum and maximum principal',
      'bnpl',
      { principal_min: pesos(9), principal_max: pesos(9) },
      '',
      undefined,
      undefined,
    ],
    ['a minimum rate above the maximum', 'payday', { rate_min: '36.51' }, 'rate_max', '36.51', '36.50'],
    ['rates are compared as numbers', 'payday', { rate_min: '9', rate_max: '10' }, '', undefined, undefined],
    ['equal rates written differently', 'payday', { rate_min: '9.0', rate_max: '9' }, '', undefined, undefined],
    ['a minimum rate above the default maximum', 'bnpl', { rate_min: '1' }, 'rate_min', '0', '1'],
    [
      'a minimum penalty rate above the default maximum',
      'payday',
      { penalty_rate_min: '1' },
      'penalty_rate_min',
      '0',
      '1',
    ],
    [
      'a schedule and a menu',
      'bnpl',
      { schedule: monthly, schedules: [monthly, weekly] },
      'schedules',
      'one of schedule, schedules',
      'schedule, schedules',
    ],
    ['a late fee in dollars', 'bnpl', { late_fee: { minor_units: 1, currency: 'USD' } }, 'late_fee', 'MXN', 'USD'],
    [
      'a minimum down payment above the maximum',
      'bnpl',
      { down_payment_min_bps: 2_000, down_payment_max_bps: 1_999 },
      'down_payment_max_bps',
      2_000,
      1_999,
    ],
    [
      'a minimum down payment above the default maximum',
      'bnpl',
      { down_payment_min_bps: 1 },
      'down_payment_min_bps',
      0,
      1,
    ],
    [
      'a currency that the market does not permit',
      'bnpl',
      { principal_min: { minor_units: 1, currency: 'USD' }, principal_max: { minor_units: 2, currency: 'USD' } },
      'principal_min',
      ['MXN'],
      { minor_units: 1, currency: 'USD' },
    ],
  ])('%s', (_, archetype, values, field, bound, observed) => {
    if (field === '') expect(refusalOf(archetype, values)).toBe('admitted');
    else {
      expect(checkWith(archetype, values)).toMatchObject({
        code: 'inconsistent_values',
        details: { field: `/values/${field}`, bound, observed },
      });
    }
  });

  test('all amounts of a product have the currency of its principal', () => {
    const amountFields = FRAME.filter(
      ({ schema: form, byArchetype: on }) => (form === money || form === moneyOrZero) && on.payday.kind !== 'locked',
    );
    expect(amountFields.map(({ field }) => field)).toContain('max_outstanding_per_client');
    for (const { field } of amountFields.slice(1)) {
      expect(refusalOf('payday', { [field]: { minor_units: 60_000_00, currency: 'USD' } }, strictMarket)).toEqual([
        'inconsistent_values',
        `/values/${field}`,
      ]);
    }
  });
});
