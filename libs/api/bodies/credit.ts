/** Bodies about credit: policies, decisions, resolutions and facilities. */
import { account } from '#libs/ledger/act.ts';
import { enumerations } from '#libs/schema/enumerations.ts';
import { array, dictionary, money, object, optional, required } from '#libs/schema/objects.ts';
import {
  anyObject,
  boolean,
  civilDay,
  decimal,
  identifier,
  integer,
  oneOf,
  rate,
  text,
  uuid,
} from '#libs/schema/scalars.ts';
import { either, refine, type Schema } from '#libs/schema/schema.ts';

const { reference, actor, basis, context } = account;

const maxSources = 50;
const maxMoratoriumDays = 36_600;
const maxPoints = 1_000_000_000;
const maxTermPeriods = 600;

export const policyContentBody = object({ content: required(anyObject) });
export const policyVersionBody = object({ content: required(anyObject), ...account });
export const publicationBody = object(account);

const attribute = object({
  state: required(oneOf(enumerations.attribute_state)),
  number: optional(decimal),
  as_of: optional(civilDay),
});

export const decisionBody = refine(
  object({
    reference,
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
    actor,
    basis,
    context,
  }),
  // A trial names both the policy and its version.
  ({ policy, policy_version: version }) => {
    if ((policy === undefined) === (version === undefined)) return undefined;
    return { code: 'missing_field', at: policy === undefined ? '/policy' : '/policy_version' };
  },
);

/** A yearly rate as a fraction of one. */
export const ratio = object({
  numerator: required(integer(1)),
  denominator: required(integer(1)),
  quotation: required(oneOf(enumerations.quotation)),
});

export const resolutionBody = object({
  outcome: required(oneOf(enumerations.resolution_outcome)),
  rate: optional(either(ratio, rate)),
  principal_max: optional(money),
  moratorium_days: optional(integer(1, maxMoratoriumDays)),
  ...account,
});

export const facilityBody = refine(
  object({
    reference,
    client_id: required(identifier),
    decision_id: required(uuid),
    amount: required(money),
    opens_on: required(civilDay),
    expires_on: required(civilDay),
    line: optional(boolean),
    supersedes: optional(uuid),
    actor,
    basis,
    context,
  }),
  // Days as YYYY-MM-DD compare as text.
  ({ opens_on, expires_on }) =>
    opens_on > expires_on
      ? { code: 'invalid_field', at: '/expires_on', bound: opens_on, observed: expires_on }
      : undefined,
);

const policyName = text(64);
const points = required(integer(-maxPoints, maxPoints));
const moratorium = optional(integer(0, maxMoratoriumDays));
const range = { from: optional(decimal), to: optional(decimal) };

function listOf<T>(element: Schema<T>, minItems = 0): Schema<readonly T[]> {
  return array(element, { minItems, maxItems: Number.MAX_SAFE_INTEGER });
}

const knockout = object({
  id: required(policyName),
  text: required(text()),
  attribute: required(policyName),
  comparison: required(oneOf(enumerations.comparison)),
  bound: required(decimal),
  outcome: required(oneOf({ open: false, members: ['refuse', 'refer', 'not_offered'] })),
  moratorium_days: moratorium,
  when_unknown: required(oneOf(enumerations.when_unknown)),
});

const characteristic = object({
  id: required(policyName),
  attribute: required(policyName),
  bins: required(listOf(object({ ...range, points }))),
  when_unknown: points,
});

const band = object({
  id: required(policyName),
  ...range,
  outcome: required(oneOf(enumerations.decision_outcome)),
  rate: optional(ratio),
  terms: optional(array(integer(1, maxTermPeriods), { minItems: 1, maxItems: maxTermPeriods })),
  principal_max: optional(money),
  moratorium_days: moratorium,
});

/** A policy's content as the OpenAPI document describes it. libs/credit parses it, with refusal codes of its own. */
export const policyContent = object({
  attributes: required(listOf(object({ name: required(policyName), unit: optional(policyName) }))),
  knockouts: required(listOf(knockout)),
  base_points: points,
  scorecard: required(listOf(characteristic)),
  bands: required(listOf(band, 1)),
  time_zone: optional(text()),
});
