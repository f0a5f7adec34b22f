/** A credit application: its body, and what a policy reads in it. */

import { parseDay } from '#libs/calendar/civil-day.ts';
import { describeValue, isObject, pointerSegment } from '#libs/credit/json-reader.ts';
import { type Decimal, decimalForm, parseDecimal, type StatedNumber } from '#libs/credit/numbers.ts';
import { currencyOf, type Policy } from '#libs/credit/policy.ts';
import type { Json, JsonObject } from '#libs/schema/json.ts';
import type { MoneyJson } from '#libs/schema/objects.ts';
import { type DetailValue, isRefusal, type Refusal, refuse } from '#libs/schema/refusals.ts';

export type ApplicationBody = {
  readonly reference: string;
  readonly client_id: string;
  readonly configuration_id: string;
  readonly configuration_version: number;
  readonly principal: MoneyJson;
  readonly submitted_on: string;
  readonly attributes: JsonObject;
  readonly sources: readonly Json[];
  readonly limit?: boolean;
  readonly policy?: string;
  readonly policy_version?: number;
  readonly actor: string;
  readonly basis: string;
  readonly context?: JsonObject;
};

/** The largest principal and the terms that the configuration version offers. Stored with the Decision. */
export type CreditOffer = { readonly principal_max: MoneyJson; readonly terms: readonly number[] };

/** The value of an attribute as stated. `number` is present exactly where the state is known. */
export type ObservedValue = {
  readonly state: 'known' | 'unknown';
  readonly number?: StatedNumber;
  readonly as_of?: string;
};

export type Observation = { readonly observed: ObservedValue; readonly value?: Decimal };

export type ParsedApplication = {
  readonly observations: ReadonlyMap<string, Observation>;
  readonly sources: readonly string[];
};

const maxSources = 50;
const attributeMembers = ['state', 'number', 'as_of'];

export function parseApplication(
  application: ApplicationBody,
  policy: Policy,
  offer: CreditOffer,
): ParsedApplication | Refusal {
  const observations = new Map<string, Observation>();
  for (const [name, stated] of Object.entries(application.attributes)) {
    const field = `/attributes/${pointerSegment(name)}`;
    if (!policy.attributes.has(name)) return refuseField(field, [...policy.attributes], name);
    const observation = parseObservation(stated, field);
    if (isRefusal(observation)) return observation;
    observations.set(name, observation);
  }
  const sources = parseSources(application.sources);
  if (isRefusal(sources)) return sources;
  return checkCurrency(application, policy, offer) ?? { observations, sources };
}

/** An attribute that the application leaves out is unknown. */
export const unknownObservation: Observation = { observed: { state: 'unknown' } };

function parseObservation(stated: unknown, field: string): Observation | Refusal {
  if (!isObject(stated)) return refuseField(field, 'an object', describeValue(stated));
  for (const member of Object.keys(stated)) {
    if (!attributeMembers.includes(member)) {
      return refuseField(`${field}/${pointerSegment(member)}`, attributeMembers, member);
    }
  }
  const { state, number, as_of: asOf } = stated;
  if (state !== 'known' && state !== 'unknown') {
    return refuseField(`${field}/state`, ['known', 'unknown'], describeValue(state));
  }
  if (asOf !== undefined && (typeof asOf !== 'string' || parseDay(asOf) === undefined)) {
    return refuseField(`${field}/as_of`, 'a civil day', describeValue(asOf));
  }
  const dated = asOf === undefined ? {} : { as_of: asOf };
  if (state === 'unknown') {
    // A number contradicts the state, and it is not clear which of the two is right.
    return number === undefined
      ? { observed: { state, ...dated } }
      : refuseField(`${field}/number`, 'absent', describeValue(number));
  }
  const value = parseDecimal(number);
  if (value === undefined) return refuseField(`${field}/number`, decimalForm, describeValue(number));
  return { observed: { state, number: number as StatedNumber, ...dated }, value };
}

function parseSources(sources: readonly Json[]): readonly string[] | Refusal {
  if (sources.length > maxSources) return refuseField('/sources', `0 to ${maxSources} strings`, sources.length);
  const texts: string[] = [];
  for (const [index, source] of sources.entries()) {
    if (typeof source !== 'string') return refuseField(`/sources/${index}`, 'a string', describeValue(source));
    texts.push(source);
  }
  return texts;
}

function checkCurrency(
  { principal }: ApplicationBody,
  policy: Policy,
  { principal_max: { currency: offered } }: CreditOffer,
): Refusal | undefined {
  for (const currency of [offered, currencyOf(policy) ?? principal.currency]) {
    if (principal.currency === currency) continue;
    return refuse('currency_mismatch', {
      field: '/principal/currency',
      bound: currency,
      observed: principal.currency,
    });
  }
  return undefined;
}

function refuseField(field: string, bound: DetailValue, observed: DetailValue): Refusal {
  return refuse('invalid_application', { field, bound, observed });
}
