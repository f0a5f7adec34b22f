/**
 * A configuration version as the Client's book reads it: every term filled in, in domain types and under the names of
 * a Loan's terms, ready to be frozen into a Loan. Pure.
 */

import type { DayCountBasis } from '#libs/calendar/day-count.ts';
import type { Schedule } from '#libs/calendar/schedule.ts';
import { type Minor, ZERO } from '#libs/money/minor.ts';
import { type Rate, rateOf } from '#libs/money/rate.ts';
import { type Effective, effectiveOf } from '#libs/product/effective.ts';
import type { FieldName } from '#libs/product/frame-table.ts';
import type { Market } from '#libs/product/markets/market.ts';
import type {
  Acceleration,
  Amortisation,
  Archetype,
  Charge,
  EarlyMoneyTreatment,
  PenaltyBase,
} from '#libs/product/terms.ts';
import type { Json, JsonObject } from '#libs/schema/json.ts';

/** Absent where the product sets no such guard. */
export interface ClientGuards {
  readonly maxOpenLoans?: number;
  readonly maxOutstanding?: Minor;
  readonly refuseWhileOverdue: boolean;
}

/** What the version says itself, whatever the market: enough for the checks that come before the market's. */
export interface Offer {
  readonly archetype: Archetype;
  readonly unit: string;
  readonly currency: string;
  readonly principalMin: Minor;
  readonly principalMax: Minor;
  readonly rateMin: Rate;
  readonly rateMax: Rate;
  readonly penaltyRateMin: Rate;
  readonly penaltyRateMax: Rate;
  readonly basis: DayCountBasis;
  readonly amortisation: Amortisation;
  /** Rising. On a payday product one period. */
  readonly terms: readonly number[];
  /** One, or a menu of which a Loan must state one. */
  readonly schedules: readonly [Schedule, ...Schedule[]];
  readonly originationFee: Minor;
  readonly lateFee: Minor;
  readonly rolloverFee: Minor;
  readonly downPaymentMinBps: number;
  readonly downPaymentMaxBps: number;
  readonly treatment: EarlyMoneyTreatment;
  readonly chargeOrder: readonly Charge[];
  readonly toleranceDays: number;
  /** Zero is no band. */
  readonly tolerance: Minor;
  readonly maxRollovers: number;
  readonly holdDays: number;
  readonly guards: ClientGuards;
}

/** The offer inside the law of one market. */
export interface Product extends Offer {
  readonly penaltyBase: PenaltyBase;
  readonly penaltyCeilingDays?: number;
  readonly penaltyCeilingBps?: number;
  readonly acceleration: Acceleration;
  /** Zero where neither the product nor the law provides a withdrawal. */
  readonly withdrawalDays: number;
}

/** Of values that `checkFrame` admitted. */
export function offerOf(archetype: Archetype, values: JsonObject): Offer {
  return offerIn(archetype, readerOf(effectiveOf(archetype, values, undefined)));
}

/** Of values that `checkFrame` admitted, under the market of the Loan, which `checkOutsideMarket` has found to permit them. */
export function productOf(archetype: Archetype, values: JsonObject, market: Market): Product {
  const read = readerOf(effectiveOf(archetype, values, market));
  const acceleration = read.as<{ forbidden: boolean; missed_periods: number; notice_days: number }>('acceleration');
  return {
    ...offerIn(archetype, read),
    penaltyBase: read.as('penalty_base'),
    ...read.ifAny('penalty_ceiling_days', (days: number) => ({ penaltyCeilingDays: days })),
    ...read.ifAny('penalty_ceiling_bps', (bps: number) => ({ penaltyCeilingBps: bps })),
    acceleration: {
      forbidden: acceleration.forbidden,
      missedPeriods: acceleration.missed_periods,
      noticeDays: acceleration.notice_days,
    },
    withdrawalDays: read.as<number | undefined>('withdrawal_days') ?? 0,
  };
}

function offerIn(archetype: Archetype, read: Reader): Offer {
  return {
    archetype,
    unit: read.as('unit'),
    currency: read.as<JsonObject>('principal_min')['currency'] as string,
    principalMin: read.minor('principal_min'),
    principalMax: read.minor('principal_max'),
    rateMin: read.rate('rate_min'),
    rateMax: read.rate('rate_max'),
    penaltyRateMin: read.rate('penalty_rate_min'),
    penaltyRateMax: read.rate('penalty_rate_max'),
    basis: read.as('day_count_basis'),
    amortisation: read.as('amortisation'),
    terms: read.as('terms'),
    schedules: read.as<Offer['schedules'] | undefined>('schedules') ?? [read.as<Schedule>('schedule')],
    originationFee: read.minor('origination_fee'),
    lateFee: read.minor('late_fee'),
    rolloverFee: read.minor('rollover_fee'),
    downPaymentMinBps: read.as('down_payment_min_bps'),
    downPaymentMaxBps: read.as('down_payment_max_bps'),
    treatment: read.as('early_money_treatment'),
    chargeOrder: read.as('charge_order'),
    toleranceDays: read.as('tolerance_days'),
    tolerance: read.minor('tolerance'),
    maxRollovers: read.as('max_rollovers'),
    holdDays: read.as('hold_days'),
    guards: {
      ...read.ifAny('max_open_loans_per_client', (loans: number) => ({ maxOpenLoans: loans })),
      ...read.ifAny('max_outstanding_per_client', () => ({ maxOutstanding: read.minor('max_outstanding_per_client') })),
      refuseWhileOverdue: read.as<boolean | undefined>('refuse_while_any_loan_overdue') ?? false,
    },
  };
}

/** The frame's forms were checked when the values were recorded, so each field is read as what its form says. */
interface Reader {
  as<T extends Json | undefined | object>(field: FieldName): T;
  /** Zero where absent. */
  minor(field: FieldName): Minor;
  rate(field: FieldName): Rate;
  ifAny<T extends Json, Member extends object>(field: FieldName, member: (value: T) => Member): Member | undefined;
}

function readerOf(effective: Effective): Reader {
  return {
    as: <T>(field: FieldName) => effective[field].value as T,
    minor: (field) => {
      const money = effective[field].value as JsonObject | undefined;
      return money === undefined ? ZERO : (BigInt(money['minor_units'] as number) as Minor);
    },
    rate: (field) => rateOf(effective[field].value as string),
    ifAny: <T extends Json, Member extends object>(field: FieldName, member: (value: T) => Member) => {
      const { value } = effective[field];
      return value === undefined ? undefined : member(value as T);
    },
  };
}
