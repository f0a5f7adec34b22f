import { bar } from '#libs/api/answers/clients.ts';
import {
  decision,
  decisionPage,
  facility,
  facilityDrawn,
  facilityList,
  policy,
  policyPage,
  policyVersion,
  policyVersionWhole,
  resolution,
  validation,
} from '#libs/api/answers/credit.ts';
import { policyContentBody, policyVersionBody } from '#libs/api/bodies/credit.ts';
import { policyContent } from '#libs/api/bodies/policy-content.ts';
import { asks, type Operation, records } from '#libs/api/openapi/operation.ts';
import type { JsonSchema, Schema } from '#libs/schema/form.ts';

const tag = 'Credit';
const policies = "Reads the Tenancy's own book: every policy version that was drafted, and what was published of them.";
const oneClient = 'Reads the book of the Client: every fact recorded about the Client.';

function withContent({ jsonSchema: schema }: Schema<unknown>): JsonSchema {
  return { ...schema, properties: { ...(schema['properties'] as JsonSchema), content: policyContent.jsonSchema } };
}

export const creditOperations = {
  listPolicies: asks({ tag, summary: 'List the policies', says: policies, answer: policyPage }),
  readPolicy: asks({ tag, summary: 'Read a policy and its versions', says: policies, answer: policy }),
  readPolicyVersion: asks({
    tag,
    summary: 'Read a policy version',
    says: policies,
    answer: policyVersionWhole,
    refuses: ['contract_version_required'],
  }),
  validatePolicy: asks({
    tag,
    summary: 'Validate the content of a policy',
    says: 'Records nothing. What passes is refused neither at drafting nor at publication.',
    answer: validation,
    refuses: ['invalid_policy', 'rate_without_decimal'],
    body: withContent(policyContentBody),
  }),
  draftPolicyVersion: records({
    tag,
    summary: 'Draft a policy version',
    says: 'Records the content under the next number. A draft never changes.',
    answer: policyVersion,
    refuses: ['invalid_policy'],
    body: withContent(policyVersionBody),
  }),
  publishPolicyVersion: records({
    tag,
    summary: 'Publish a policy version',
    says: 'Records who published it; `self_confirmed` where the same actor drafted it.',
    answer: policyVersion,
    refuses: ['not_found', 'already_published', 'rate_without_decimal'],
  }),
  decide: records({
    tag,
    summary: 'Decide an application',
    says: 'Decides by the policy version adopted for the configuration, or on trial by the one that is named, and records the Decision with its whole trace.',
    answer: decision,
    refuses: [
      'unknown_client',
      'no_configuration',
      'no_policy',
      'invalid_application',
      'currency_mismatch',
      'client_barred',
    ],
  }),
  listDecisions: asks({
    tag,
    summary: 'List the Decisions',
    says: 'Reads the Decisions of the Tenancy, or of one Client. One in an outcome that the caller does not know is left out: a page may be short or empty and still have a `cursor`.',
    answer: decisionPage,
  }),
  readDecision: asks({
    tag,
    summary: 'Read a Decision',
    says: `${oneClient} The Decision exactly as it was recorded.`,
    answer: decision,
    refuses: ['contract_version_required'],
  }),
  resolveDecision: records({
    tag,
    summary: 'Resolve a referred Decision',
    says: 'Records what a person decided where the policy referred. Once.',
    answer: resolution,
    refuses: ['not_found', 'not_referred', 'already_resolved', 'currency_mismatch', 'rate_without_decimal'],
  }),
  readResolution: asks({
    tag,
    summary: 'Read the resolution of a Decision',
    says: oneClient,
    answer: resolution,
  }),
  readBar: asks({
    tag,
    summary: 'Read whether a Client is barred on a day',
    says: `${oneClient} A Client never registered is not barred.`,
    answer: bar,
  }),
  openFacility: records({
    tag,
    summary: 'Open a facility',
    says: 'Records what may be issued to the Client under an approving Decision, within its days.',
    answer: facility,
    refuses: [
      'not_found',
      'unknown_client',
      'decision_not_approving',
      'invalid_application',
      'currency_mismatch',
      'amount_above_decision',
      'outside_window_bound',
      'cannot_supersede',
    ],
  }),
  listFacilities: asks({
    tag,
    summary: 'List the facilities',
    says: 'Reads the facilities of the Tenancy, or of one Client.',
    answer: facilityList,
  }),
  readFacility: asks({
    tag,
    summary: 'Read a facility with what is drawn of it',
    says: oneClient,
    answer: facilityDrawn,
  }),
} as const satisfies { readonly [route: string]: Operation };
