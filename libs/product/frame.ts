/**
 * Checks the values of a product configuration: unknown fields, locked, missing, invalid, contradictory, outside the
 * home market. The refusal is that of the first fault, and lists those of the first four checks.
 */
import { rateOf } from '#libs/money/rate.ts';
import { type Advisory, advisoriesOf } from '#libs/product/advisories.ts';
import { type EffectiveField, type EffectiveValues, effectiveValues } from '#libs/product/effective-values.ts';
import { type FieldName, FRAME, type FrameField, isFieldName } from '#libs/product/frame-table.ts';
import { findMarketViolation } from '#libs/product/market-limits.ts';
import type { Market } from '#libs/product/markets/market.ts';
import type { Archetype } from '#libs/product/terms.ts';
import { escapeName, type Json, type JsonObject } from '#libs/schema/json.ts';
import type { MoneyJson } from '#libs/schema/objects.ts';
import { type Refusal, refuse } from '#libs/schema/refusals.ts';
import {
  maxListedFaults,
  observedDetail,
  type Pass,
  refusalOfFaults,
  type SchemaFault,
  withObserved,
} from '#libs/schema/schema.ts';

export interface ProductValues {
  readonly archetype: Archetype;
  readonly values: JsonObject;
  /** The Tenancy's home market. */
  readonly market: Market;
}

export interface CheckedValues {
  readonly effective: EffectiveValues;
  readonly advisories: readonly Advisory[];
}

export function checkFrame({ archetype, values, market }: ProductValues): Refusal | CheckedValues {
  const faults = [
    ...unknownFaults(archetype, values),
    ...lockedFaults(archetype, values),
    ...missingFaults(archetype, values),
    ...faultsInFields(archetype, values, 'invalid'),
  ];
  if (faults.length > 0) return refusalOfFaults(faults);
  const checked = deriveValues({ archetype, values, market });
  return checkContradictions(checked.effective) ?? checkHomeMarket(values, market) ?? checked;
}

/** Expects values that `checkFrame` accepted. */
export function deriveValues({ archetype, values, market }: ProductValues): CheckedValues {
  const effective = effectiveValues(archetype, values, market);
  return { effective, advisories: advisoriesOf(effective) };
}

function unknownFaults(archetype: Archetype, values: JsonObject): readonly SchemaFault[] {
  // Sorted, because equal values must be refused alike whatever their member order.
  const names = Object.keys(values)
    .filter((name) => !isFieldName(name))
    .sort();
  const faults = names.map((name, index): SchemaFault => {
    // The known names are stated once.
    const bound = index === 0 ? { bound: fieldNames(archetype) } : {};
    return { code: 'unknown_field', at: `/values/${escapeName(name)}`, ...bound };
  });
  return [...faults, ...faultsInFields(archetype, values, 'unknown')];
}

/** The fields that the archetype does not lock. */
function fieldNames(archetype: Archetype): readonly string[] {
  return fieldsOf(archetype).map(({ field }) => field);
}

function fieldsOf(archetype: Archetype): readonly FrameField<FieldName>[] {
  return FRAME.filter(({ byArchetype }) => byArchetype[archetype].kind !== 'locked');
}

// The archetype does not have a locked field, so it is reported like an unknown one, before missing fields.
function lockedFaults(archetype: Archetype, values: JsonObject): readonly SchemaFault[] {
  const locked = FRAME.filter(
    ({ field, byArchetype }) => byArchetype[archetype].kind === 'locked' && Object.hasOwn(values, field),
  );
  return locked.map(({ field }) => ({
    code: 'field_locked',
    at: `/values/${field}`,
    bound: archetype,
    ...observedDetail(values[field]),
  }));
}

