/** Compares the terms that an issuance froze with those its caller stated, which the fact holds beside them. */
import { isDeepStrictEqual } from 'node:util';
import { parseRate } from '#libs/money/rate.ts';
import { isObject, type Json, type JsonObject } from '#libs/schema/json.ts';

/** `stated` has the signed members and those that the product supplied. Undefined if the terms say the same. */
export function restatedTermsFault(terms: Json | undefined, stated: JsonObject): string | undefined {
  if (terms === undefined) return undefined;
  if (!isObject(terms)) return 'its terms are not an object';
  const wrong = Object.entries(expectedTerms(stated)).find(
    ([name, expected]) => expected !== undefined && !isDeepStrictEqual(comparable(name, terms[name]), expected),
  );
  return wrong === undefined ? undefined : `its terms.${wrong[0]} differs from the signed ${wrong[0]}`;
}

/** What the terms must contain, by their names; undefined where the request states nothing. */
function expectedTerms(stated: JsonObject): { readonly [name: string]: Json | bigint | undefined } {
  const { principal, down_payment, term_periods, anchor, schedule, jurisdiction, hold_until } = stated;
  const money = isObject(principal) ? principal : {};
  return {
    principal: money['minor_units'],
    currency: money['currency'],
    down_payment: isObject(down_payment) ? down_payment['minor_units'] : undefined,
    rate: comparable('rate', stated['rate']),
    penalty_rate: comparable('penalty_rate', stated['penalty_rate']),
    tax: comparable('tax', stated['tax']),
    term_periods,
    anchor,
    schedule,
    jurisdiction,
    hold_until,
  };
}

/** A rate has several spellings: 36 is 36.0. */
function comparable(name: string, value: Json | undefined): Json | bigint | undefined {
  if (name.endsWith('rate') && typeof value === 'string') return parseRate(value) ?? value;
  if (name !== 'tax' || !isObject(value)) return value;
  const { rate, on } = value;
  return JSON.stringify([String(comparable('rate', rate)), on]);
}
