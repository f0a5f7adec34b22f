/** Acts on credit policies: validation, drafting, publication and adoption. */

import {
  adoptionAnswer,
  adoptPolicy as decideAdoption,
  draftPolicy as decideDraft,
  publishPolicy as decidePublication,
  findPolicyVersion,
  policyVersionRow,
  validatePolicy as validateContent,
} from '#libs/credit/policy-lifecycle.ts';
import type { Submission } from '#libs/ledger/book-decider.ts';
import { isObject, type JsonObject } from '#libs/schema/json.ts';
import { isRefusal } from '#libs/schema/refusals.ts';
import type { TenancyBook } from '#libs/tenant/tenancy-book.ts';
import type { TenancyAct } from '#libs/tenant/tenancy-facts.ts';

/** The account that every act on a policy states. */
type AccountBody = {
  readonly reference: string;
  readonly actor: string;
  readonly basis: string;
  readonly context?: JsonObject;
};

type DraftBody = AccountBody & { readonly content: JsonObject };

type AdoptionBody = AccountBody & {
  readonly policy: string;
  readonly version: number;
  readonly enforce_bar: boolean;
};

/** Reports the findings of a content and what drafting or publication would refuse. Records nothing. */
const validatePolicy: TenancyAct = (_book, submission) => {
  const { content } = submission.body as { readonly content: JsonObject };
  const findings = validateContent(content);
  if (isRefusal(findings)) return findings;
  const digest = contentDigest(submission);
  return { facts: [], status: 200, answer: () => JSON.stringify({ digest, findings }) };
};

const draftPolicyVersion: TenancyAct = (book, submission) => {
  const body = submission.body as DraftBody;
  const drafted = decideDraft(book.policies, {
    policy: String(submission.params['policy']),
    content: body.content,
    digest: contentDigest(submission),
    actor: body.actor,
  });
  if (isRefusal(drafted)) return drafted;
  const subject = versionName(drafted.policy, drafted.version);
  return {
    facts: [{ kind: 'policy_drafted', body: { ...drafted, act: accountOf(body) } }],
    status: 201,
    answer: (after) => versionText(after, subject),
    subject,
  };
};

const publishPolicyVersion: TenancyAct = (book, { params, ...submission }) => {
  const body = submission.body as AccountBody;
  const published = decidePublication(book.policies, {
    policy: String(params['policy']),
    version: Number(params['policy_version']),
    actor: body.actor,
  });
  if (isRefusal(published)) return published;
  const subject = versionName(published.policy, published.version);
  return {
    facts: [{ kind: 'policy_published', body: { ...published, act: accountOf(body) } }],
    status: 201,
    answer: (after) => versionText(after, subject),
    subject,
  };
};

const adoptPolicy: TenancyAct = (book, { params, ...submission }) => {
  const body = submission.body as AdoptionBody;
  const configurationId = String(params['configuration_id']);
  const adopted = decideAdoption(book.policies, {
    configurationId,
    configurationExists: book.configurations.has(configurationId),
    policy: body.policy,
    version: body.version,
    enforceBar: body.enforce_bar,
    actor: body.actor,
  });
  if (isRefusal(adopted)) return adopted;
  return {
    facts: [{ kind: 'policy_adopted', body: { ...adopted, act: accountOf(body) } }],
    status: 201,
    answer: (after) => adoptionText(after, configurationId),
    subject: configurationId,
  };
};

export const policyActs = { validatePolicy, draftPolicyVersion, publishPolicyVersion, adoptPolicy };

/** The answer to a repeated request: the record that its reference names, as it reads now. */
export function currentPolicyText(book: TenancyBook, operation: string, subject: string): string {
  switch (operation) {
    case 'draftPolicyVersion':
    case 'publishPolicyVersion':
      return versionText(book, subject);
    case 'adoptPolicy':
      return adoptionText(book, subject);
    default:
      throw new Error(`operation ${operation} records no reference`);
  }
}

function accountOf({ reference, actor, basis, context }: AccountBody): JsonObject {
  return { reference, actor, basis, ...(context === undefined ? {} : { context }) };
}

function versionName(policy: string, version: number): string {
  return `${policy}/${version}`;
}

function versionText({ policies }: TenancyBook, name: string): string {
  const [policy = '', version] = name.split('/');
  const found = findPolicyVersion(policies, policy, Number(version));
  if (found === undefined) throw new Error(`policy version ${name} is not in its book`);
  return JSON.stringify(policyVersionRow(found));
}

function adoptionText({ policies }: TenancyBook, configurationId: string): string {
  const adoption = policies.adoptions.get(configurationId);
  if (adoption === undefined) throw new Error(`configuration ${configurationId} has no adopted policy in its book`);
  return JSON.stringify(adoptionAnswer(adoption));
}

/** Computed at ingress, so that hashing a long content does not delay the other books of a batch. */
function contentDigest({ operation, resolved }: Submission): string {
  const digest = isObject(resolved) ? resolved['digest'] : undefined;
  if (typeof digest !== 'string') throw new Error(`submission of ${operation} carries no digest of its content`);
  return digest;
}
