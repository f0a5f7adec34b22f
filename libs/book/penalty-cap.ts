import { type Refusal, refuse } from '#libs/contract/refusals.ts';
import { highestPenaltyRate, type MarketPenaltyCap } from '#libs/markets/market.ts';
import { formatRate, type Rate } from '#libs/money/rate.ts';

/** The law's cap on a penalty rate, as it stood when the Loan was issued. */
export function penaltyRateWithinCap(cap: MarketPenaltyCap, penaltyRate: Rate, rate: Rate): Refusal | undefined {
  const highest = highestPenaltyRate(cap, rate);
  if (highest === undefined || penaltyRate <= highest) return undefined;
  return refuse('penalty_rate_above_cap', { bound: formatRate(highest), observed: formatRate(penaltyRate) });
}
