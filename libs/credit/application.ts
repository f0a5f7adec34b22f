/** A credit application: its body, and what a policy reads in it. */

import { describeValue } from '#libs/credit/json-reader.ts';
import { type Decimal, decimalForm, parseDecimal, type StatedNumber } from '#libs/credit/numbers.ts';
import { currencyOf, type Policy } from '#libs/credit/policy.ts';
import { enumerations } from '#libs/schema/enumerations.ts';
import { escapeName } from '#libs/schema/json.ts';
import { account, array, dictionary, type MoneyJson, money, object, optional, required } from '#libs/schema/objects.ts';
import { type DetailValue, isRefusal, type Refusal, refuse } from '#libs/schema/refusals.ts';
import { boolean, civilDay, decimal, identifier, integer, oneOf, text } from '#libs/schema/scalars.ts';
import { type Infer, refine } from '#libs/schema/schema.ts';

const maxSources = 50;

const attribute = object({
  state: required(oneOf(enumerations.attribute_state), 'Whether the value is known.'),
  number: optional(decimal, 'The value, where it is known.'),
  as_of: optional(civilDay, 'The day on which the value was observed.'),
});
type StatedAttribute = Infer<typeof attribute>;

export const applicationBody = refine(
  object({
    reference: account.reference,
    client_id: required(identifier),
    configuration_id: required(identifier),
    configuration_version: required(integer(1)),
    principal: required(money),
    submitted_on: required(civilDay),
    attributes: required(dictionary(attribute)),
    sources: required(array(text(), { maxItems: maxSources })),
    limit: optional(boolean),
    policy: optional(identifier),
    policy_version: optional(integer(1)),
    actor: account.actor,
    basis: account.basis,
    context: account.context,
  }),
  // A trial names both the policy and its version.
  ({ policy, policy_version: version }) => {
    if ((policy === undefined) === (version === undefined)) return undefined;
    return { code: 'missing_field', at: policy === undefined ? '/policy' : '/policy_version' };
  },
);
export type ApplicationBody = Infer<typeof applicationBody>;

/** The largest principal and the terms that the configuration version offers. Stored with the Decision. */
export type CreditOffer = { readonly principal_max: MoneyJson; readonly terms: readonly number[] };

/** The value of an attribute as stated. `number` is present exactly where the state is known. */
export type ObservedValue = {
  readonly state: 'known' | 'unknown';
  readonly number?: StatedNumber;
  readonly as_of?: string;
};

export type Observation = { readonly observed: ObservedValue; readonly value?: Decimal };

/** The attributes of the application by name, or the refusal of what the policy and the product rule out. */
export function observeAttributes(
  application: ApplicationBody,
  policy: Policy,
  offer: CreditOffer,
): ReadonlyMap<string, Observation> | Refusal {
  const observations = new Map<string, Observation>();
  for (const [name, stated] of Object.entries(application.attributes)) {
    const field = `/attributes/${escapeName(name)}`;
    if (!policy.attributes.has(name)) return refuseField(field, [...policy.attributes], name);
    const observation = observe(stated, field);
    if (isRefusal(observation)) return observation;
    observations.set(name, observation);
  }
  return checkCurrency(application, policy, offer) ?? observations;
}

/** An attribute that the application leaves out is unknown. */
export const unknownObservation: Observation = { observed: { state: 'unknown' } };

function observe({ state, number, as_of: asOf }: StatedAttribute, field: string): Observation | Refusal {
  const dated = asOf === undefined ? {} : { as_of: asOf };
  if (state === 'unknown') {
    // A number contradicts the state, and it is not clear which of the two is right.
    return number === undefined
      ? { observed: { state, ...dated } }
      : refuseField(`${field}/number`, 'absent', describeValue(number));
  }
  const value = parseDecimal(number);
  if (number === undefined || value === undefined) {
    return refuseField(`${field}/number`, decimalForm, describeValue(number));
  }
  return { observed: { state, number, ...dated }, value };
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
