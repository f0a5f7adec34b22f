import { describe, expect, test } from '@jest/globals';
import type { FieldName } from '#libs/product/frame-table.ts';
import { admitted, neverCalled, strictMarket, told } from '#libs/product/given.ts';
import type { Market } from '#libs/product/markets/market.ts';
import { MX } from '#libs/product/markets/mx.ts';
import type { JsonObject } from '#libs/schema/json.ts';

describe('inside the law a product may be milder to the borrower, never harsher', () => {
  const calls = (forbidden: boolean, missed_periods: number, notice_days: number): JsonObject => ({
    acceleration: { forbidden, missed_periods, notice_days },
  });
  test.each<[string, Market, JsonObject, 'admitted' | FieldName]>([
    ['a penalty base of the market', strictMarket, { penalty_base: 'overdue_instalment' }, 'admitted'],
    ['another penalty base', strictMarket, { penalty_base: 'overdue_principal' }, 'penalty_base'],
    ['the same ceiling', strictMarket, { penalty_ceiling_days: 60, penalty_ceiling_bps: 2_000 }, 'admitted'],
    ['a longer ceiling', strictMarket, { penalty_ceiling_days: 61 }, 'penalty_ceiling_days'],
    ['a higher ceiling', strictMarket, { penalty_ceiling_bps: 2_001 }, 'penalty_ceiling_bps'],
    ['a ceiling where the law has none', MX, { penalty_ceiling_days: 400, penalty_ceiling_bps: 20_000 }, 'admitted'],
    ['as many missed periods and days of notice', strictMarket, calls(false, 2, 10), 'admitted'],
    ['more of both', strictMarket, calls(false, 3, 30), 'admitted'],
    ['fewer missed periods', strictMarket, calls(false, 1, 10), 'acceleration'],
    ['a shorter notice', strictMarket, calls(false, 2, 9), 'acceleration'],
    ['the lender renounces the call', strictMarket, calls(true, 0, 0), 'admitted'],
    ['a call the law forbids', neverCalled, calls(false, 9, 90), 'acceleration'],
    ['as long a withdrawal', strictMarket, { withdrawal_days: 14 }, 'admitted'],
    ['a shorter withdrawal', strictMarket, { withdrawal_days: 13 }, 'withdrawal_days'],
    ['no withdrawal where the law has none', MX, { withdrawal_days: 0 }, 'admitted'],
  ])('%s', (_, market, values, expected) => {
    expect(told('instalment', values, market)).toEqual(
      expected === 'admitted' ? 'admitted' : ['inconsistent_values', `/values/${expected}`],
    );
  });

  test('what a product leaves to the law is never outside it', () => {
    for (const market of [MX, strictMarket, neverCalled]) {
      const { effective } = admitted('instalment', {}, market);
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
      expect(told('instalment', values, market)).toBe('admitted');
    }
  });
});
