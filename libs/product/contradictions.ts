/**
 * Values that are each of their form and yet cannot stand together. A contradiction of two fields is told of the one
 * that is later in the frame, or of the one that was stated where the other took its default. Pure.
 */

import { rateOf } from '#libs/money/rate.ts';
import type { Effective } from '#libs/product/effective.ts';
import type { FieldName } from '#libs/product/frame-table.ts';
import type { Json, JsonObject } from '#libs/schema/json.ts';
import { type Refusal, refuse } from '#libs/schema/refusals.ts';

type Contradiction = (effective: Effective) => Refusal | undefined;

const units = (value: Json): number => (value as JsonObject)['minor_units'] as number;

const ladder: readonly Contradiction[] = [
  oneCurrency('principal_max'),
  ascending('principal_min', 'principal_max', (least, most) => units(least) <= units(most)),
  ascending('rate_min', 'rate_max', rateAtMost),
  ascending('penalty_rate_min', 'penalty_rate_max', rateAtMost),
  oneScheduleOrMenu,
  oneCurrency('origination_fee'),
  oneCurrency('late_fee'),
  oneCurrency('rollover_fee'),
  ascending('down_payment_min_bps', 'down_payment_max_bps', (least, most) => (least as number) <= (most as number)),
  oneCurrency('tolerance'),
  oneCurrency('max_outstanding_per_client'),
];

export function contradiction(effective: Effective): Refusal | undefined {
  for (const check of ladder) {
    const refusal = check(effective);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

function oneCurrency(field: FieldName): Contradiction {
  return (effective) => {
    const money = effective[field].value;
    if (money === undefined) return undefined;
    const observed = (money as JsonObject)['currency'] as string;
    const bound = (effective.principal_min.value as JsonObject)['currency'] as string;
    return observed === bound
      ? undefined
      : refuse('inconsistent_values', { field: `/values/${field}`, bound, observed });
  };
}

function ascending(least: FieldName, most: FieldName, holds: (least: Json, most: Json) => boolean): Contradiction {
  return (effective) => {
    const low = effective[least].value as Json;
    const high = effective[most].value as Json;
    if (holds(low, high)) return undefined;
    return effective[most].source === 'stated'
      ? refuse('inconsistent_values', { field: `/values/${most}`, bound: low, observed: high })
      : refuse('inconsistent_values', { field: `/values/${least}`, bound: high, observed: low });
  };
}

function oneScheduleOrMenu({ schedule, schedules }: Effective): Refusal | undefined {
  if (schedule.source !== 'stated' || schedules.source !== 'stated') return undefined;
  return refuse('inconsistent_values', {
    field: '/values/schedules',
    bound: 'one of schedule, schedules',
    observed: 'schedule, schedules',
  });
}

function rateAtMost(least: Json, most: Json): boolean {
  return rateOf(least as string) <= rateOf(most as string);
}
