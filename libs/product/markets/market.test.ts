import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type Rate, rateOf } from '#libs/money/rate.ts';
import { type MarketPenaltyCap, marketAnswer, maxPenaltyRate } from '#libs/product/markets/market.ts';
import { MARKETS, marketOf } from '#libs/product/markets/registry.ts';
import { onlyMarket, strictTestMarket } from '#libs/product/markets/testing/example-markets.ts';

describe('a market', () => {
  test('is found by its exact jurisdiction among the given markets', () => {
    expect(marketOf('MX')?.jurisdiction).toBe('MX');
    expect(marketOf('mx')).toBeUndefined();
    expect(marketOf('XS')).toBeUndefined();
    expect(marketOf('XS', onlyMarket(strictTestMarket))).toBe(strictTestMarket);
    expect(marketOf('MX', onlyMarket(strictTestMarket))).toBeUndefined();
    expect([...MARKETS.keys()]).toEqual(['MX']);
  });

  test('is answered with the source of each rule, and without a value if there is no rule', () => {
    const market = marketOf('MX');
    if (market === undefined) throw new Error('the registry has no market MX');
    const answer = JSON.parse(JSON.stringify(marketAnswer(market))) as Record<string, { value?: unknown }>;
    const { jurisdiction, calendar, ...rules } = answer;
    expect(jurisdiction).toBe('MX');
    expect(calendar).toMatchObject({ covers_to: '2040-12-31', source: expect.any(String), provisional: true });
    expect(Object.fromEntries(Object.entries(rules).map(([member, { value }]) => [member, value]))).toEqual({
      currencies: ['MXN'],
      penalty_cap: { form: 'none' },
      penalty_base: ['overdue_principal'],
      penalty_ceiling_days: undefined,
      penalty_ceiling_bps: undefined,
      capitalises: false,
      late_fee_beside_penalty: false,
      acceleration: { forbidden: false, missed_periods: 1, notice_days: 0 },
      withdrawal_days: undefined,
      tax: {
        rates: ['16', '8'],
        ends: [{ rate: '8', on: '2026-12-31' }],
        on: ['interest', 'fee', 'penalty', 'late_fee'],
      },
      disclosure: { convention: 'mx-cat', version: 2 },
      facility_window: undefined,
    });
    for (const rule of Object.values(rules)) {
      expect(rule).toMatchObject({ source: expect.any(String), provisional: expect.any(Boolean) });
    }
    expect('value' in (answer['facility_window'] as object)).toBe(false);
  });

  test('with a cap and a facility window is answered with both', () => {
    const { penalty_cap, facility_window, withdrawal_days, tax } = marketAnswer(strictTestMarket);
    expect(penalty_cap.value).toEqual({ form: 'multiple_of_rate', value: '1.5' });
    expect(facility_window.value).toBe(365);
    expect(withdrawal_days.value).toBe(14);
    expect(tax.value).toEqual({ rates: ['0', '10'], ends: [], on: ['fee', 'late_fee'] });
  });
});

describe('the highest penalty rate under a cap', () => {
  test('is none without a cap, the rate of the cap, or a multiple of the contract rate', () => {
    expect(maxPenaltyRate({ form: 'none' }, rateOf('36'))).toBeUndefined();
    expect(maxPenaltyRate({ form: 'rate', value: rateOf('50') }, rateOf('36'))).toBe(rateOf('50'));
    expect(maxPenaltyRate({ form: 'multiple_of_rate', value: rateOf('1.5') }, rateOf('36'))).toBe(rateOf('54'));
    expect(maxPenaltyRate({ form: 'multiple_of_rate', value: rateOf('0') }, rateOf('36'))).toBe(0n);
  });

  test('is exact to the last decimal', () => {
    const anyRate = fc.bigInt({ min: 0n, max: 10n ** 12n }).map((rate) => rate as Rate);
    fc.assert(
      fc.property(anyRate, anyRate, anyRate, (multiple, rate, penalty) => {
        const cap: MarketPenaltyCap = { form: 'multiple_of_rate', value: multiple };
        const highest = maxPenaltyRate(cap, rate) as Rate;
        expect(penalty <= highest).toBe(penalty * 10n ** 8n <= rate * multiple);
      }),
    );
  });
});
