import { describe, expect, test } from '@jest/globals';
import { admitted, pesos, strictMarket } from '#libs/product/given.ts';
import type { Archetype } from '#libs/product/terms.ts';
import type { JsonObject } from '#libs/schema/json.ts';

const monthly = { kind: 'anchored_monthly' };
const weekly = { kind: 'anchored_every_n_days', interval_days: 7 };
const aDay = { kind: 'anchored_every_n_days', interval_days: 1 };

describe('advisories refuse nothing', () => {
  const calm = { tolerance_days: 1 };
  const tells = (archetype: Archetype, values: JsonObject): string[] =>
    admitted(archetype, values).advisories.map(({ code }) => code);
  test.each<[string, Archetype, JsonObject, string[]]>([
    ['a calm product', 'instalment', calm, []],
    ['no tolerance at all', 'instalment', {}, ['no_tolerance']],
    ['a band is a tolerance', 'instalment', { tolerance: pesos(50) }, []],
    ['a band of nothing is none', 'instalment', { tolerance: pesos(0) }, ['no_tolerance']],
    [
      'a day of the month right after the anchor',
      'instalment',
      { ...calm, schedule: { ...monthly, day_of_month: 15 } },
      ['first_period_may_fall_next_day'],
    ],
    [
      'one day of distance is none',
      'instalment',
      { ...calm, schedule: { ...monthly, day_of_month: 15, first_after_days: 1 } },
      ['first_period_may_fall_next_day'],
    ],
    [
      'two days of distance',
      'instalment',
      { ...calm, schedule: { ...monthly, day_of_month: 15, first_after_days: 2 } },
      [],
    ],
    ['daily periods', 'instalment', { ...calm, schedule: aDay }, ['first_period_may_fall_next_day']],
    [
      'one such schedule of a menu',
      'instalment',
      { ...calm, schedules: [weekly, aDay] },
      ['first_period_may_fall_next_day'],
    ],
    ['no interest', 'bnpl', { ...calm, terms: [4, 6] }, ['zero_rate']],
    ['a corridor that reaches zero', 'instalment', { ...calm, rate_min: '0' }, []],
    ['a penalty without end', 'instalment', { ...calm, penalty_rate_max: '54' }, ['penalty_without_ceiling']],
    ['a penalty that ends', 'instalment', { ...calm, penalty_rate_max: '54', penalty_ceiling_days: 90 }, []],
    ['a penalty that is bounded', 'instalment', { ...calm, penalty_rate_max: '54', penalty_ceiling_bps: 900 }, []],
    ['one term', 'instalment', { ...calm, terms: [12] }, ['single_term']],
    ['a payday product has no terms to choose', 'payday', calm, []],
    ['a count of Loans without a sum', 'payday', { ...calm, max_open_loans_per_client: 2 }, ['guard_without_amount']],
    ['lateness without a sum', 'payday', { ...calm, refuse_while_any_loan_overdue: true }, ['guard_without_amount']],
    ['a guard switched off', 'payday', { ...calm, refuse_while_any_loan_overdue: false }, []],
    [
      'a count and a sum',
      'payday',
      { ...calm, max_open_loans_per_client: 2, max_outstanding_per_client: pesos(1) },
      [],
    ],
  ])('%s', (_, archetype, values, codes) => {
    expect(tells(archetype, values)).toEqual(codes);
  });

  test('a market’s ceiling ends a penalty that the product left open', () => {
    const { advisories } = admitted('instalment', { ...calm, penalty_rate_max: '54' }, strictMarket);
    expect(advisories).toEqual([]);
  });
});
