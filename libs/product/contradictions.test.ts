import { describe, expect, test } from '@jest/globals';
import { FRAME } from '#libs/product/frame-table.ts';
import { pesos, stating, strictMarket, told } from '#libs/product/given.ts';
import type { Archetype } from '#libs/product/terms.ts';
import type { JsonObject } from '#libs/schema/json.ts';
import { money, moneyOrNothing } from '#libs/schema/shape.ts';

const monthly = { kind: 'anchored_monthly' };
const weekly = { kind: 'anchored_every_n_days', interval_days: 7 };

describe('values that cannot stand together are told of the later field, or of the stated one beside a default', () => {
  test.each<[string, Archetype, JsonObject, string, unknown, unknown]>([
    [
      'a least principal above the most',
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
    ['one principal alone', 'bnpl', { principal_min: pesos(9), principal_max: pesos(9) }, '', undefined, undefined],
    ['a rate corridor upside down', 'payday', { rate_min: '36.51' }, 'rate_max', '36.51', '36.50'],
    ['rates are compared as numbers', 'payday', { rate_min: '9', rate_max: '10' }, '', undefined, undefined],
    ['equal rates written differently', 'payday', { rate_min: '9.0', rate_max: '9' }, '', undefined, undefined],
    ['a least rate above the default most', 'bnpl', { rate_min: '1' }, 'rate_min', '0', '1'],
    ['a least penalty above the default most', 'payday', { penalty_rate_min: '1' }, 'penalty_rate_min', '0', '1'],
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
      'down payments upside down',
      'bnpl',
      { down_payment_min_bps: 2_000, down_payment_max_bps: 1_999 },
      'down_payment_max_bps',
      2_000,
      1_999,
    ],
    ['a least down payment and no most', 'bnpl', { down_payment_min_bps: 1 }, 'down_payment_min_bps', 0, 1],
    [
      'a currency the market does not know',
      'bnpl',
      { principal_min: { minor_units: 1, currency: 'USD' }, principal_max: { minor_units: 2, currency: 'USD' } },
      'principal_min',
      ['MXN'],
      { minor_units: 1, currency: 'USD' },
    ],
  ])('%s', (_, archetype, values, field, bound, observed) => {
    if (field === '') expect(told(archetype, values)).toBe('admitted');
    else {
      expect(stating(archetype, values)).toMatchObject({
        code: 'inconsistent_values',
        details: { field: `/values/${field}`, bound, observed },
      });
    }
  });

  test('every sum of a product is in the currency of its principal', () => {
    const sums = FRAME.filter(
      ({ form, on }) => (form === money || form === moneyOrNothing) && on.payday.is !== 'locked',
    );
    expect(sums.map(({ field }) => field)).toContain('max_outstanding_per_client');
    for (const { field } of sums.slice(1)) {
      expect(told('payday', { [field]: { minor_units: 60_000_00, currency: 'USD' } }, strictMarket)).toEqual([
        'inconsistent_values',
        `/values/${field}`,
      ]);
    }
  });
});
