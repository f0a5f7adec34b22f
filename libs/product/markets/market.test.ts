import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type Rate, rateOf } from '#libs/money/rate.ts';
import { type MarketPenaltyCap, marketAnswer, maxPenaltyRate } from '#libs/product/markets/market.ts';
import { MX } from '#libs/product/markets/mx.ts';
import { MARKETS, marketOf } from '#libs/product/markets/registry.ts';
import { onlyMarket } from '#libs/product/markets/testing/example-markets.ts';
import { ZZ } from '#libs/product/markets/zz.ts';

describe('a market', () => {
  test('is found by its exact jurisdiction among the given markets', () => {
    expect(marketOf('MX')?.jurisdiction).toBe('MX');
    expect(marketOf('mx')).toBeUndefined();
    expect(marketOf('XX')).toBeUndefined();
    expect(marketOf('ZZ', onlyMarket(ZZ))).toBe(ZZ);
    expect(marketOf('MX', onlyMarket(ZZ))).toBeUndefined();
    expect([...MARKETS.keys()]).toEqual(['MX', 'ZZ']);
  });

  test('for tests shares no currency with a real market, so that no product of a real market can be sold in it', () => {
    const ofTests = [...MARKETS.values()].filter(({ isForTests }) => isForTests === true);
    expect(ofTests).toEqual([ZZ]);
    const real = [...MARKETS.values()].filter(({ isForTests }) => isForTests !== true);
    const shared = real
      .flatMap(({ currencies }) => currencies.value)
      .filter((code) => ZZ.currencies.value.includes(code));
    expect(shared).toEqual([]);
  });

  test('for tests sets every option of a market, each with a source that says it is no law', () => {
    const { jurisdiction: _, isForTests: __, ...rules } = ZZ;
    expect(Object.keys(rules).sort()).toEqual(
      Object.keys(MX)
        .filter((name) => name !== 'jurisdiction')
        .sort(),
    );
    for (const rule of Object.values(rules)) {
      expect(rule.source).toMatch(/^A rule of the test market ZZ, no law: /);
      expect(rule.value).toBeDefined();
    }
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
    const { penalty_cap, facility_window, withdrawal_days, tax } = marketAnswer(ZZ);
    expect(penalty_cap.value).toEqual({ form: 'multiple_of_rate', value: '1.5' });
    expect(facility_window.value).toBe(365);
    expect(withdrawal_days.value).toBe(14);
    expect(tax.value).toEqual({
      rates: ['0', '10', '5'],
      ends: [{ rate: '5', on: '2025-12-31' }],
      on: ['fee', 'late_fee'],
    });
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
