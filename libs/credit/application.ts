import { parseDay } from '#libs/calendar/civil-day.ts';
import { type Decimal, decimalForm, parseDecimal, type Stated } from '#libs/credit/decimal.ts';
import type { Money } from '#libs/credit/money.ts';
import { currencyOf, type Policy } from '#libs/credit/policy.ts';
import { isObject, pointed, shown } from '#libs/credit/policy-input.ts';
import { type DetailValue, isRefusal, type Refusal, refuse } from '#libs/schema/refusals.ts';

/** An application as its body states it. */
export type Application = {
  readonly reference: string;
  readonly client_id: string;
  readonly configuration_id: string;
  readonly configuration_version: number;
  readonly principal: Money;
  readonly submitted_on: string;
  readonly attributes: { readonly [name: string]: unknown };
  readonly sources: readonly unknown[];
  readonly limit?: boolean;
  readonly policy?: string;
  readonly policy_version?: number;
  readonly actor: string;
  readonly basis: string;
  readonly context?: object;
};

/** What the configuration version applied for would lend at most, in what terms. Frozen with the Decision. */
export type Offer = { readonly principal_max: Money; readonly terms: readonly number[] };

/** What was observed of an attribute, as stated; `number` is there exactly where it is known. */
export type Observed = { readonly state: 'known' | 'unknown'; readonly number?: Stated; readonly as_of?: string };

export type Observation = { readonly observed: Observed; readonly value?: Decimal };

export type ReadApplication = {
  readonly observations: ReadonlyMap<string, Observation>;
  readonly sources: readonly string[];
};

const MOST_SOURCES = 50;

export function readApplication(application: Application, policy: Policy, offer: Offer): ReadApplication | Refusal {
  const observations = new Map<string, Observation>();
  for (const [name, stated] of Object.entries(application.attributes)) {
    const field = `/attributes/${pointed(name)}`;
    if (!policy.attributes.has(name)) return invalid(field, [...policy.attributes], name);
    const observation = readAttribute(stated, field);
    if (isRefusal(observation)) return observation;
    observations.set(name, observation);
  }
  const { sources, principal } = application;
  if (sources.length > MOST_SOURCES) return invalid('/sources', `0 to ${MOST_SOURCES} strings`, sources.length);
  for (const [index, source] of sources.entries()) {
    if (typeof source !== 'string') return invalid(`/sources/${index}`, 'a string', shown(source));
  }
  for (const currency of [offer.principal_max.currency, currencyOf(policy) ?? principal.currency]) {
    if (principal.currency === currency) continue;
    return refuse('currency_mismatch', {
      field: '/principal/currency',
      bound: currency,
      observed: principal.currency,
    });
  }
  return { observations, sources: sources as readonly string[] };
}

/** An attribute left out is unknown, and so is told. */
export const unobserved: Observation = { observed: { state: 'unknown' } };

function readAttribute(stated: unknown, field: string): Observation | Refusal {
  if (!isObject(stated)) return invalid(field, 'an object', shown(stated));
  for (const member of Object.keys(stated)) {
    if (!['state', 'number', 'as_of'].includes(member)) {
      return invalid(`${field}/${pointed(member)}`, ['state', 'number', 'as_of'], member);
    }
  }
  const { state, number, as_of: asOf } = stated;
  if (state !== 'known' && state !== 'unknown') return invalid(`${field}/state`, ['known', 'unknown'], shown(state));
  if (asOf !== undefined && (typeof asOf !== 'string' || parseDay(asOf) === undefined)) {
    return invalid(`${field}/as_of`, 'a civil day', shown(asOf));
  }
  const dated = asOf === undefined ? {} : { as_of: asOf };
  if (state === 'unknown') {
    // A number beside unknown contradicts it; which of the two was meant is not ours to guess.
    return number === undefined
      ? { observed: { state, ...dated } }
      : invalid(`${field}/number`, 'absent', shown(number));
  }
  const value = parseDecimal(number);
  if (value === undefined) return invalid(`${field}/number`, decimalForm, shown(number));
  return { observed: { state, number: number as Stated, ...dated }, value };
}

function invalid(field: string, bound: DetailValue, observed: DetailValue): Refusal {
  return refuse('invalid_application', { field, bound, observed });
}
