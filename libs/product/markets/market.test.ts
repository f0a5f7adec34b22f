import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type Rate, rateOf } from '#libs/money/rate.ts';
import { marketAnswer } from '#libs/product/markets/answer.ts';
import { highestPenaltyRate, type MarketPenaltyCap } from '#libs/product/markets/market.ts';
import { MARKETS, marketOf } from '#libs/product/markets/registry.ts';
import { onlyMarket, STRICT_MARKET } from '#libs/product/markets/testing/made-up-markets.ts';

describe('a market', () => {
  test('is found by its jurisdiction, among those supplied and no others', () => {
    expect(marketOf('MX')?.jurisdiction).toBe('MX');
    expect(marketOf('mx')).toBeUndefined();
    expect(marketOf('XS')).toBeUndefined();
    expect(marketOf('XS', onlyMarket(STRICT_MARKET))).toBe(STRICT_MARKET);
    expect(marketOf('MX', onlyMarket(STRICT_MARKET))).toBeUndefined();
    expect([...MARKETS.keys()]).toEqual(['MX']);
  });

  test('answers its law, each rule with its source, without a value where it has none', () => {
    const market = marketOf('MX');
    if (market === undefined) throw new Error('Mexico is supplied');
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

  test('with a cap and a window answers those', () => {
    const { penalty_cap, facility_window, withdrawal_days, tax } = marketAnswer(STRICT_MARKET);
    expect(penalty_cap.value).toEqual({ form: 'multiple_of_rate', value: '1.5' });
    expect(facility_window.value).toBe(365);
    expect(withdrawal_days.value).toBe(14);
    expect(tax.value).toEqual({ rates: ['0', '10'], ends: [], on: ['fee', 'late_fee'] });
  });
});

describe('the cap on a penalty rate', () => {
  test('is no number where there is none, the stated rate, or so many times the rate of the contract', () => {
    expect(highestPenaltyRate({ form: 'none' }, rateOf('36'))).toBeUndefined();
    expect(highestPenaltyRate({ form: 'rate', value: rateOf('50') }, rateOf('36'))).toBe(rateOf('50'));
    expect(highestPenaltyRate({ form: 'multiple_of_rate', value: rateOf('1.5') }, rateOf('36'))).toBe(rateOf('54'));
    expect(highestPenaltyRate({ form: 'multiple_of_rate', value: rateOf('0') }, rateOf('36'))).toBe(0n);
  });

  test('lets a penalty rate stand exactly where it is at most the multiple, to the last decimal', () => {
    const anyRate = fc.bigInt({ min: 0n, max: 10n ** 12n }).map((rate) => rate as Rate);
    fc.assert(
      fc.property(anyRate, anyRate, anyRate, (multiple, rate, penalty) => {
        const cap: MarketPenaltyCap = { form: 'multiple_of_rate', value: multiple };
        const highest = highestPenaltyRate(cap, rate) as Rate;
        expect(penalty <= highest).toBe(penalty * 10n ** 8n <= rate * multiple);
      }),
    );
  });
});
