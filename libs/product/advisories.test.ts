import { describe, expect, test } from '@jest/globals';
import type { Archetype } from '#libs/product/terms.ts';
import { checkedValues, pesos, strictMarket } from '#libs/product/testing/example-products.ts';
import type { JsonObject } from '#libs/schema/json.ts';

const monthly = { kind: 'anchored_monthly' };
const weekly = { kind: 'anchored_every_n_days', interval_days: 7 };
const aDay = { kind: 'anchored_every_n_days', interval_days: 1 };

describe('advisories refuse nothing', () => {
  const tolerant = { tolerance_days: 1 };
  const codesOf = (archetype: Archetype, values: JsonObject): string[] =>
    checkedValues(archetype, values).advisories.map(({ code }) => code);
  test.each<[string, Archetype, JsonObject, string[]]>([
    ['a product with tolerance', 'instalment', tolerant, []],
    ['no tolerance at all', 'instalment', {}, ['no_tolerance']],
    ['an amount of tolerance', 'instalment', { tolerance: pesos(50) }, []],
    ['an amount of zero is no tolerance', 'instalment', { tolerance: pesos(0) }, ['no_tolerance']],
    [
      'a day of the month without a minimum distance',
      'instalment',
      { ...tolerant, schedule: { ...monthly, day_of_month: 15 } },
      ['first_period_may_fall_next_day'],
    ],
    [
      'a minimum distance of one day',
      'instalment',
      { ...tolerant, schedule: { ...monthly, day_of_month: 15, first_after_days: 1 } },
      ['first_period_may_fall_next_day'],
    ],
    [
      'a minimum distance of two days',
      'instalment',
      { ...tolerant, schedule: { ...monthly, day_of_month: 15, first_after_days: 2 } },
      [],
    ],
    ['daily periods', 'instalment', { ...tolerant, schedule: aDay }, ['first_period_may_fall_next_day']],
    [
      'one daily schedule in a menu',
      'instalment',
      { ...tolerant, schedules: [weekly, aDay] },
      ['first_period_may_fall_next_day'],
    ],
    ['no interest', 'bnpl', { ...tolerant, terms: [4, 6] }, ['zero_rate']],
    ['a rate corridor that starts at zero', 'instalment', { ...tolerant, rate_min: '0' }, []],
    ['a penalty without ceiling', 'instalment', { ...tolerant, penalty_rate_max: '54' }, ['penalty_without_ceiling']],
    [
      'a penalty with a ceiling in days',
      'instalment',
      { ...tolerant, penalty_rate_max: '54', penalty_ceiling_days: 90 },
      [],
    ],
    [
      'a penalty with a ceiling in amount',
      'instalment',
      { ...tolerant, penalty_rate_max: '54', penalty_ceiling_bps: 900 },
      [],
    ],
    ['one term', 'instalment', { ...tolerant, terms: [12] }, ['single_term']],
    ['a payday product, which has one term', 'payday', tolerant, []],
    ['a guard by count only', 'payday', { ...tolerant, max_open_loans_per_client: 2 }, ['guard_without_amount']],
    [
      'a guard by lateness only',
      'payday',
      { ...tolerant, refuse_while_any_loan_overdue: true },
      ['guard_without_amount'],
    ],
    ['a guard that is switched off', 'payday', { ...tolerant, refuse_while_any_loan_overdue: false }, []],
    [
      'guards by count and amount',
      'payday',
      { ...tolerant, max_open_loans_per_client: 2, max_outstanding_per_client: pesos(1) },
      [],
    ],
  ])('%s', (_, archetype, values, codes) => {
    expect(codesOf(archetype, values)).toEqual(codes);
  });

  test('a ceiling of the market counts as a ceiling of the product', () => {
    const { advisories } = checkedValues('instalment', { ...tolerant, penalty_rate_max: '54' }, strictMarket);
    expect(advisories).toEqual([]);
  });
});
