import { ceiling, type Decimal, decimalOf } from '#libs/credit/decimal.ts';
import type { Band, Bin, Characteristic, Policy } from '#libs/credit/policy.ts';

/** A remark on a policy that decides every application all the same. Codes are an open list. */
export type RuleResult = { readonly code: FindingCode; readonly field: string };

export type FindingCode =
  | 'attribute_unused'
  | 'bins_not_in_order'
  | 'bins_leave_gap'
  | 'band_out_of_reach'
  | 'moratorium_bars_nothing'
  | 'offer_without_approval';

export function findingsOf(policy: Policy): readonly RuleResult[] {
  const reach = reachOf(policy);
  return [
    ...unusedAttributes(policy),
    ...idleMoratoria('/content/knockouts', policy.knockouts),
    ...policy.scorecard.flatMap(({ bins }, index) => binFindings(bins, `/content/scorecard/${index}/bins`)),
    ...policy.bands.flatMap((band, index) => bandFindings(band, `/content/bands/${index}`, reach)),
    ...idleMoratoria('/content/bands', policy.bands),
  ];
}

function unusedAttributes({ attributes, knockouts, scorecard }: Policy): readonly RuleResult[] {
  const used = new Set([...knockouts, ...scorecard].map(({ attribute }) => attribute));
  return [...attributes].flatMap((name, index) =>
    used.has(name) ? [] : [{ code: 'attribute_unused', field: `/content/attributes/${index}` }],
  );
}

type Settling = { readonly outcome: string; readonly moratoriumDays?: number };

/** Only a refusal bars. */
function idleMoratoria(at: string, rules: readonly Settling[]): readonly RuleResult[] {
  return rules.flatMap(({ outcome, moratoriumDays }, index) =>
    moratoriumDays === undefined || outcome === 'refuse'
      ? []
      : [{ code: 'moratorium_bars_nothing', field: `${at}/${index}/moratorium_days` }],
  );
}

function binFindings(bins: readonly Bin[], field: string): readonly RuleResult[] {
  const inOrder = bins.every(
    ({ from }, index) => index === 0 || (from !== undefined && isAtOrAfter(from, bins[index - 1])),
  );
  return [
    ...(inOrder ? [] : [{ code: 'bins_not_in_order', field } as const]),
    ...(leavesGap(bins) ? [{ code: 'bins_leave_gap', field } as const] : []),
  ];
}

function isAtOrAfter(from: Decimal, before: Bin | undefined): boolean {
  return before?.to?.lte(from) === true;
}

/** Bins that share nothing leave no gap exactly where both ends are open and every other beginning is another's end. */
function leavesGap(bins: readonly Bin[]): boolean {
  const ends = new Set(bins.map(({ to }) => to?.toFixed()));
  const begins = bins.map(({ from }) => from?.toFixed());
  return !begins.includes(undefined) || !ends.has(undefined) || begins.some((begin) => !ends.has(begin));
}

type Reach = { readonly least: number; readonly most: number };

/** The scores between which every application's lies. */
function reachOf({ basePoints, scorecard }: Policy): Reach {
  let [least, most] = [basePoints, basePoints];
  for (const characteristic of scorecard) {
    const points = possiblePoints(characteristic);
    least += points.reduce((a, b) => Math.min(a, b));
    most += points.reduce((a, b) => Math.max(a, b));
  }
  return { least, most };
}

function possiblePoints({ bins, pointsUnknown }: Characteristic): readonly number[] {
  return [pointsUnknown, ...(leavesGap(bins) ? [0] : []), ...bins.map(({ points }) => points)];
}

function bandFindings(band: Band, at: string, { least, most }: Reach): readonly RuleResult[] {
  const { from, to, outcome, rate, terms, principalMax } = band;
  const first = from === undefined || from.lt(decimalOf(least)) ? decimalOf(least) : ceiling(from);
  const isReached = first.lte(decimalOf(most)) && (to === undefined || first.lt(to));
  const isOffer = rate !== undefined || terms !== undefined || principalMax !== undefined;
  return [
    ...(isReached ? [] : [{ code: 'band_out_of_reach', field: at } as const]),
    ...(isOffer && outcome !== 'approve' ? [{ code: 'offer_without_approval', field: at } as const] : []),
  ];
}
