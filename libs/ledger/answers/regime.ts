import { type Money, money } from '#libs/ledger/answers/figures.ts';
import { formatRate } from '#libs/money/rate.ts';
import type { LoanTerms, PenaltyBase } from '#libs/product/terms.ts';

/** The law of the Loan's market, and what its product states inside it, frozen as values. */
export type Regime = {
  readonly penalty_rate: string;
  readonly late_fee: Money;
  readonly tolerance_days: number;
  readonly penalty_base: PenaltyBase;
  readonly capitalises: boolean;
  readonly acceleration: { readonly forbidden: boolean; readonly missed_periods: number; readonly notice_days: number };
  readonly tolerance?: Money;
  readonly penalty_ceiling_days?: number;
  readonly penalty_ceiling_bps?: number;
};

export function regimeOf(terms: LoanTerms): Regime {
  const { currency, acceleration, tolerance, penaltyCeilingDays, penaltyCeilingBps } = terms;
  return {
    penalty_rate: formatRate(terms.penaltyRate),
    late_fee: money(terms.lateFee, currency),
    tolerance_days: terms.toleranceDays,
    penalty_base: terms.penaltyBase,
    capitalises: terms.capitalises,
    acceleration: {
      forbidden: acceleration.forbidden,
      missed_periods: acceleration.missedPeriods,
      notice_days: acceleration.noticeDays,
    },
    // A band of nothing is no band.
    ...(tolerance === 0n ? {} : { tolerance: money(tolerance, currency) }),
    ...(penaltyCeilingDays === undefined ? {} : { penalty_ceiling_days: penaltyCeilingDays }),
    ...(penaltyCeilingBps === undefined ? {} : { penalty_ceiling_bps: penaltyCeilingBps }),
  };
}
