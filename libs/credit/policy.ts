/** A credit policy as parsed from its content: knockouts, a scorecard and score bands. */

import type { Decimal, RateFraction, StatedNumber } from '#libs/credit/numbers.ts';
import type { MoneyJson } from '#libs/schema/objects.ts';

export type Policy = {
  readonly attributes: ReadonlySet<string>;
  readonly knockouts: readonly Knockout[];
  readonly basePoints: number;
  readonly scorecard: readonly Characteristic[];
  readonly bands: readonly Band[];
  readonly timeZone?: string;
};

export const comparisons = ['at_least', 'at_most', 'above', 'below', 'equals'] as const;
export const knockoutOutcomes = ['refuse', 'refer', 'not_offered'] as const;
export const bandOutcomes = ['approve', ...knockoutOutcomes] as const;

export type Comparison = (typeof comparisons)[number];
export type KnockoutOutcome = (typeof knockoutOutcomes)[number];
export type DecisionOutcome = (typeof bandOutcomes)[number];

/** A rule that settles the outcome regardless of the score, when its comparison holds. */
export type Knockout = {
  readonly id: string;
  readonly text: string;
  readonly attribute: string;
  readonly comparison: Comparison;
  readonly bound: Decimal;
  readonly statedBound: StatedNumber;
  readonly outcome: KnockoutOutcome;
  readonly moratoriumDays?: number;
  readonly firesUnknown: boolean;
};

/** `from` is inclusive and `to` exclusive. A missing end is unbounded. */
export type NumberRange = { readonly from?: Decimal; readonly to?: Decimal };

export type Bin = NumberRange & { readonly points: number };

/** One attribute of the scorecard and the points its values earn. */
export type Characteristic = {
  readonly id: string;
  readonly attribute: string;
  readonly bins: readonly Bin[];
  readonly pointsUnknown: number;
};

/** A range of scores and the outcome of applications that score in it. */
export type Band = NumberRange & {
  readonly id: string;
  readonly outcome: DecisionOutcome;
  readonly rate?: RateFraction;
  readonly terms?: readonly number[];
  readonly principalMax?: MoneyJson;
  readonly moratoriumDays?: number;
};

export function contains({ from, to }: NumberRange, value: Decimal): boolean {
  return (from === undefined || from.lte(value)) && (to === undefined || value.lt(to));
}

/** The currency of the policy's caps; undefined where it states none. A checked policy uses one currency. */
export function currencyOf(policy: Policy): string | undefined {
  return policy.bands.find((band) => band.principalMax !== undefined)?.principalMax?.currency;
}
