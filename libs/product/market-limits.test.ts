import { describe, expect, test } from '@jest/globals';
import type { FieldName } from '#libs/product/frame-table.ts';
import type { Market } from '#libs/product/markets/market.ts';
import { MX } from '#libs/product/markets/mx.ts';
import {
  checkedValues,
  noAccelerationMarket,
  refusalOf,
  strictMarket,
} from '#libs/product/testing/example-products.ts';
import type { JsonObject } from '#libs/schema/json.ts';

describe('a product may be milder to the borrower than the law, never harsher', () => {
  const calls = (forbidden: boolean, missed_periods: number, notice_days: number): JsonObject => ({
    acceleration: { forbidden, missed_periods, notice_days },
  });
  test.each<[string, Market, JsonObject, 'admitted' | FieldName]>([
    ['a penalty base that the market permits', strictMarket, { penalty_base: 'overdue_instalment' }, 'admitted'],
    ['another penalty base', strictMarket, { penalty_base: 'overdue_principal' }, 'penalty_base'],
    ['the same ceiling', strictMarket, { penalty_ceiling_days: 60, penalty_ceiling_bps: 2_000 }, 'admitted'],
    ['a longer ceiling', strictMarket, { penalty_ceiling_days: 61 }, 'penalty_ceiling_days'],
    ['a higher ceiling', strictMarket, { penalty_ceiling_bps: 2_001 }, 'penalty_ceiling_bps'],
    [
      'a ceiling that the law does not have',
      MX,
      { penalty_ceiling_days: 400, penalty_ceiling_bps: 20_000 },
      'admitted',
    ],
    ['the same missed periods and notice', strictMarket, calls(false, 2, 10), 'admitted'],
    ['more of both', strictMarket, calls(false, 3, 30), 'admitted'],
    ['fewer missed periods', strictMarket, calls(false, 1, 10), 'acceleration'],
    ['a shorter notice', strictMarket, calls(false, 2, 9), 'acceleration'],
    ['acceleration given up by the lender', strictMarket, calls(true, 0, 0), 'admitted'],
    ['acceleration that the law forbids', noAccelerationMarket, calls(false, 9, 90), 'acceleration'],
    ['the same withdrawal period', strictMarket, { withdrawal_days: 14 }, 'admitted'],
    ['a shorter withdrawal period', strictMarket, { withdrawal_days: 13 }, 'withdrawal_days'],
    ['no withdrawal period, as in the law', MX, { withdrawal_days: 0 }, 'admitted'],
  ])('%s', (_, market, values, expected) => {
    expect(refusalOf('instalment', values, market)).toEqual(
      expected === 'admitted' ? 'admitted' : ['inconsistent_values', `/values/${expected}`],
    );
  });

  test('defaults taken from the law are always within it', () => {
    for (const market of [MX, strictMarket, noAccelerationMarket]) {
      const { effective } = checkedValues('instalment', {}, market);
      const { acceleration, penalty_base, withdrawal_days, penalty_ceiling_days, penalty_ceiling_bps } = effective;
      const stated = Object.entries({
        acceleration,
        penalty_base,
        withdrawal_days,
        penalty_ceiling_days,
        penalty_ceiling_bps,
      });
      const values = Object.fromEntries(
        stated.flatMap(([field, { value }]) => (value === undefined ? [] : [[field, value]])),
      );
      expect(refusalOf('instalment', values, market)).toBe('admitted');
    }
  });
});
