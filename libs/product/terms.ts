import type { CivilDay } from '#libs/calendar/civil-day.ts';
import type { DayCountBasis } from '#libs/calendar/day-count.ts';
import type { Schedule } from '#libs/calendar/schedule.ts';
import type { Rate } from '#libs/money/rate.ts';
import type { MarketPenaltyCap } from '#libs/product/markets/market.ts';

/** In the order in which an answer lists what is owed. */
export const CHARGES = ['principal', 'interest', 'fee', 'penalty', 'late_fee'] as const;
export type Charge = (typeof CHARGES)[number];

export type Archetype = 'instalment' | 'bnpl' | 'payday';
export type Amortisation = 'level_payment' | 'level_principal_and_interest' | 'equal_principal';
export type EarlyMoneyTreatment = 'reduces_principal' | 'shortens_term' | 'settles_next';
export type PenaltyBase = 'overdue_principal' | 'overdue_instalment';

export type Acceleration = { readonly forbidden: boolean; readonly missedPeriods: number; readonly noticeDays: number };

export type Tax = { readonly rate: Rate; readonly on: readonly Charge[] };

/** What a restructure may still choose from: the frame of the configuration version the Loan was issued under. */
export type Frame = {
  readonly rateMin: Rate;
  readonly rateMax: Rate;
  readonly penaltyRateMin: Rate;
  readonly penaltyRateMax: Rate;
  /** Absent: any number of periods. */
  readonly terms?: readonly number[];
  readonly schedules: readonly Schedule[];
};

/** Everything agreed at issuance that the fold reads: the stated terms, the product's and the law's, frozen. */
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
  readonly tax: Tax;
  readonly archetype: Archetype;
  readonly basis: DayCountBasis;
  readonly amortisation: Amortisation;
  readonly originationFee: bigint;
  readonly lateFee: bigint;
  readonly rolloverFee: bigint;
  readonly chargeOrder: readonly Charge[];
  readonly treatment: EarlyMoneyTreatment;
  readonly toleranceDays: number;
  /** The band: a remainder up to it counts as settled for lateness and penalty. Zero is no band. */
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
  readonly frame: Frame;
  readonly holdUntil?: CivilDay;
};

/** The tax rate riding on a charge; zero where the Loan's tax does not name it. */
export function taxRateOn(terms: LoanTerms, charge: Charge): Rate {
  return terms.tax.on.includes(charge) ? terms.tax.rate : (0n as Rate);
}
