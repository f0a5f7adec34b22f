/** Credit policies in the Tenancy's book: what `libs/credit` decides of them, as facts and answers. */

import { formatMoment, type Moment } from '#libs/calendar/moment.ts';
import {
  applyPolicyFact,
  adoptPolicy as decideAdoption,
  draftPolicy as decideDraft,
  publishPolicy as decidePublication,
  type PolicyFact,
  type PolicyVersion,
  validatePolicy as validateContent,
  versionOf,
} from '#libs/credit/lifecycle.ts';
import { adoptionAnswer, versionRow } from '#libs/credit/policy-answers.ts';
import type { Admission, Submission } from '#libs/ledger/book-decider.ts';
import { isObject, type JsonObject } from '#libs/schema/json.ts';
import { isRefusal } from '#libs/schema/refusals.ts';
import {
  type Again,
  type Apply,
  type Effects,
  type TenancyAct,
  type TenancyBook,
  tenancyFact,
  withFacts,
} from '#libs/tenant/tenancy-book-state.ts';

/** Says what drafting and publication would find, and records nothing. */
const validatePolicy: TenancyAct = (book, submission) => {
  const findings = validateContent(contentIn(submission));
  if (isRefusal(findings)) return findings;
  const body = JSON.stringify({ digest: digestIn(submission), findings });
  return { facts: [], book, answer: () => ({ status: 200, body }) };
};

const draftPolicyVersion: TenancyAct = (book, submission, { at }) => {
  const drafted = decideDraft(book.policies, {
    policy: String(submission.params['policy']),
    content: contentIn(submission),
    digest: digestIn(submission),
    actor: actorIn(submission),
  });
  return isRefusal(drafted) ? drafted : recorded(book, submission, drafted, at);
};

const publishPolicyVersion: TenancyAct = (book, submission, { at }) => {
  const { params } = submission;
  const published = decidePublication(book.policies, {
    policy: String(params['policy']),
    version: Number(params['policy_version']),
    actor: actorIn(submission),
  });
  return isRefusal(published) ? published : recorded(book, submission, published, at);
};

const adoptPolicy: TenancyAct = (book, submission, { at }) => {
  const { body, params } = submission;
  const configurationId = String(params['configuration_id']);
  const adopted = decideAdoption(book.policies, {
    configurationId,
    configurationExists: book.configurations.has(configurationId),
    policy: String(body['policy']),
    version: Number(body['version']),
    enforceBar: body['enforce_bar'] === true,
    actor: actorIn(submission),
  });
  return isRefusal(adopted) ? adopted : recorded(book, submission, adopted, at);
};

export const policyActs = { validatePolicy, draftPolicyVersion, publishPolicyVersion, adoptPolicy };

/** What is recorded beside the fact itself: who did it, why, and under which reference. */
type Accounted<Fact> = Fact & { readonly act: JsonObject };

const apply: Apply = (book, { act: _, ...fact }: Accounted<PolicyFact>, recordedAt) => ({
  ...book,
  policies: applyPolicyFact(book.policies, fact as PolicyFact, formatMoment(recordedAt)),
});

export const policyEffects: Effects = {
  policy_drafted: apply,
  policy_published: apply,
  policy_adopted: apply,
};

/** A version reads with its publication since; of a configuration's policy, the one it has by now. */
export const policiesAgain: Readonly<Record<string, Again>> = {
  draftPolicyVersion: (book, { subject }) => versionText(book, subject),
  publishPolicyVersion: (book, { subject }) => versionText(book, subject),
  adoptPolicy: (book, { subject }) => adoptionText(book, subject),
};

function recorded(book: TenancyBook, { body }: Submission, fact: PolicyFact, at: Moment): Admission<TenancyBook> {
  const { reference, actor, basis, context } = body;
  const act = { reference, actor, basis, ...(context === undefined ? {} : { context }) } as JsonObject;
  const facts = [tenancyFact(fact.kind, { ...fact, act } satisfies Accounted<PolicyFact>)];
  const after = withFacts(policyEffects, book, facts, at);
  const subject = subjectOf(fact);
  const text = fact.kind === 'policy_adopted' ? adoptionText : versionText;
  return { facts, book: after, subject, answer: () => ({ status: 201, body: text(after, subject) }) };
}

/** The name of what a fact is about. */
function subjectOf(fact: PolicyFact): string {
  return fact.kind === 'policy_adopted' ? fact.configuration_id : `${fact.policy}/${fact.version}`;
}

function versionText({ policies }: TenancyBook, subject: string): string {
  const [policy, version] = subject.split('/') as [string, string];
  const known: PolicyVersion | undefined = versionOf(policies, policy, Number(version));
  if (known === undefined) throw new Error(`${subject} is not in the book it was drafted in`);
  return JSON.stringify(versionRow(known));
}

function adoptionText({ policies }: TenancyBook, configurationId: string): string {
  const adoption = policies.adoptions.get(configurationId);
  if (adoption === undefined) throw new Error(`${configurationId} has no policy in the book it was adopted in`);
  return JSON.stringify(adoptionAnswer(adoption));
}

function contentIn({ body }: Submission): JsonObject {
  return body['content'] as JsonObject;
}

function actorIn({ body }: Submission): string {
  return String(body['actor']);
}

/** Made where the request entered: no turn waits for a long content to be hashed. */
function digestIn({ operation, resolved }: Submission): string {
  const digest = isObject(resolved) ? resolved['digest'] : undefined;
  if (typeof digest !== 'string') throw new Error(`${operation} came without the digest of its content`);
  return digest;
}
