/** Terms and plans as facts store and publish them: whole minor units, rates and days as text. */

import { type CivilDay, dayOf, formatDay } from '#libs/calendar/civil-day.ts';
import type { DayCountBasis } from '#libs/calendar/day-count.ts';
import type { Schedule } from '#libs/calendar/schedule.ts';
import type { IssuedPeriod } from '#libs/ledger/charges/plan.ts';
import type { IssuedPlan } from '#libs/ledger/facts.ts';
import { formatRate, rateOf } from '#libs/money/rate.ts';
import type {
  Acceleration,
  Amortisation,
  Archetype,
  Charge,
  EarlyMoneyTreatment,
  LoanTerms,
  PenaltyBase,
} from '#libs/product/terms.ts';

/** The terms frozen at issuance. */
export type StoredTerms = {
  readonly principal: number;
  readonly down_payment: number;
  readonly currency: string;
  readonly term_periods: number;
  readonly rate: string;
  readonly penalty_rate: string;
  readonly anchor: string;
  readonly schedule: Schedule;
  readonly jurisdiction: string;
  readonly tax: { readonly rate: string; readonly on: readonly Charge[] };
  readonly archetype: Archetype;
  readonly day_count_basis: DayCountBasis;
  readonly amortisation: Amortisation;
  readonly origination_fee: number;
  readonly late_fee: number;
  readonly rollover_fee: number;
  readonly charge_order: readonly Charge[];
  readonly early_money_treatment: EarlyMoneyTreatment;
  readonly tolerance_days: number;
  readonly tolerance: number;
  readonly penalty_base: PenaltyBase;
  readonly penalty_ceiling_days?: number;
  readonly penalty_ceiling_bps?: number;
  readonly capitalises: boolean;
  readonly acceleration: { readonly forbidden: boolean; readonly missed_periods: number; readonly notice_days: number };
  readonly max_rollovers: number;
  readonly withdrawal_days: number;
  readonly penalty_cap:
    | { readonly form: 'none' }
    | { readonly form: 'multiple_of_rate' | 'rate'; readonly value: string };
  readonly late_fee_beside_penalty: boolean;
  readonly frame: {
    readonly rate_min: string;
    readonly rate_max: string;
    readonly penalty_rate_min: string;
    readonly penalty_rate_max: string;
    readonly terms?: readonly number[];
    readonly schedules: readonly Schedule[];
  };
  readonly hold_until?: string;
};

export function storeTerms(terms: LoanTerms): StoredTerms {
  const { acceleration, frame, penaltyCap, tax } = terms;
  return {
    principal: Number(terms.principal),
    down_payment: Number(terms.downPayment),
    currency: terms.currency,
    term_periods: terms.termPeriods,
    rate: formatRate(terms.rate),
    penalty_rate: formatRate(terms.penaltyRate),
    anchor: formatDay(terms.anchor),
    schedule: terms.schedule,
    jurisdiction: terms.jurisdiction,
    tax: { rate: formatRate(tax.rate), on: tax.on },
    archetype: terms.archetype,
    day_count_basis: terms.basis,
    amortisation: terms.amortisation,
    origination_fee: Number(terms.originationFee),
    late_fee: Number(terms.lateFee),
    rollover_fee: Number(terms.rolloverFee),
    charge_order: terms.chargeOrder,
    early_money_treatment: terms.treatment,
    tolerance_days: terms.toleranceDays,
    tolerance: Number(terms.tolerance),
    penalty_base: terms.penaltyBase,
    ...(terms.penaltyCeilingDays === undefined ? {} : { penalty_ceiling_days: terms.penaltyCeilingDays }),
    ...(terms.penaltyCeilingBps === undefined ? {} : { penalty_ceiling_bps: terms.penaltyCeilingBps }),
    capitalises: terms.capitalises,
    acceleration: storeAcceleration(acceleration),
    max_rollovers: terms.maxRollovers,
    withdrawal_days: terms.withdrawalDays,
    penalty_cap:
      penaltyCap.form === 'none' ? penaltyCap : { form: penaltyCap.form, value: formatRate(penaltyCap.value) },
    late_fee_beside_penalty: terms.lateFeeBesidePenalty,
    frame: {
      rate_min: formatRate(frame.rateMin),
      rate_max: formatRate(frame.rateMax),
      penalty_rate_min: formatRate(frame.penaltyRateMin),
      penalty_rate_max: formatRate(frame.penaltyRateMax),
      ...(frame.terms === undefined ? {} : { terms: frame.terms }),
      schedules: frame.schedules,
    },
    ...(terms.holdUntil === undefined ? {} : { hold_until: formatDay(terms.holdUntil) }),
  };
}

