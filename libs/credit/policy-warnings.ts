/** Findings: remarks on a policy that is valid but probably not what its author meant. */

import { ceiling, type Decimal, decimalOf } from '#libs/credit/numbers.ts';
import type { Band, Bin, Characteristic, Policy } from '#libs/credit/policy.ts';

export type PolicyFinding = { readonly code: PolicyFindingCode; readonly field: string };

/** Callers must expect further codes. */
export type PolicyFindingCode =
  | 'attribute_unused'
  | 'bins_not_in_order'
  | 'bins_leave_gap'
  | 'band_out_of_reach'
  | 'moratorium_bars_nothing'
  | 'offer_without_approval';

export function policyFindings(policy: Policy): readonly PolicyFinding[] {
  const bounds = scoreBounds(policy);
  return [
    ...unusedAttributes(policy),
    ...idleMoratoria('/content/knockouts', policy.knockouts),
    ...policy.scorecard.flatMap(({ bins }, index) => binFindings(bins, `/content/scorecard/${index}/bins`)),
    ...policy.bands.flatMap((band, index) => bandFindings(band, `/content/bands/${index}`, bounds)),
    ...idleMoratoria('/content/bands', policy.bands),
  ];
}

function unusedAttributes({ attributes, knockouts, scorecard }: Policy): readonly PolicyFinding[] {
  const used = new Set([...knockouts, ...scorecard].map(({ attribute }) => attribute));
  return [...attributes].flatMap((name, index) =>
    used.has(name) ? [] : [{ code: 'attribute_unused', field: `/content/attributes/${index}` }],
  );
}

type MoratoriumRule = { readonly outcome: string; readonly moratoriumDays?: number };

/** A moratorium has an effect only where the outcome is a refusal. */
function idleMoratoria(at: string, rules: readonly MoratoriumRule[]): readonly PolicyFinding[] {
  return rules.flatMap(({ outcome, moratoriumDays }, index) =>
    moratoriumDays === undefined || outcome === 'refuse'
      ? []
      : [{ code: 'moratorium_bars_nothing', field: `${at}/${index}/moratorium_days` }],
  );
}

function binFindings(bins: readonly Bin[], field: string): readonly PolicyFinding[] {
  const inOrder = bins.every(
    ({ from }, index) => index === 0 || (from !== undefined && isAtOrAfter(from, bins[index - 1])),
  );
  return [
    ...(inOrder ? [] : [{ code: 'bins_not_in_order', field } as const]),
    ...(leavesGap(bins) ? [{ code: 'bins_leave_gap', field } as const] : []),
  ];
}

function isAtOrAfter(from: Decimal, previous: Bin | undefined): boolean {
  return previous?.to?.lte(from) === true;
}

/** Bins that do not overlap leave no gap if both ends are unbounded and every other start is another bin's end. */
function leavesGap(bins: readonly Bin[]): boolean {
  const ends = new Set(bins.map(({ to }) => to?.toFixed()));
  const starts = bins.map(({ from }) => from?.toFixed());
  return !starts.includes(undefined) || !ends.has(undefined) || starts.some((start) => !ends.has(start));
}

/** The lowest and the highest score that an application can get. */
type ScoreBounds = { readonly min: number; readonly max: number };

function scoreBounds({ basePoints, scorecard }: Policy): ScoreBounds {
  let [min, max] = [basePoints, basePoints];
  for (const characteristic of scorecard) {
    const points = possiblePoints(characteristic);
    min += points.reduce((a, b) => Math.min(a, b));
    max += points.reduce((a, b) => Math.max(a, b));
  }
  return { min, max };
}

function possiblePoints({ bins, pointsUnknown }: Characteristic): readonly number[] {
  return [pointsUnknown, ...(leavesGap(bins) ? [0] : []), ...bins.map(({ points }) => points)];
}

function bandFindings(band: Band, at: string, { min, max }: ScoreBounds): readonly PolicyFinding[] {
  const { from, to, outcome, rate, terms, principalMax } = band;
  const firstScore = from === undefined || from.lt(decimalOf(min)) ? decimalOf(min) : ceiling(from);
  const isReachable = firstScore.lte(decimalOf(max)) && (to === undefined || firstScore.lt(to));
  const isOffer = rate !== undefined || terms !== undefined || principalMax !== undefined;
  return [
    ...(isReachable ? [] : [{ code: 'band_out_of_reach', field: at } as const]),
    ...(isOffer && outcome !== 'approve' ? [{ code: 'offer_without_approval', field: at } as const] : []),
  ];
}
