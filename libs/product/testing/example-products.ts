/** Example products and markets for tests. */

import type { Moment } from '#libs/calendar/moment.ts';
import { type CheckedValues, checkFrame } from '#libs/product/frame.ts';
import type { Market } from '#libs/product/markets/market.ts';
import { MX } from '#libs/product/markets/mx.ts';
import type { Archetype } from '#libs/product/terms.ts';
import type { JsonObject } from '#libs/schema/json.ts';
import { isRefusal, type RefusalDetails } from '#libs/schema/refusals.ts';

export function pesos(minorUnits: number): JsonObject {
  return { minor_units: minorUnits, currency: 'MXN' };
}

const range = { principal_min: pesos(100_00), principal_max: pesos(50_000_00) };
const corridor = { rate_min: '12', rate_max: '36.50' };

/** The required fields of each archetype. */
export const minimalValues: { readonly [archetype in Archetype]: JsonObject } = {
  instalment: { ...range, ...corridor, terms: [3, 6, 12] },
  bnpl: { ...range, terms: [4] },
  payday: { ...range, ...corridor },
};

/** A market that is stricter than MX in every rule that the frame reads. */
export const strictMarket: Market = {
  ...MX,
  jurisdiction: 'XX',
  currencies: rule(['MXN', 'USD']),
  penaltyBase: rule(['overdue_instalment']),
  penaltyCeilingDays: rule(60),
  penaltyCeilingBps: rule(2_000),
  acceleration: rule({ forbidden: false, missedPeriods: 2, noticeDays: 10 }),
  withdrawalDays: rule(14),
};

/** A market that forbids acceleration. */
export const noAccelerationMarket: Market = {
  ...MX,
  acceleration: rule({ forbidden: true, missedPeriods: 1, noticeDays: 0 }),
};

export const noon = 1_767_268_800_000_000 as Moment;

function rule<Value>(value: Value): { value: Value; source: string; provisional: boolean } {
  return { value, source: 'made up for examples', provisional: true };
}

/** Checks the minimal values of an archetype with these values added. */
export function checkWith(
  archetype: Archetype,
  values: JsonObject,
  market: Market = MX,
): ReturnType<typeof checkFrame> {
  return checkFrame({ archetype, values: { ...minimalValues[archetype], ...values }, market });
}

export function checkedValues(archetype: Archetype, values: JsonObject = {}, market: Market = MX): CheckedValues {
  const checked = checkWith(archetype, values, market);
  if (isRefusal(checked)) throw new Error(JSON.stringify(checked));
  return checked;
}

/** The code and the field of the refusal, if there is one. */
export function refusalOf(
  archetype: Archetype,
  values: JsonObject,
  market: Market = MX,
): [string, RefusalDetails['field']] | 'admitted' {
  const checked = checkWith(archetype, values, market);
  return isRefusal(checked) ? [checked.code, checked.details?.field] : 'admitted';
}
