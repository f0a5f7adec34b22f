import { formatRate, type Rate } from '#libs/money/rate.ts';
import { highestPenaltyRate, type MarketPenaltyCap } from '#libs/product/markets/market.ts';
import type { LoanTerms } from '#libs/product/terms.ts';
import { type Refusal, refuse } from '#libs/schema/refusals.ts';

/** The law's cap on a penalty rate, as it stood when the Loan was issued. */
export function penaltyRateWithinCap(cap: MarketPenaltyCap, penaltyRate: Rate, rate: Rate): Refusal | undefined {
  const highest = highestPenaltyRate(cap, rate);
  if (highest === undefined || penaltyRate <= highest) return undefined;
  return refuse('penalty_rate_above_cap', {
    field: '/penalty_rate',
    bound: formatRate(highest),
    observed: formatRate(penaltyRate),
  });
}

type LateFeeTerms = Pick<LoanTerms, 'lateFee' | 'lateFeeBesidePenalty'>;

/** Where the law permits no late fee beside a penalty rate, the product's late fee leaves a rate of nothing. */
export function besideLateFee(terms: LateFeeTerms, penaltyRate: Rate): Refusal | undefined {
  if (penaltyRate === 0n || terms.lateFee === 0n || terms.lateFeeBesidePenalty) return undefined;
  return refuse('late_fee_beside_penalty', { field: '/penalty_rate', bound: '0', observed: formatRate(penaltyRate) });
}
