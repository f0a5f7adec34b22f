/** Products and laws to begin an example from: the least that each archetype must state, and a market that bounds more. */

import type { Moment } from '#libs/calendar/moment.ts';
import { checkFrame, type Framed } from '#libs/product/frame.ts';
import type { Market } from '#libs/product/markets/market.ts';
import { MX } from '#libs/product/markets/mx.ts';
import type { Archetype } from '#libs/product/terms.ts';
import type { JsonObject } from '#libs/schema/json.ts';
import { type Details, isRefusal } from '#libs/schema/refusals.ts';

export function pesos(minorUnits: number): JsonObject {
  return { minor_units: minorUnits, currency: 'MXN' };
}

const range = { principal_min: pesos(100_00), principal_max: pesos(50_000_00) };
const corridor = { rate_min: '12', rate_max: '36.50' };

/** What each archetype requires, and nothing more. */
export const leastValues: { readonly [archetype in Archetype]: JsonObject } = {
  instalment: { ...range, ...corridor, terms: [3, 6, 12] },
  bnpl: { ...range, terms: [4] },
  payday: { ...range, ...corridor },
};

/** A law stricter than MX wherever the frame reads the law. */
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

/** A law under which the balance is never called. */
export const neverCalled: Market = {
  ...MX,
  acceleration: rule({ forbidden: true, missedPeriods: 1, noticeDays: 0 }),
};

export const noon = 1_767_268_800_000_000 as Moment;

function rule<Value>(value: Value): { value: Value; source: string; provisional: boolean } {
  return { value, source: 'made up for examples', provisional: true };
}

/** What the frame says to the least a product must state with these values over it. */
export function stating(archetype: Archetype, values: JsonObject, market: Market = MX): ReturnType<typeof checkFrame> {
  return checkFrame({ archetype, values: { ...leastValues[archetype], ...values }, market });
}

export function admitted(archetype: Archetype, values: JsonObject = {}, market: Market = MX): Framed {
  const framed = stating(archetype, values, market);
  if (isRefusal(framed)) throw new Error(JSON.stringify(framed));
  return framed;
}

/** The code and the field of the refusal. */
export function told(
  archetype: Archetype,
  values: JsonObject,
  market: Market = MX,
): [string, Details['field']] | 'admitted' {
  const framed = stating(archetype, values, market);
  return isRefusal(framed) ? [framed.code, framed.details?.field] : 'admitted';
}
