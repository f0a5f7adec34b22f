/** Answers about credit: policies, decisions, resolutions and facilities. */

import { answerObject, anyString, count, list, timestamp, wholeNumber } from '#libs/api/answers/answer-schema.ts';
import { account, amount, cursor, exactNumber } from '#libs/api/answers/common.ts';
import { policyContent } from '#libs/credit/read-policy.ts';
import { enumerations } from '#libs/schema/enumerations.ts';
import type { JsonObject } from '#libs/schema/json.ts';
import { optional, required } from '#libs/schema/objects.ts';
import { boolean, civilDay, identifier, integer, oneOf, rate, reference, uuid } from '#libs/schema/scalars.ts';
import type { TypedJsonSchema } from '#libs/schema/schema.ts';

const outcome = oneOf(enumerations.decision_outcome);

export const quotedRate = answerObject(
  {
    numerator: required(integer(1)),
    denominator: required(integer(1)),
    quotation: required(oneOf(enumerations.quotation)),
    percent: optional(rate, 'The exact decimal in per cent. Only a draft in a trial may lack one.'),
  },
  'A yearly rate as a fraction of one.',
);

const approval = {
  terms: optional(list(count), 'On an approval: the numbers of periods offered.'),
  rate: optional(quotedRate, 'On an approval.'),
  principal_max: optional(amount, 'On an approval.'),
};

const observed = answerObject({
  state: required(oneOf(enumerations.attribute_state)),
  number: optional(exactNumber, 'Present if the attribute is known, as sent.'),
  as_of: optional(civilDay),
});

export const trace = answerObject({
  knockouts: required(
    list(
      answerObject({
        id: required(anyString),
        text: required(anyString),
        attribute: required(anyString),
        comparison: required(oneOf(enumerations.comparison)),
        bound: required(exactNumber),
        observed: required(observed),
        fired: required(boolean, 'Whether the rule fired.'),
        outcome: required(outcome),
      }),
    ),
    'In the order of the policy. The first that fired decided the outcome.',
  ),
  scorecard: required(
    list(
      answerObject({
        id: required(anyString),
        attribute: required(anyString),
        observed: required(observed),
        bin: optional(count, 'The index of the bin, from 0; absent if no bin contains the observed value.'),
        points: required(wholeNumber),
      }),
    ),
  ),
});

const decisionMembers = {
  id: required(uuid),
  reference: required(reference),
  client_id: required(identifier),
  policy: required(identifier),
  policy_version: required(integer(1)),
  policy_digest: required(anyString, 'SHA-256 of the canonical form of the deciding content.'),
  configuration_id: required(anyString),
  configuration_version: required(integer(1)),
  principal: required(amount),
  submitted_on: required(civilDay, 'The day of the application.'),
  score: required(wholeNumber, 'The sum of the points.'),
  outcome: required(outcome),
  band: optional(anyString, 'Absent if a knockout decided the outcome.'),
  ...approval,
  ceiling: optional(amount, 'On a limit decision.'),
  over_ceiling: optional(boolean, 'On a limit decision: whether the requested principal is above the ceiling.'),
  moratorium_days: optional(count, 'On a refusal: for how many days it bars the Client.'),
  trace: required(trace),
  sources: required(list(anyString), 'As sent.'),
  binding: required(boolean, 'True if the adopted version decided, false for a trial.'),
  self_confirmed_version: required(boolean, 'Whether the person who published the version had drafted it.'),
  time_zone: required(anyString, 'The zone in which the day of the Decision was found.'),
  bound_from: required(civilDay, 'The day from which a bar of this Decision counts.'),
  actor: account.actor,
  basis: account.basis,
  context: account.context,
  decided_at: required(timestamp),
};

export const decision = answerObject(decisionMembers);
export const decisionPage = answerObject({ decisions: required(list(decision), 'Newest first.'), cursor });

export const resolution = answerObject({
  decision_id: required(uuid),
  outcome: required(oneOf(enumerations.resolution_outcome)),
  ...approval,
  moratorium_days: optional(count, 'On a refusal: for how many days it bars the Client.'),
  ...account,
  recorded_at: required(timestamp),
});

const facilityMembers = {
  id: required(uuid),
  reference: required(reference),
  client_id: required(identifier),
  configuration_id: required(anyString),
  decided_version: required(integer(1), 'The configuration version of the Decision.'),
  decision_id: required(uuid, 'The approving Decision.'),
  amount: required(amount),
  rate: required(quotedRate),
  terms: required(list(count), 'The numbers of periods of Loans under the facility.'),
  opens_on: required(civilDay, 'The first day on which it may be drawn.'),
  expires_on: required(civilDay, 'The last day on which it may be drawn.'),
  line: required(boolean, 'Whether repayment makes the amount available again.'),
  supersedes: optional(uuid, 'The line that this one replaced.'),
  superseded_by: optional(uuid, 'The line that replaced this one.'),
  actor: account.actor,
  basis: account.basis,
  context: account.context,
  created_at: required(timestamp),
};

export const facility = answerObject(facilityMembers);
export const facilityWithBalance = answerObject({
  ...facilityMembers,
  drawn: required(amount, 'What Loans have drawn of the amount.'),
  headroom: required(amount, 'The amount that may still be drawn. Negative if more is drawn than the amount.'),
});
export const facilityList = answerObject({ facilities: required(list(facility), 'Newest first; not paged.') });

const policyVersionMembers = {
  policy: required(identifier),
  version: required(integer(1)),
  digest: required(anyString, 'SHA-256 of the canonical form of the content.'),
  drafted_by: required(identifier),
  created_at: required(timestamp),
  published: required(boolean, 'Only a published version can be adopted. It never changes.'),
  published_by: optional(identifier),
  published_at: optional(timestamp),
  self_confirmed: optional(boolean, 'Whether the same actor drafted and published it.'),
};

const content: TypedJsonSchema<JsonObject> = { jsonSchema: policyContent.jsonSchema };

export const policyVersion = answerObject(policyVersionMembers);
export const policyVersionWithContent = answerObject({
  ...policyVersionMembers,
  content: required(content, 'As drafted.'),
});

export const adoption = answerObject({
  configuration_id: required(anyString),
  policy: required(identifier),
  version: required(integer(1)),
  enforce_bar: required(boolean, 'Whether an application of a barred Client is refused.'),
  adopted_at: required(timestamp),
});

const row = {
  policy: required(identifier),
  latest_version: required(integer(1), 'The number of the newest version, published or not.'),
  latest_published: optional(integer(1), 'Absent until a version is published.'),
};

export const policy = answerObject({
  ...row,
  adoptions: required(list(adoption), 'The products that use the policy, by identifier.'),
  versions: required(list(policyVersion), 'Oldest first.'),
  cursor,
});
export const policyPage = answerObject({
  policies: required(list(answerObject(row)), 'Newest first, by the first draft.'),
  cursor,
});

export const validation = answerObject({
  digest: required(anyString, 'SHA-256 of the canonical form of the content.'),
  findings: required(
    list(
      answerObject({
        code: required(anyString, 'More codes may be added.'),
        field: required(anyString, 'A JSON pointer.'),
      }),
    ),
    'Remarks on content that is valid.',
  ),
});
