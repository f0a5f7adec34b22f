/**
 * The check of a configuration's values, rung by rung: unknown, locked, missing, ill-formed, contradictory, outside the
 * home market. The first fault found is the one told. Pure.
 */

import { type Advisory, advisoriesOf } from '#libs/product/advisories.ts';
import { contradiction } from '#libs/product/contradictions.ts';
import { type Effective, effectiveOf } from '#libs/product/effective.ts';
import { type FieldName, FRAME, type FrameField, isFieldName } from '#libs/product/frame-table.ts';
import type { Market } from '#libs/product/markets/market.ts';
import { breachOfMarket } from '#libs/product/outside-market.ts';
import type { Archetype } from '#libs/product/terms.ts';
import type { SchemaFault } from '#libs/schema/form.ts';
import { escapeName, type Json, type JsonObject } from '#libs/schema/json.ts';
import { type Refusal, refuse } from '#libs/schema/refusals.ts';
import { observedAs, refusalOf, withObserved } from '#libs/schema/shape.ts';

export interface FrameQuestion {
  readonly archetype: Archetype;
  readonly values: JsonObject;
  /** The Tenancy's home market. */
  readonly market: Market;
}

export interface Framed {
  readonly effective: Effective;
  readonly advisories: readonly Advisory[];
}

export function checkFrame({ archetype, values, market }: FrameQuestion): Refusal | Framed {
  const illStated =
    checkUnknown(archetype, values) ??
    checkLocked(archetype, values) ??
    checkMissing(archetype, values) ??
    checkForms(archetype, values);
  if (illStated !== undefined) return illStated;
  const framed = framedOf({ archetype, values, market });
  return contradiction(framed.effective) ?? checkHomeMarket(values, market) ?? framed;
}

/** Of values that were checked when they were recorded. */
export function framedOf({ archetype, values, market }: FrameQuestion): Framed {
  const effective = effectiveOf(archetype, values, market);
  return { effective, advisories: advisoriesOf(effective) };
}

function checkUnknown(archetype: Archetype, values: JsonObject): Refusal | undefined {
  // Member order means nothing in JSON: values that are equal are refused alike.
  const [unknown] = Object.keys(values)
    .filter((name) => !isFieldName(name))
    .sort();
  if (unknown !== undefined) return refuse('unknown_field', { field: `/values/${escapeName(unknown)}` });
  return firstFault(archetype, ({ field, form }) => stated(values, field, form.findUnknown));
}

// A locked field is one this archetype does not have, so it is told after the unknown ones, before anything is missing.
function checkLocked(archetype: Archetype, values: JsonObject): Refusal | undefined {
  const locked = FRAME.find(({ field, on }) => on[archetype].is === 'locked' && Object.hasOwn(values, field));
  return locked === undefined
    ? undefined
    : refuse('field_locked', {
        field: `/values/${locked.field}`,
        bound: archetype,
        ...observedAs(values[locked.field]),
      });
}

function checkMissing(archetype: Archetype, values: JsonObject): Refusal | undefined {
  return firstFault(archetype, ({ field, form, on }) => {
    if (Object.hasOwn(values, field)) return form.findMissing?.(values[field] as Json);
    return on[archetype].is === 'required' ? { code: 'missing_field', at: '' } : undefined;
  });
}

function checkForms(archetype: Archetype, values: JsonObject): Refusal | undefined {
  return firstFault(archetype, ({ field, form }) => stated(values, field, form.findInvalid));
}

type Look = (value: Json) => SchemaFault | undefined;

function stated(values: JsonObject, field: FieldName, look: Look | undefined): SchemaFault | undefined {
  if (!Object.hasOwn(values, field)) return undefined;
  const value = values[field] as Json;
  const fault = look?.(value);
  return fault && withObserved(fault, value);
}

function firstFault(
  archetype: Archetype,
  look: (row: FrameField<FieldName>) => SchemaFault | undefined,
): Refusal | undefined {
  for (const row of FRAME) {
    // What is inside a locked field is nobody's to judge.
    const fault = row.on[archetype].is === 'locked' ? undefined : look(row);
    if (fault !== undefined) return refusalOf({ ...fault, at: `/values/${row.field}${fault.at}` });
  }
  return undefined;
}

function checkHomeMarket(values: JsonObject, market: Market): Refusal | undefined {
  const breach = breachOfMarket(values, market);
  return breach === undefined ? undefined : refuse('inconsistent_values', breach);
}
