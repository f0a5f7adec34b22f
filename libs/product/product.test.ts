import { describe, expect, test } from '@jest/globals';
import { type Rate, rateOf } from '#libs/money/rate.ts';
import { checkFrame } from '#libs/product/frame.ts';
import { checkMarketLimits } from '#libs/product/market-limits.ts';
import { MX } from '#libs/product/markets/mx.ts';
import { offeredTermsOf, productOf } from '#libs/product/product.ts';
import { minimalValues, noAccelerationMarket, pesos, strictMarket } from '#libs/product/testing/example-products.ts';
import type { JsonObject } from '#libs/schema/json.ts';

const weekly = { kind: 'anchored_every_n_days', interval_days: 7 } as const;

test('a minimal product has its other terms from the archetype and the law', () => {
  expect(productOf('instalment', minimalValues.instalment, MX)).toEqual({
    archetype: 'instalment',
    unit: 'loans',
    currency: 'MXN',
    principalMin: 100_00n,
    principalMax: 50_000_00n,
    rateMin: rateOf('12'),
    rateMax: rateOf('36.5'),
    penaltyRateMin: 0n,
    penaltyRateMax: 0n,
    basis: 'actual_360',
    amortisation: 'level_payment',
    terms: [3, 6, 12],
    schedules: [{ kind: 'anchored_monthly' }],
    originationFee: 0n,
    lateFee: 0n,
    rolloverFee: 0n,
    downPaymentMinBps: 0,
    downPaymentMaxBps: 0,
    treatment: 'reduces_principal',
    chargeOrder: ['penalty', 'late_fee', 'fee', 'interest', 'principal'],
    toleranceDays: 0,
    tolerance: 0n,
    maxRollovers: 0,
    holdDays: 30,
    guards: { refuseWhileOverdue: false },
    penaltyBase: 'overdue_principal',
    acceleration: { forbidden: false, missedPeriods: 1, noticeDays: 0 },
    withdrawalDays: 0,
  });
});

test('a product that states every field has these terms', () => {
  const stated: JsonObject = {
    ...minimalValues.payday,
    unit: 'advances',
    penalty_rate_min: '1.25',
    penalty_rate_max: '54',
    day_count_basis: 'actual_365',
    schedule: weekly,
    origination_fee: pesos(1),
    late_fee: pesos(2),
    rollover_fee: pesos(3),
    early_money_treatment: 'shortens_term',
    charge_order: ['principal', 'interest', 'fee', 'late_fee', 'penalty'],
    tolerance_days: 4,
    tolerance: pesos(5),
    penalty_base: 'overdue_instalment',
    penalty_ceiling_days: 6,
    penalty_ceiling_bps: 7,
    acceleration: { forbidden: false, missed_periods: 8, notice_days: 90 },
    max_rollovers: 9,
    withdrawal_days: 20,
    hold_days: 11,
    max_open_loans_per_client: 12,
    max_outstanding_per_client: pesos(13),
    refuse_while_any_loan_overdue: true,
  };
  expect(checkFrame({ archetype: 'payday', values: stated, market: strictMarket })).toHaveProperty('advisories', []);
  expect(productOf('payday', stated, strictMarket)).toMatchObject({
    unit: 'advances',
    penaltyRateMin: 125_000_000n as Rate,
    penaltyRateMax: rateOf('54'),
    basis: 'actual_365',
    terms: [1],
    schedules: [weekly],
    originationFee: 1n,
    lateFee: 2n,
    rolloverFee: 3n,
    treatment: 'shortens_term',
    chargeOrder: ['principal', 'interest', 'fee', 'late_fee', 'penalty'],
    toleranceDays: 4,
    tolerance: 5n,
    penaltyBase: 'overdue_instalment',
    penaltyCeilingDays: 6,
    penaltyCeilingBps: 7,
    acceleration: { forbidden: false, missedPeriods: 8, noticeDays: 90 },
    maxRollovers: 9,
    withdrawalDays: 20,
    holdDays: 11,
    guards: { maxOpenLoans: 12, maxOutstanding: 13n, refuseWhileOverdue: true },
  });
});

test('a bnpl product offers payments at purchase and a menu of schedules', () => {
  const menu = [{ kind: 'anchored_monthly' }, weekly];
  const offer = offeredTermsOf('bnpl', {
    ...minimalValues.bnpl,
    down_payment_min_bps: 1_000,
    down_payment_max_bps: 5_000,
    schedules: menu,
  });
  expect(offer).toMatchObject({ downPaymentMinBps: 1_000, downPaymentMaxBps: 5_000, schedules: menu, terms: [4] });
});

test('the offered terms do not depend on the market of the Loan', () => {
  const offer = offeredTermsOf('instalment', minimalValues.instalment);
  expect(productOf('instalment', minimalValues.instalment, strictMarket)).toMatchObject(offer);
  expect(offer).not.toHaveProperty('penaltyBase');
});

describe('a version is checked again under the market of the Loan', () => {
  test('fields that are not stated take the law of the market of the Loan', () => {
    expect(checkMarketLimits(minimalValues.instalment, strictMarket)).toBeUndefined();
    expect(productOf('instalment', minimalValues.instalment, strictMarket)).toMatchObject({
      penaltyBase: 'overdue_instalment',
      penaltyCeilingDays: 60,
      penaltyCeilingBps: 2_000,
      acceleration: { forbidden: false, missedPeriods: 2, noticeDays: 10 },
      withdrawalDays: 14,
    });
    expect(productOf('instalment', minimalValues.instalment, noAccelerationMarket).acceleration.forbidden).toBe(true);
  });

  test('a stated value against that law is refused', () => {
    const values = { ...minimalValues.instalment, penalty_base: 'overdue_principal', withdrawal_days: 7 };
    expect(checkFrame({ archetype: 'instalment', values, market: MX })).not.toHaveProperty('refused');
    expect(checkMarketLimits(values, strictMarket)).toMatchObject({
      code: 'outside_market',
      details: { field: '/values/penalty_base', bound: ['overdue_instalment'], observed: 'overdue_principal' },
    });
  });
});
