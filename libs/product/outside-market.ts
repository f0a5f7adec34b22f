/**
 * What a configuration states against the law of a market: inside it, a product may be milder to the borrower, never
 * harsher. Asked of the home market when a version is written, and again of the Loan's own market at issuance. Pure.
 */

import type { FieldName } from '#libs/product/frame-table.ts';
import type { Market, MarketAcceleration } from '#libs/product/markets/market.ts';
import type { Json, JsonObject } from '#libs/schema/json.ts';
import { type Refusal, refuse } from '#libs/schema/refusals.ts';

export interface Breach {
  readonly field: string;
  readonly bound: Json;
  readonly observed: Json;
}

type Bound = (value: Json, market: Market) => Json | undefined;

/** Each answers the bound that the value breaks, in the order of the frame. */
const bounds: readonly (readonly [FieldName, Bound])[] = [
  [
    'principal_min',
    (value, { currencies }) =>
      currencies.value.includes((value as JsonObject)['currency'] as string) ? undefined : currencies.value,
  ],
  [
    'penalty_base',
    (value, { penaltyBase }) => (penaltyBase.value.some((base) => base === value) ? undefined : penaltyBase.value),
  ],
  ['penalty_ceiling_days', (value, { penaltyCeilingDays }) => aboveMost(value, penaltyCeilingDays.value)],
  ['penalty_ceiling_bps', (value, { penaltyCeilingBps }) => aboveMost(value, penaltyCeilingBps.value)],
  ['acceleration', (value, { acceleration }) => harsher(value as JsonObject, acceleration.value)],
  ['withdrawal_days', (value, { withdrawalDays }) => belowLeast(value, withdrawalDays.value)],
];

/** The first of the stated values that the market does not permit. What was not stated is the market's own. */
export function breachOfMarket(values: JsonObject, market: Market): Breach | undefined {
  for (const [field, boundBroken] of bounds) {
    const observed = values[field];
    if (observed === undefined) continue;
    const bound = boundBroken(observed, market);
    if (bound !== undefined) return { field: `/values/${field}`, bound, observed };
  }
  return undefined;
}

/** Issuance's question: whether a version written under one market may be sold in another. */
export function checkOutsideMarket(values: JsonObject, market: Market): Refusal | undefined {
  const breach = breachOfMarket(values, market);
  return breach === undefined ? undefined : refuse('outside_market', breach);
}

function aboveMost(value: Json, most: number | undefined): Json | undefined {
  return most !== undefined && (value as number) > most ? most : undefined;
}

function belowLeast(value: Json, least: number | undefined): Json | undefined {
  return least !== undefined && (value as number) < least ? least : undefined;
}

// Where the lender may never call the balance, the counts beside it can harm nobody.
function harsher(stated: JsonObject, law: MarketAcceleration): Json | undefined {
  if (stated['forbidden'] === true) return undefined;
  const mild =
    !law.forbidden &&
    (stated['missed_periods'] as number) >= law.missedPeriods &&
    (stated['notice_days'] as number) >= law.noticeDays;
  return mild
    ? undefined
    : { forbidden: law.forbidden, missed_periods: law.missedPeriods, notice_days: law.noticeDays };
}
