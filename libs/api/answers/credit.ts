/** Credit: policies, decisions, resolutions and facilities. */
import { account, amount, cursor, exactNumber } from '#libs/api/answers/figures.ts';
import {
  always,
  count,
  list,
  moment,
  object,
  type Part,
  sometimes,
  whole,
  word,
  yesOrNo,
} from '#libs/api/answers/part.ts';
import { policyContent } from '#libs/api/bodies/policy-content.ts';
import { enumerations } from '#libs/schema/enumerations.ts';
import { civilDay, identifier, integer, oneOf, rate, reference, uuid } from '#libs/schema/form.ts';
import type { JsonObject } from '#libs/schema/json.ts';

const outcome = oneOf(enumerations.decision_outcome);

export const quotedRate = object(
  {
    numerator: always(integer(1)),
    denominator: always(integer(1)),
    quotation: always(oneOf(enumerations.quotation)),
    percent: sometimes(rate, 'Its exact decimal; only a draft on trial may lack one.'),
  },
  'The fraction of one a year.',
);

const approval = {
  terms: sometimes(list(count), 'On an approval: the numbers of periods offered.'),
  rate: sometimes(quotedRate, 'On an approval.'),
  principal_max: sometimes(amount, 'On an approval.'),
};

const observed = object({
  state: always(oneOf(enumerations.attribute_state)),
  number: sometimes(exactNumber, 'Exactly where it is known, as stated.'),
  as_of: sometimes(civilDay),
});

export const trace = object({
  knockouts: always(
    list(
      object({
        id: always(word),
        text: always(word),
        attribute: always(word),
        comparison: always(oneOf(enumerations.comparison)),
        bound: always(exactNumber),
        observed: always(observed),
        fired: always(yesOrNo),
        outcome: always(outcome),
      }),
    ),
    'In the order of the policy. The first that fired settled the outcome.',
  ),
  scorecard: always(
    list(
      object({
        id: always(word),
        attribute: always(word),
        observed: always(observed),
        bin: sometimes(count, 'Its place among the bins, from 0; absent where none holds what was observed.'),
        points: always(whole),
      }),
    ),
  ),
});

const decided = {
  id: always(uuid),
  reference: always(reference),
  client_id: always(identifier),
  policy: always(identifier),
  policy_version: always(integer(1)),
  policy_digest: always(word, 'SHA-256 of the canonical form of the deciding content.'),
  configuration_id: always(word),
  configuration_version: always(integer(1)),
  principal: always(amount),
  submitted_on: always(civilDay),
  score: always(whole),
  outcome: always(outcome),
  band: sometimes(word, 'Absent where a knockout settled it first.'),
  ...approval,
  ceiling: sometimes(amount, 'On a limit decision.'),
  over_ceiling: sometimes(yesOrNo, 'On a limit decision: whether the principal asked is above it.'),
  moratorium_days: sometimes(count),
  trace: always(trace),
  sources: always(list(word)),
  binding: always(yesOrNo, 'Whether the adopted version decided; a trial binds nobody.'),
  self_confirmed_version: always(yesOrNo),
  time_zone: always(word),
  bound_from: always(civilDay, 'The first day a bar of this Decision counts from.'),
  actor: account.actor,
  basis: account.basis,
  context: account.context,
  decided_at: always(moment),
};

export const decision = object(decided);
export const decisionPage = object({ decisions: always(list(decision), 'Newest first.'), cursor });

export const resolution = object({
  decision_id: always(uuid),
  outcome: always(oneOf(enumerations.resolution_outcome)),
  ...approval,
  moratorium_days: sometimes(count),
  ...account,
  recorded_at: always(moment),
});

const granted = {
  id: always(uuid),
  reference: always(reference),
  client_id: always(identifier),
  configuration_id: always(word),
  decided_version: always(integer(1)),
  decision_id: always(uuid),
  amount: always(amount),
  rate: always(quotedRate),
  terms: always(list(count), 'The numbers of periods that may be issued under it.'),
  opens_on: always(civilDay),
  expires_on: always(civilDay),
  line: always(yesOrNo, 'Drawn by every purchase and refilled by repayment.'),
  supersedes: sometimes(uuid),
  superseded_by: sometimes(uuid),
  actor: account.actor,
  basis: account.basis,
  context: account.context,
  created_at: always(moment),
};

export const facility = object(granted);
export const facilityDrawn = object({
  ...granted,
  drawn: always(amount),
  headroom: always(amount, 'Below zero where more is out than the amount.'),
});
export const facilityList = object({ facilities: always(list(facility), 'Newest first; not paged.') });

const versioned = {
  policy: always(identifier),
  version: always(integer(1)),
  digest: always(word, 'SHA-256 of the canonical form of the content.'),
  drafted_by: always(identifier),
  created_at: always(moment),
  published: always(yesOrNo),
  published_by: sometimes(identifier),
  published_at: sometimes(moment),
  self_confirmed: sometimes(yesOrNo, 'Whether the one who published it drafted it too.'),
};

const content: Part<JsonObject> = { jsonSchema: policyContent.jsonSchema };

export const policyVersion = object(versioned);
export const policyVersionWhole = object({ ...versioned, content: always(content, 'As drafted.') });

export const adoption = object({
  configuration_id: always(word),
  policy: always(identifier),
  version: always(integer(1)),
  enforce_bar: always(yesOrNo),
  adopted_at: always(moment),
});

const row = {
  policy: always(identifier),
  latest_version: always(integer(1)),
  latest_published: sometimes(integer(1), 'Absent until a version is published.'),
};

export const policy = object({
  ...row,
  adoptions: always(list(adoption), 'The products it decides for, by identifier.'),
  versions: always(list(policyVersion), 'Oldest first.'),
  cursor,
});
export const policyPage = object({
  policies: always(list(object(row)), 'Newest first, by when a policy was first drafted.'),
  cursor,
});

export const validation = object({
  digest: always(word),
  findings: always(
    list(object({ code: always(word, 'Open: more may come.'), field: always(word, 'A JSON pointer.') })),
    'Remarks on a content that decides every application all the same.',
  ),
});
