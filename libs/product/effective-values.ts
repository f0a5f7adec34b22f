/** The value of every field of the frame: the stated one, or the default of the archetype or the market. */
import {
  type DefaultValue,
  type FieldName,
  type FieldValues,
  FRAME,
  type FrameField,
} from '#libs/product/frame-table.ts';
import type { Market } from '#libs/product/markets/market.ts';
import type { Archetype } from '#libs/product/terms.ts';
import type { Json, JsonObject } from '#libs/schema/json.ts';

/** A field that is absent by default has no value. */
export type EffectiveField<T = Json> = { readonly value?: T; readonly source: 'stated' | 'default' };

export type EffectiveValues = { readonly [field in FieldName]: EffectiveField<FieldValues[field]> };

/** The fields whose default is the market's law. */
type MarketFieldName =
  | 'penalty_base'
  | 'penalty_ceiling_days'
  | 'penalty_ceiling_bps'
  | 'acceleration'
  | 'withdrawal_days';

/** The market's law by the names of the frame; undefined where it has no such rule. */
const marketDefaults: { readonly [field in MarketFieldName]: (market: Market) => Json | undefined } = {
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

/** Expects values that passed the schemas of the frame. Without a market, its defaults are absent. */
export function effectiveValues(archetype: Archetype, values: JsonObject, market: Market | undefined): EffectiveValues {
  const entries = FRAME.map((row) => [row.field, effectiveField(row, archetype, values, market)] as const);
  return Object.fromEntries(entries) as { [field in FieldName]: EffectiveField } as EffectiveValues;
}

function effectiveField(
  { field, byArchetype }: FrameField<FieldName>,
  archetype: Archetype,
  values: JsonObject,
  market: Market | undefined,
): EffectiveField {
  const stated = values[field];
  if (stated !== undefined) return { value: stated, source: 'stated' };
  // A menu replaces the single schedule, so its default would be unused.
  if (field === 'schedule' && values['schedules'] !== undefined) return { source: 'default' };
  const rule = byArchetype[archetype];
  if (rule.kind === 'required') return { source: 'default' };
  const value = resolveDefault(field, rule.kind === 'locked' ? rule.value : rule.defaultValue, values, market);
  return value === undefined ? { source: 'default' } : { value, source: 'default' };
}

function resolveDefault(
  field: FieldName,
  defaultValue: DefaultValue,
  values: JsonObject,
  market: Market | undefined,
): Json | undefined {
  switch (defaultValue.kind) {
    case 'value':
      return defaultValue.value;
    case 'zero_money':
      return { minor_units: 0, currency: (values['principal_min'] as JsonObject)['currency'] as string };
    case 'absent':
      return undefined;
    case 'market':
      return market === undefined ? undefined : marketDefaults[field as MarketFieldName](market);
  }
}