function storeAcceleration({ forbidden, missedPeriods, noticeDays }: Acceleration): StoredTerms['acceleration'] {
  return { forbidden, missed_periods: missedPeriods, notice_days: noticeDays };
}

export function readTerms(stored: StoredTerms): LoanTerms {
  const { acceleration, frame, penalty_cap: cap, tax } = stored;
  return {
    principal: BigInt(stored.principal),
    downPayment: BigInt(stored.down_payment),
    currency: stored.currency,
    termPeriods: stored.term_periods,
    rate: rateOf(stored.rate),
    penaltyRate: rateOf(stored.penalty_rate),
    anchor: dayOf(stored.anchor),
    schedule: stored.schedule,
    jurisdiction: stored.jurisdiction,
    tax: { rate: rateOf(tax.rate), on: tax.on },
    archetype: stored.archetype,
    basis: stored.day_count_basis,
    amortisation: stored.amortisation,
    originationFee: BigInt(stored.origination_fee),
    lateFee: BigInt(stored.late_fee),
    rolloverFee: BigInt(stored.rollover_fee),
    chargeOrder: stored.charge_order,
    treatment: stored.early_money_treatment,
    toleranceDays: stored.tolerance_days,
    tolerance: BigInt(stored.tolerance),
    penaltyBase: stored.penalty_base,
    ...(stored.penalty_ceiling_days === undefined ? {} : { penaltyCeilingDays: stored.penalty_ceiling_days }),
    ...(stored.penalty_ceiling_bps === undefined ? {} : { penaltyCeilingBps: stored.penalty_ceiling_bps }),
    capitalises: stored.capitalises,
    acceleration: {
      forbidden: acceleration.forbidden,
      missedPeriods: acceleration.missed_periods,
      noticeDays: acceleration.notice_days,
    },
    maxRollovers: stored.max_rollovers,
    withdrawalDays: stored.withdrawal_days,
    penaltyCap: cap.form === 'none' ? cap : { form: cap.form, value: rateOf(cap.value) },
    lateFeeBesidePenalty: stored.late_fee_beside_penalty,
    frame: {
      rateMin: rateOf(frame.rate_min),
      rateMax: rateOf(frame.rate_max),
      penaltyRateMin: rateOf(frame.penalty_rate_min),
      penaltyRateMax: rateOf(frame.penalty_rate_max),
      ...(frame.terms === undefined ? {} : { terms: frame.terms }),
      schedules: frame.schedules,
    },
    ...(stored.hold_until === undefined ? {} : { holdUntil: dayOf(stored.hold_until) }),
  };
}

/** Index, scheduled and due day (days since 1970-01-01), principal, interest, fee, tax. */
type StoredPeriod = readonly [number, number, number, number, number, number, number];

export type StoredPlan = { readonly level: number; readonly periods: readonly StoredPeriod[] };

export function storePlan({ level, periods }: IssuedPlan): StoredPlan {
  return {
    level: Number(level),
    periods: periods.map(({ index, scheduledOn, dueOn, principal, interest, fee, tax }) => [
      index,
      scheduledOn,
      dueOn,
      Number(principal),
      Number(interest),
      Number(fee),
      Number(tax),
    ]),
  };
}

export function readPlan({ level, periods }: StoredPlan): IssuedPlan {
  return {
    level: BigInt(level),
    periods: periods.map(
      ([index, scheduledOn, dueOn, principal, interest, fee, tax]): IssuedPeriod => ({
        index,
        scheduledOn: scheduledOn as CivilDay,
        dueOn: dueOn as CivilDay,
        principal: BigInt(principal),
        interest: BigInt(interest),
        fee: BigInt(fee),
        tax: BigInt(tax),
      }),
    ),
  };
}