function missingFaults(archetype: Archetype, values: JsonObject): readonly SchemaFault[] {
  return fieldsOf(archetype).flatMap((row) => {
    if (Object.hasOwn(values, row.field)) return faultsInField(row, values, 'missing');
    const isRequired = row.byArchetype[archetype].kind === 'required';
    return isRequired ? [{ code: 'missing_field', at: `/values/${row.field}` } as const] : [];
  });
}

// A locked field is refused whatever it holds, so its value is not checked.
function faultsInFields(archetype: Archetype, values: JsonObject, pass: Pass): readonly SchemaFault[] {
  const stated = fieldsOf(archetype).filter(({ field }) => Object.hasOwn(values, field));
  return stated.flatMap((row) => faultsInField(row, values, pass));
}

function faultsInField({ field, schema }: FrameField<FieldName>, values: JsonObject, pass: Pass): SchemaFault[] {
  const value = values[field] as Json;
  const faults = schema.find(pass, value, maxListedFaults) ?? [];
  return faults.map((fault) => ({ ...withObserved(fault, value), at: `/values/${field}${fault.at}` }));
}

type ValueCheck = (effective: EffectiveValues) => Refusal | undefined;

type MoneyField = {
  [Name in FieldName]: EffectiveValues[Name] extends EffectiveField<MoneyJson> ? Name : never;
}[FieldName];

/**
 * Values that contradict each other. A contradiction of two fields is reported at the later one of the frame, or at the
 * stated one if the other took its default.
 */
const contradictionChecks: readonly ValueCheck[] = [
  sameCurrency('principal_max'),
  ascending('principal_min', 'principal_max', (min, max) => min.minor_units <= max.minor_units),
  ascending('rate_min', 'rate_max', isRateAtMost),
  ascending('penalty_rate_min', 'penalty_rate_max', isRateAtMost),
  scheduleOrMenu,
  sameCurrency('origination_fee'),
  sameCurrency('late_fee'),
  sameCurrency('rollover_fee'),
  ascending('down_payment_min_bps', 'down_payment_max_bps', (min, max) => min <= max),
  sameCurrency('tolerance'),
  sameCurrency('max_outstanding_per_client'),
];

function checkContradictions(effective: EffectiveValues): Refusal | undefined {
  for (const check of contradictionChecks) {
    const refusal = check(effective);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

function sameCurrency(field: MoneyField): ValueCheck {
  return (effective) => {
    const observed = effective[field].value?.currency;
    const bound = effective.principal_min.value?.currency;
    if (observed === undefined || bound === undefined || observed === bound) return undefined;
    return refuse('inconsistent_values', { field: `/values/${field}`, bound, observed });
  };
}

function ascending<Min extends FieldName, Max extends FieldName>(
  minField: Min,
  maxField: Max,
  isAscending: (
    min: NonNullable<EffectiveValues[Min]['value']>,
    max: NonNullable<EffectiveValues[Max]['value']>,
  ) => boolean,
): ValueCheck {
  return (effective) => {
    const { value: min } = effective[minField];
    const { value: max, source } = effective[maxField];
    if (min === undefined || max === undefined || isAscending(min, max)) return undefined;
    return source === 'stated'
      ? refuse('inconsistent_values', { field: `/values/${maxField}`, bound: min, observed: max })
      : refuse('inconsistent_values', { field: `/values/${minField}`, bound: max, observed: min });
  };
}

function scheduleOrMenu({ schedule, schedules }: EffectiveValues): Refusal | undefined {
  if (schedule.source !== 'stated' || schedules.source !== 'stated') return undefined;
  return refuse('inconsistent_values', {
    field: '/values/schedules',
    bound: 'one of schedule, schedules',
    observed: 'schedule, schedules',
  });
}

function isRateAtMost(min: string, max: string): boolean {
  return rateOf(min) <= rateOf(max);
}

function checkHomeMarket(values: JsonObject, market: Market): Refusal | undefined {
  const violation = findMarketViolation(values, market);
  return violation === undefined ? undefined : refuse('inconsistent_values', violation);
}
