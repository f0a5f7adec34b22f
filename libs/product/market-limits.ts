/**
 * Checks a configuration against the law of a market. A product may be milder to the borrower than the law, never
 * harsher. Checked for the home market when a version is written, and for the Loan's market at issuance.
 */
import type { FieldName } from '#libs/product/frame-table.ts';
import type { Market, MarketAcceleration } from '#libs/product/markets/market.ts';
import type { Json, JsonObject } from '#libs/schema/json.ts';
import { type Refusal, refuse } from '#libs/schema/refusals.ts';

export interface MarketViolation {
  readonly field: string;
  readonly bound: Json;
  readonly observed: Json;
}

type BoundCheck = (value: Json, market: Market) => Json | undefined;

/** Each returns the bound that the value breaks. In the order of the frame. */
const boundChecks: readonly (readonly [FieldName, BoundCheck])[] = [
  [
    'principal_min',
    (value, { currencies }) =>
      currencies.value.includes((value as JsonObject)['currency'] as string) ? undefined : currencies.value,
  ],
  [
    'penalty_base',
    (value, { penaltyBase }) => (penaltyBase.value.some((base) => base === value) ? undefined : penaltyBase.value),
  ],
  ['penalty_ceiling_days', (value, { penaltyCeilingDays }) => maxIfAbove(value, penaltyCeilingDays.value)],
  ['penalty_ceiling_bps', (value, { penaltyCeilingBps }) => maxIfAbove(value, penaltyCeilingBps.value)],
  ['acceleration', (value, { acceleration }) => lawUnlessMilder(value as JsonObject, acceleration.value)],
  ['withdrawal_days', (value, { withdrawalDays }) => minIfBelow(value, withdrawalDays.value)],
];

/** The first stated value that the market does not permit. Values that are not stated default to the law. */
export function findMarketViolation(values: JsonObject, market: Market): MarketViolation | undefined {
  for (const [field, boundBrokenBy] of boundChecks) {
    const observed = values[field];
    if (observed === undefined) continue;
    const bound = boundBrokenBy(observed, market);
    if (bound !== undefined) return { field: `/values/${field}`, bound, observed };
  }
  return undefined;
}

/** Whether a version written under one market may be sold in another. */
export function checkMarketLimits(values: JsonObject, market: Market): Refusal | undefined {
  const violation = findMarketViolation(values, market);
  return violation === undefined ? undefined : refuse('outside_market', violation);
}

function maxIfAbove(value: Json, max: number | undefined): Json | undefined {
  return max !== undefined && (value as number) > max ? max : undefined;
}

function minIfBelow(value: Json, min: number | undefined): Json | undefined {
  return min !== undefined && (value as number) < min ? min : undefined;
}

// If the lender may never call the balance, the counts have no effect.
function lawUnlessMilder(stated: JsonObject, law: MarketAcceleration): Json | undefined {
  if (stated['forbidden'] === true) return undefined;
  const isMild =
    !law.forbidden &&
    (stated['missed_periods'] as number) >= law.missedPeriods &&
    (stated['notice_days'] as number) >= law.noticeDays;
  return isMild
    ? undefined
    : { forbidden: law.forbidden, missed_periods: law.missedPeriods, notice_days: law.noticeDays };
}
