import { account } from '#libs/api/bodies/acts.ts';
import { enumerations } from '#libs/schema/enumerations.ts';
import {
  anyObject,
  boolean,
  civilDay,
  decimal,
  either,
  identifier,
  integer,
  oneOf,
  rate,
  text,
  uuid,
} from '#libs/schema/form.ts';
import { array, money, optional, record, required, shape } from '#libs/schema/shape.ts';

export const policyContentBody = shape({ content: required(anyObject) });
export const policyVersionBody = shape({ content: required(anyObject), ...account });
export const publicationBody = shape(account);

const mostSources = 50;
const { reference, actor, basis, context } = account;

export const decisionBody = shape(
  {
    reference,
    client_id: required(identifier),
    configuration_id: required(identifier),
    configuration_version: required(integer(1)),
    principal: required(money),
    submitted_on: required(civilDay),
    attributes: required(
      record(
        shape({
          state: required(oneOf(enumerations.attribute_state)),
          number: optional(decimal),
          as_of: optional(civilDay),
        }),
      ),
    ),
    sources: required(array(text(), { most: mostSources })),
    limit: optional(boolean),
    policy: optional(identifier),
    policy_version: optional(integer(1)),
    actor,
    basis,
    context,
  },
  // A trial names its version whole.
  ({ policy, policy_version: version }) => {
    if ((policy === undefined) === (version === undefined)) return undefined;
    return { code: 'missing_field', at: policy === undefined ? '/policy' : '/policy_version' };
  },
);

/** The fraction of one a year; a rate in per cent is taken as well, since it states the same exactly. */
export const ratio = shape({
  numerator: required(integer(1)),
  denominator: required(integer(1)),
  quotation: required(oneOf(enumerations.quotation)),
});

const mostMoratoriumDays = 36_600;

export const resolutionBody = shape({
  outcome: required(oneOf(enumerations.resolution_outcome)),
  rate: optional(either(ratio, rate)),
  principal_max: optional(money),
  moratorium_days: optional(integer(1, mostMoratoriumDays)),
  ...account,
});

export const facilityBody = shape(
  {
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
  },
  // Days as YYYY-MM-DD order as text.
  ({ opens_on, expires_on }) =>
    opens_on > expires_on
      ? { code: 'invalid_field', at: '/expires_on', bound: opens_on, observed: expires_on }
      : undefined,
);
