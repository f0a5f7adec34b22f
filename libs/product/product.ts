/**
 * The terms of a configuration version in domain types, as issuance reads them. Defaults are filled in.
 */

import type { DayCountBasis } from '#libs/calendar/day-count.ts';
import type { Schedule } from '#libs/calendar/schedule.ts';
import { type Minor, ZERO } from '#libs/money/minor.ts';
import { type Rate, rateOf } from '#libs/money/rate.ts';
import { type EffectiveField, type EffectiveValues, effectiveValues } from '#libs/product/effective-values.ts';
import type { Market } from '#libs/product/markets/market.ts';
import type {
  Acceleration,
  Amortisation,
  Archetype,
  Charge,
  EarlyMoneyTreatment,
  PenaltyBase,
} from '#libs/product/terms.ts';
import type { JsonObject } from '#libs/schema/json.ts';
import type { MoneyJson } from '#libs/schema/objects.ts';

/** Limits on what one Client may hold. Absent if the product sets none. */
export interface ClientGuards {
  readonly maxOpenLoans?: number;
  readonly maxOutstanding?: Minor;
  readonly refuseWhileOverdue: boolean;
}

/** The terms that do not depend on the market. The checks before the market's need only these. */
export interface OfferedTerms {
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
  /** Ascending numbers of periods; one period on a payday product. */
  readonly terms: readonly number[];
  /** One schedule, or a menu of which a Loan must state one. */
  readonly schedules: readonly [Schedule, ...Schedule[]];
  readonly originationFee: Minor;
  readonly lateFee: Minor;
  readonly rolloverFee: Minor;
  readonly downPaymentMinBps: number;
  readonly downPaymentMaxBps: number;
  readonly treatment: EarlyMoneyTreatment;
  readonly chargeOrder: readonly Charge[];
  readonly toleranceDays: number;
  /** Zero is no tolerance. */
  readonly tolerance: Minor;
  readonly maxRollovers: number;
  readonly holdDays: number;
  readonly guards: ClientGuards;
}

/** The offered terms together with those that default to the law of a market. */
export interface Product extends OfferedTerms {
  readonly penaltyBase: PenaltyBase;
  readonly penaltyCeilingDays?: number;
  readonly penaltyCeilingBps?: number;
  readonly acceleration: Acceleration;
  /** Zero if neither the product nor the law provides a withdrawal. */
  readonly withdrawalDays: number;
}

/** Expects values that `checkFrame` accepted. */
export function offeredTermsOf(archetype: Archetype, values: JsonObject): OfferedTerms {
  return offeredTerms(archetype, effectiveValues(archetype, values, undefined));
}

/** Expects values that `checkFrame` accepted and that `checkMarketLimits` permits in the market of the Loan. */
export function productOf(archetype: Archetype, values: JsonObject, market: Market): Product {
  const effective = effectiveValues(archetype, values, market);
  const acceleration = requiredValue(effective.acceleration);
  return {
    ...offeredTerms(archetype, effective),
    penaltyBase: requiredValue(effective.penalty_base),
    ...ifStated(effective.penalty_ceiling_days, (days) => ({ penaltyCeilingDays: days })),
    ...ifStated(effective.penalty_ceiling_bps, (bps) => ({ penaltyCeilingBps: bps })),
    acceleration: {
      forbidden: acceleration.forbidden,
      missedPeriods: acceleration.missed_periods,
      noticeDays: acceleration.notice_days,
    },
    withdrawalDays: effective.withdrawal_days.value ?? 0,
  };
}

function offeredTerms(archetype: Archetype, effective: EffectiveValues): OfferedTerms {
  return {
    archetype,
    unit: requiredValue(effective.unit),
    currency: requiredValue(effective.principal_min).currency,
    principalMin: minorOf(effective.principal_min),
    principalMax: minorOf(effective.principal_max),
    rateMin: rateOf(requiredValue(effective.rate_min)),
    rateMax: rateOf(requiredValue(effective.rate_max)),
    penaltyRateMin: rateOf(requiredValue(effective.penalty_rate_min)),
    penaltyRateMax: rateOf(requiredValue(effective.penalty_rate_max)),
    basis: requiredValue(effective.day_count_basis),
    amortisation: requiredValue(effective.amortisation),
    terms: requiredValue(effective.terms),
    schedules: effective.schedules.value ?? [requiredValue(effective.schedule)],
    originationFee: minorOf(effective.origination_fee),
    lateFee: minorOf(effective.late_fee),
    rolloverFee: minorOf(effective.rollover_fee),
    downPaymentMinBps: requiredValue(effective.down_payment_min_bps),
    downPaymentMaxBps: requiredValue(effective.down_payment_max_bps),
    treatment: requiredValue(effective.early_money_treatment),
    chargeOrder: requiredValue(effective.charge_order),
    toleranceDays: requiredValue(effective.tolerance_days),
    tolerance: minorOf(effective.tolerance),
    maxRollovers: requiredValue(effective.max_rollovers),
    holdDays: requiredValue(effective.hold_days),
    guards: {
      ...ifStated(effective.max_open_loans_per_client, (loans) => ({ maxOpenLoans: loans })),
      ...ifStated(effective.max_outstanding_per_client, () => ({
        maxOutstanding: minorOf(effective.max_outstanding_per_client),
      })),
      refuseWhileOverdue: effective.refuse_while_any_loan_overdue.value ?? false,
    },
  };
}

/** The value of a field that the frame requires or gives a default. */
function requiredValue<T>({ value }: EffectiveField<T>): T {
  if (value === undefined) throw new Error('a field that the frame requires has no value; check the stored values');
  return value;
}

/** Zero if absent. */
function minorOf({ value }: EffectiveField<MoneyJson>): Minor {
  return value === undefined ? ZERO : (BigInt(value.minor_units) as Minor);
}

function ifStated<T, Member extends object>(
  { value }: EffectiveField<T>,
  member: (value: T) => Member,
): Member | undefined {
  return value === undefined ? undefined : member(value);
}
