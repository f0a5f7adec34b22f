/** The vocabulary of products and Loans, and the terms of a Loan. */
import type { CivilDay } from '#libs/calendar/civil-day.ts';
import type { DayCountBasis } from '#libs/calendar/day-count.ts';
import type { Schedule } from '#libs/calendar/schedule.ts';
import type { Rate } from '#libs/money/rate.ts';
import type { MarketPenaltyCap } from '#libs/product/markets/market.ts';

/** The charges, in the order in which answers list them. */
export const CHARGES = ['principal', 'interest', 'fee', 'penalty', 'late_fee'] as const;
export type Charge = (typeof CHARGES)[number];

export type Archetype = 'instalment' | 'bnpl' | 'payday';
export type Amortisation = 'level_payment' | 'level_principal_and_interest' | 'equal_principal';
export type EarlyMoneyTreatment = 'reduces_principal' | 'shortens_term' | 'settles_next';
export type PenaltyBase = 'overdue_principal' | 'overdue_instalment';

export type Acceleration = { readonly forbidden: boolean; readonly missedPeriods: number; readonly noticeDays: number };

export type LoanTax = { readonly rate: Rate; readonly on: readonly Charge[] };

/** What a restructure may choose: the limits of the configuration version under which the Loan was issued. */
export type RestructureLimits = {
  readonly rateMin: Rate;
  readonly rateMax: Rate;
  readonly penaltyRateMin: Rate;
  readonly penaltyRateMax: Rate;
  /** Any number of periods if absent. */
  readonly terms?: readonly number[];
  readonly schedules: readonly Schedule[];
};

/** The terms of a Loan that the fold reads: as sent, from the product and from the law. They never change. */
export type LoanTerms = {
  readonly principal: bigint;
  readonly downPayment: bigint;
  readonly currency: string;
  readonly termPeriods: number;
  readonly rate: Rate;
  readonly penaltyRate: Rate;
  readonly anchor: CivilDay;
  readonly schedule: Schedule;
  readonly jurisdiction: string;
  readonly tax: LoanTax;
  readonly archetype: Archetype;
  readonly basis: DayCountBasis;
  readonly amortisation: Amortisation;
  readonly originationFee: bigint;
  readonly lateFee: bigint;
  readonly rolloverFee: bigint;
  readonly chargeOrder: readonly Charge[];
  readonly treatment: EarlyMoneyTreatment;
  readonly toleranceDays: number;
  /** A remainder up to this amount counts as settled for lateness and penalty. Zero is no tolerance. */
  readonly tolerance: bigint;
  readonly penaltyBase: PenaltyBase;
  readonly penaltyCeilingDays?: number;
  readonly penaltyCeilingBps?: number;
  readonly capitalises: boolean;
  readonly acceleration: Acceleration;
  readonly maxRollovers: number;
  readonly withdrawalDays: number;
  readonly penaltyCap: MarketPenaltyCap;
  readonly lateFeeBesidePenalty: boolean;
  readonly frame: RestructureLimits;
  readonly holdUntil?: CivilDay;
};

/** The tax rate of a charge; zero if the Loan's tax does not name it. */
export function taxRateOn(terms: LoanTerms, charge: Charge): Rate {
  return terms.tax.on.includes(charge) ? terms.tax.rate : (0n as Rate);
}
