import type { Decimal, Stated } from '#libs/credit/decimal.ts';
import type { Money } from '#libs/credit/money.ts';
import type { Ratio } from '#libs/credit/ratio.ts';

/** A policy version's content, read: what the rules below decide by. The content as stated stays beside it for its digest. */
export type Policy = {
  readonly attributes: ReadonlySet<string>;
  readonly knockouts: readonly Knockout[];
  readonly basePoints: number;
  readonly scorecard: readonly Characteristic[];
  readonly bands: readonly Band[];
  readonly timeZone?: string;
};

export type DecisionOutcome = 'approve' | 'refuse' | 'refer' | 'not_offered';
export type KnockoutOutcome = Exclude<DecisionOutcome, 'approve'>;
export type Comparison = 'at_least' | 'at_most' | 'above' | 'below' | 'equals';

export const comparisons = ['at_least', 'at_most', 'above', 'below', 'equals'] as const satisfies readonly Comparison[];
export const knockoutOutcomes = ['refuse', 'refer', 'not_offered'] as const satisfies readonly KnockoutOutcome[];
export const bandOutcomes = ['approve', 'refuse', 'refer', 'not_offered'] as const satisfies readonly DecisionOutcome[];

export type Knockout = {
  readonly id: string;
  readonly text: string;
  readonly attribute: string;
  readonly comparison: Comparison;
  readonly bound: Decimal;
  readonly statedBound: Stated;
  readonly outcome: KnockoutOutcome;
  readonly moratoriumDays?: number;
  readonly firesUnknown: boolean;
};

/** From inclusive, to exclusive; an absent end is open. */
export type Range = { readonly from?: Decimal; readonly to?: Decimal };

export type Bin = Range & { readonly points: number };

export type Characteristic = {
  readonly id: string;
  readonly attribute: string;
  readonly bins: readonly Bin[];
  readonly pointsUnknown: number;
};

export type Band = Range & {
  readonly id: string;
  readonly outcome: DecisionOutcome;
  readonly rate?: Ratio;
  readonly terms?: readonly number[];
  readonly principalMax?: Money;
  readonly moratoriumDays?: number;
};

export function holds({ from, to }: Range, value: Decimal): boolean {
  return (from === undefined || from.lte(value)) && (to === undefined || value.lt(to));
}

/** The one currency a policy's caps are in, if it states any. */
export function currencyOf(policy: Policy): string | undefined {
  return policy.bands.find((band) => band.principalMax !== undefined)?.principalMax?.currency;
}
