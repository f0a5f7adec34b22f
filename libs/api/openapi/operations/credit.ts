/** Documentation of the routes about applications, Decisions, facilities and policies. */
import { bar } from '#libs/api/answers/clients.ts';
import {
  decision,
  decisionPage,
  facility,
  facilityList,
  facilityWithBalance,
  policy,
  policyPage,
  policyVersion,
  policyVersionWithContent,
  resolution,
  validation,
} from '#libs/api/answers/credit.ts';
import { type Operation, readOperation, recordOperation } from '#libs/api/openapi/operation-definition.ts';
import { policyContent } from '#libs/credit/read-policy.ts';
import type { JsonSchema, Schema } from '#libs/schema/schema.ts';
import { policyContentBody, policyVersionBody } from '#libs/tenant/policy-acts.ts';

const tag = 'Credit';
const policies = "Reads the Tenancy's own book: all drafted policy versions, and which of them were published.";
const oneClient = 'Reads the book of the Client: every fact recorded about the Client.';

function withContent({ jsonSchema: schema }: Schema<unknown>): JsonSchema {
  return { ...schema, properties: { ...(schema['properties'] as JsonSchema), content: policyContent.jsonSchema } };
}

export const creditOperations = {
  listPolicies: readOperation({ tag, summary: 'List the policies', description: policies, answer: policyPage }),
  readPolicy: readOperation({ tag, summary: 'Read a policy and its versions', description: policies, answer: policy }),
  readPolicyVersion: readOperation({
    tag,
    summary: 'Read a policy version',
    description: policies,
    answer: policyVersionWithContent,
    refuses: ['contract_version_required'],
  }),
  validatePolicy: readOperation({
    tag,
    summary: 'Validate the content of a policy',
    description: 'Records nothing. Content that passes is not refused at drafting or publication.',
    answer: validation,
    refuses: ['invalid_policy', 'rate_without_decimal'],
    body: withContent(policyContentBody),
  }),
  draftPolicyVersion: recordOperation({
    tag,
    summary: 'Draft a policy version',
    description: 'Records the content under the next version number. A draft never changes.',
    answer: policyVersion,
    refuses: ['invalid_policy'],
    body: withContent(policyVersionBody),
  }),
  publishPolicyVersion: recordOperation({
    tag,
    summary: 'Publish a policy version',
    description: 'Records who published the version. `self_confirmed` is true if the same actor drafted it.',
    answer: policyVersion,
    refuses: ['not_found', 'already_published', 'rate_without_decimal'],
  }),
  decide: recordOperation({
    tag,
    summary: 'Decide an application',
    description:
      'Decides by the policy version adopted for the configuration, or in a trial by the named one, and records the Decision with its trace.',
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
  listDecisions: readOperation({
    tag,
    summary: 'List the Decisions',
    description:
      'Reads the Decisions of the Tenancy, or of one Client. Decisions with an outcome that is newer than the requested version are left out, so a page may be short or empty and still have a `cursor`.',
    answer: decisionPage,
  }),
  readDecision: readOperation({
    tag,
    summary: 'Read a Decision',
    description: `${oneClient} The Decision as it was recorded.`,
    answer: decision,
    refuses: ['contract_version_required'],
  }),
  resolveDecision: recordOperation({
    tag,
    summary: 'Resolve a referred Decision',
    description: 'Records what a person decided on a referred Decision. A Decision is resolved once.',
    answer: resolution,
    refuses: ['not_found', 'not_referred', 'already_resolved', 'currency_mismatch', 'rate_without_decimal'],
  }),
  readResolution: readOperation({
    tag,
    summary: 'Read the resolution of a Decision',
    description: oneClient,
    answer: resolution,
  }),
  readBar: readOperation({
    tag,
    summary: 'Read whether a Client is barred on a day',
    description: `${oneClient} A Client that is not registered is not barred.`,
    answer: bar,
  }),
  openFacility: recordOperation({
    tag,
    summary: 'Open a facility',
    description: 'Records how much may be lent to the Client under an approving Decision, and when.',
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
  listFacilities: readOperation({
    tag,
    summary: 'List the facilities',
    description: 'Reads the facilities of the Tenancy, or of one Client.',
    answer: facilityList,
  }),
  readFacility: readOperation({
    tag,
    summary: 'Read a facility with what is drawn of it',
    description: oneClient,
    answer: facilityWithBalance,
  }),
} as const satisfies { readonly [route: string]: Operation };
