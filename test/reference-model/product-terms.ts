/** The terms of a product configuration with defaults. */
import { type Acceleration, type Basis, type Market, partsOfYear, penaltyYear } from './days.ts';
import type { Amortisation, Charge, Configuration, Schedule, Treatment } from './input.ts';
import { rateOf } from './numbers.ts';

/** A configuration version with all defaults of the README filled in. */
export interface ProductTerms {
  archetype: Configuration['archetype'];
  currency: string;
  basis: Basis;
  partsOfYear: bigint;
  penaltyYear: bigint;
  amortisation: Amortisation;
  schedule: Schedule;
  treatment: Treatment;
  penaltyBase: 'overdue_principal' | 'overdue_instalment';
  chargeOrder: readonly Charge[];
  rateMin: bigint;
  rateMax: bigint;
  penaltyRateMin: bigint;
  penaltyRateMax: bigint;
  holdDays: number;
  capitalises: boolean;
  acceleration: Acceleration;
  originationFee: bigint;
  lateFee: bigint;
  rolloverFee: bigint;
  toleranceDays: number;
  maxRollovers: number;
  downPaymentMinBps: bigint;
  downPaymentMaxBps: bigint;
  terms: number[] | undefined;
  principalMin: bigint | undefined;
  principalMax: bigint | undefined;
  tolerance: bigint;
  ceilingDays: number | undefined;
  ceilingBps: bigint | undefined;
  withdrawalDays: number;
}

const DEFAULT_SCHEDULE: Record<Configuration['archetype'], Schedule> = {
  instalment: { kind: 'anchored_monthly' },
  bnpl: { kind: 'anchored_every_n_days', interval_days: 14 },
  payday: { kind: 'anchored_every_n_days', interval_days: 30 },
};

const DEFAULT_ORDER: readonly Charge[] = ['penalty', 'late_fee', 'fee', 'interest', 'principal'];

const termsByConfiguration = new WeakMap<Configuration, ProductTerms>();

export function productTermsOf(configuration: Configuration, market: Market): ProductTerms {
  const known = termsByConfiguration.get(configuration);
  if (known !== undefined) return known;
  const product = buildProductTerms(configuration, market);
  termsByConfiguration.set(configuration, product);
  return product;
}

function buildProductTerms({ archetype, values }: Configuration, market: Market): ProductTerms {
  const basis = values.day_count_basis ?? 'actual_360';
  const bnpl = archetype === 'bnpl';
  return {
    archetype,
    currency: values.currency ?? 'MXN',
    basis,
    partsOfYear: partsOfYear(basis),
    penaltyYear: penaltyYear(basis),
    amortisation: values.amortisation ?? (bnpl ? 'equal_principal' : 'level_payment'),
    schedule: values.schedule ?? DEFAULT_SCHEDULE[archetype],
    treatment: values.early_money_treatment ?? (bnpl ? 'settles_next' : 'reduces_principal'),
    penaltyBase: values.penalty_base ?? 'overdue_principal',
    chargeOrder: values.charge_order ?? DEFAULT_ORDER,
    rateMin: rateOf(values.rate_min ?? '0'),
    rateMax: rateOf(values.rate_max ?? '0'),
    penaltyRateMin: rateOf(values.penalty_rate_min ?? '0'),
    penaltyRateMax: rateOf(values.penalty_rate_max ?? '0'),
    holdDays: values.hold_days ?? 30,
    capitalises: values.capitalises ?? market.capitalises ?? false,
    acceleration: values.acceleration ?? market.acceleration ?? { forbidden: false, missed_periods: 1, notice_days: 0 },
    originationFee: BigInt(values.origination_fee ?? 0),
    lateFee: BigInt(values.late_fee ?? 0),
    rolloverFee: BigInt(values.rollover_fee ?? 0),
    toleranceDays: values.tolerance_days ?? 0,
    maxRollovers: values.max_rollovers ?? 0,
    downPaymentMinBps: BigInt(values.down_payment_min_bps ?? 0),
    downPaymentMaxBps: BigInt(values.down_payment_max_bps ?? 0),
    terms: archetype === 'payday' ? [1] : values.terms,
    principalMin: values.principal_min === undefined ? undefined : BigInt(values.principal_min),
    principalMax: values.principal_max === undefined ? undefined : BigInt(values.principal_max),
    tolerance: BigInt(values.tolerance ?? 0),
    ceilingDays: values.penalty_ceiling_days,
    ceilingBps: values.penalty_ceiling_bps === undefined ? undefined : BigInt(values.penalty_ceiling_bps),
    withdrawalDays: values.withdrawal_days ?? 0,
  };
}

/** Whether the schedule is well-formed. */
export function isSchedule(schedule: Schedule): boolean {
  const whole = (value: number | undefined, min: number, max: number) =>
    value === undefined || (Number.isInteger(value) && value >= min && value <= max);
  if (schedule.kind === 'anchored_every_n_days') {
    return (
      schedule.interval_days !== undefined &&
      whole(schedule.interval_days, 1, 10_000) &&
      schedule.day_of_month === undefined &&
      schedule.first_after_days === undefined
    );
  }
  if (schedule.kind !== 'anchored_monthly' || schedule.interval_days !== undefined) return false;
  if (schedule.first_after_days !== undefined && schedule.day_of_month === undefined) return false;
  return whole(schedule.day_of_month, 1, 31) && whole(schedule.first_after_days, 0, 10_000);
}

/** Whether two schedules have equal members. */
export function sameSchedule(a: Schedule, b: Schedule): boolean {
  return (
    a.kind === b.kind &&
    a.interval_days === b.interval_days &&
    a.day_of_month === b.day_of_month &&
    a.first_after_days === b.first_after_days
  );
}
