/**
 * What every field of the frame takes: what was stated, else what the archetype or the market gives it. Derived on
 * every read, so that an answer and the values beneath it cannot disagree. Pure.
 */

import { type FieldName, FRAME, type FrameField, type Unstated } from '#libs/product/frame-table.ts';
import type { Market } from '#libs/product/markets/market.ts';
import type { Archetype } from '#libs/product/terms.ts';
import type { Json, JsonObject } from '#libs/schema/json.ts';

/** A field whose default is absence has no value. */
export interface EffectiveField {
  readonly value?: Json;
  readonly source: 'stated' | 'default';
}

export type Effective = { readonly [field in FieldName]: EffectiveField };

/** The fields of the frame whose default is the market's law. */
export type MarketField =
  | 'penalty_base'
  | 'penalty_ceiling_days'
  | 'penalty_ceiling_bps'
  | 'acceleration'
  | 'withdrawal_days';

/** The market's law under the names of the frame; undefined where it has no such rule. */
export const lawOf: { readonly [field in MarketField]: (market: Market) => Json | undefined } = {
  penalty_base: (market) => market.penaltyBase.value[0],
  penalty_ceiling_days: (market) => market.penaltyCeilingDays.value,
  penalty_ceiling_bps: (market) => market.penaltyCeilingBps.value,
  acceleration: ({ acceleration: { value } }) => ({
    forbidden: value.forbidden,
    missed_periods: value.missedPeriods,
    notice_days: value.noticeDays,
  }),
  withdrawal_days: (market) => market.withdrawalDays.value,
};

/** Of values whose forms were checked. Without a market what the law gives is left absent. */
export function effectiveOf(archetype: Archetype, values: JsonObject, market: Market | undefined): Effective {
  const entries = FRAME.map((row) => [row.field, effectiveField(row, archetype, values, market)] as const);
  return Object.fromEntries(entries) as Effective;
}

function effectiveField(
  { field, on }: FrameField<FieldName>,
  archetype: Archetype,
  values: JsonObject,
  market: Market | undefined,
): EffectiveField {
  const stated = values[field];
  if (stated !== undefined) return { value: stated, source: 'stated' };
  // A menu takes the place of the one schedule: nothing would use its default.
  if (field === 'schedule' && values['schedules'] !== undefined) return { source: 'default' };
  const rule = on[archetype];
  if (rule.is === 'required') return { source: 'default' };
  const value = unstatedValue(field, rule.is === 'locked' ? rule.to : rule.otherwise, values, market);
  return value === undefined ? { source: 'default' } : { value, source: 'default' };
}

function unstatedValue(
  field: FieldName,
  unstated: Unstated,
  values: JsonObject,
  market: Market | undefined,
): Json | undefined {
  switch (unstated.takes) {
    case 'value':
      return unstated.value;
    case 'no_money':
      return { minor_units: 0, currency: (values['principal_min'] as JsonObject)['currency'] as string };
    case 'absence':
      return undefined;
    case 'market':
      return market === undefined ? undefined : lawOf[field as MarketField](market);
  }
}
