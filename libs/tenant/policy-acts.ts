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
import { isObject } from '#libs/schema/json.ts';
import { type Account, account, object, required, splitAccount } from '#libs/schema/objects.ts';
import { isRefusal } from '#libs/schema/refusals.ts';
import { anyObject, boolean, identifier, integer } from '#libs/schema/scalars.ts';
import type { Infer } from '#libs/schema/schema.ts';
import type { TenancyBook } from '#libs/tenant/tenancy-book.ts';
import type { RoutedTenancyAct } from '#libs/tenant/tenancy-facts.ts';

export const policyContentBody = object({ content: required(anyObject) });
export const policyVersionBody = object({ content: required(anyObject), ...account });
export const publicationBody = object(account);
export const adoptionBody = object({
  policy: required(identifier),
  version: required(integer(1)),
  enforce_bar: required(boolean),
  ...account,
});

/** Reports the findings of a content and what drafting or publication would refuse. Records nothing. */
const validatePolicy: RoutedTenancyAct<Infer<typeof policyContentBody>> = {
  body: policyContentBody,
  decide(_book, submission) {
    const { content } = submission.body;
    const findings = validateContent(content);
    if (isRefusal(findings)) return findings;
    const digest = contentDigest(submission);
    return { facts: [], status: 200, answer: () => JSON.stringify({ digest, findings }) };
  },
};

const draftPolicyVersion: RoutedTenancyAct<Infer<typeof policyVersionBody>> = {
  body: policyVersionBody,
  decide(book, submission) {
    const [act, { content }] = splitAccount(submission.body);
    const drafted = decideDraft(book.policies, {
      policy: String(submission.params['policy']),
      content,
      digest: contentDigest(submission),
      actor: act.actor,
    });
    if (isRefusal(drafted)) return drafted;
    const subject = versionName(drafted.policy, drafted.version);
    return {
      facts: [{ kind: 'policy_drafted', body: { ...drafted, act } }],
      status: 201,
      answer: (after) => versionText(after, subject),
      subject,
    };
  },
};

const publishPolicyVersion: RoutedTenancyAct<Account> = {
  body: publicationBody,
  decide(book, { params, body }) {
    const [act] = splitAccount(body);
    const published = decidePublication(book.policies, {
      policy: String(params['policy']),
      version: Number(params['policy_version']),
      actor: act.actor,
    });
    if (isRefusal(published)) return published;
    const subject = versionName(published.policy, published.version);
    return {
      facts: [{ kind: 'policy_published', body: { ...published, act } }],
      status: 201,
      answer: (after) => versionText(after, subject),
      subject,
    };
  },
};

const adoptPolicy: RoutedTenancyAct<Infer<typeof adoptionBody>> = {
  body: adoptionBody,
  decide(book, { params, body }) {
    const [act, stated] = splitAccount(body);
    const configurationId = String(params['configuration_id']);
    const adopted = decideAdoption(book.policies, {
      configurationId,
      configurationExists: book.configurations.has(configurationId),
      policy: stated.policy,
      version: stated.version,
      enforceBar: stated.enforce_bar,
      actor: act.actor,
    });
    if (isRefusal(adopted)) return adopted;
    return {
      facts: [{ kind: 'policy_adopted', body: { ...adopted, act } }],
      status: 201,
      answer: (after) => adoptionText(after, configurationId),
      subject: configurationId,
    };
  },
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
function contentDigest({ operation, resolved }: Pick<Submission, 'operation' | 'resolved'>): string {
  const digest = isObject(resolved) ? resolved['digest'] : undefined;
  if (typeof digest !== 'string') throw new Error(`submission of ${operation} carries no digest of its content`);
  return digest;
}
