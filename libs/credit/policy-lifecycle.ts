/** The life of a policy: drafted in versions, published, adopted for configurations. */

import { checkPolicy, readCheckedPolicy, refuseRateWithoutDecimal } from '#libs/credit/check-policy.ts';
import type { PolicyFinding } from '#libs/credit/policy-warnings.ts';
import { canonicalJson, type JsonObject } from '#libs/schema/json.ts';
import { isRefusal, type Refusal, refuse } from '#libs/schema/refusals.ts';

/** A drafted content never changes. To correct it, another version is drafted. */
export type PolicyDrafted = {
  readonly kind: 'policy_drafted';
  readonly policy: string;
  readonly version: number;
  readonly digest: string;
  readonly content: JsonObject;
  readonly drafted_by: string;
};

export type PolicyPublished = {
  readonly kind: 'policy_published';
  readonly policy: string;
  readonly version: number;
  readonly published_by: string;
  /** Whether the same person drafted and published the version. */
  readonly self_confirmed: boolean;
};

export type PolicyAdopted = {
  readonly kind: 'policy_adopted';
  readonly configuration_id: string;
  readonly policy: string;
  readonly version: number;
  readonly enforce_bar: boolean;
  readonly adopted_by: string;
};

export type PolicyFact = PolicyDrafted | PolicyPublished | PolicyAdopted;

export type PolicyVersion = Omit<PolicyDrafted, 'kind'> & {
  readonly created_at: string;
  readonly publication?: { readonly by: string; readonly at: string; readonly selfConfirmed: boolean };
};

export type Adoption = Omit<PolicyAdopted, 'kind' | 'adopted_by'> & { readonly adopted_at: string };

/** The policies of a Tenancy. */
export type Policies = {
  /** By policy name. Version n is at index n - 1. */
  readonly versions: ReadonlyMap<string, readonly PolicyVersion[]>;
  /** By configuration id. */
  readonly adoptions: ReadonlyMap<string, Adoption>;
};

export const noPolicies: Policies = { versions: new Map(), adoptions: new Map() };

/** The text whose SHA-256 is the digest of a content. The order of members does not change it. */
export function digestInput(content: JsonObject): string {
  return canonicalJson(content);
}

/** Reports findings and refuses what drafting or publication would refuse. Nothing is recorded. */
export function validatePolicy(content: JsonObject): readonly PolicyFinding[] | Refusal {
  const checked = checkPolicy(content);
  if (isRefusal(checked)) return checked;
  return refuseRateWithoutDecimal(checked.policy) ?? checked.findings;
}

type DraftRequest = {
  readonly policy: string;
  readonly content: JsonObject;
  readonly digest: string;
  readonly actor: string;
};

export function draftPolicy(
  policies: Policies,
  { policy, content, digest, actor }: DraftRequest,
): PolicyDrafted | Refusal {
  const checked = checkPolicy(content);
  if (isRefusal(checked)) return checked;
  const version = (policies.versions.get(policy)?.length ?? 0) + 1;
  return { kind: 'policy_drafted', policy, version, digest, content, drafted_by: actor };
}

type PublicationRequest = { readonly policy: string; readonly version: number; readonly actor: string };

export function publishPolicy(policies: Policies, publication: PublicationRequest): PolicyPublished | Refusal {
  const { policy, version, actor } = publication;
  const drafted = findPolicyVersion(policies, policy, version);
  if (drafted === undefined) return refuse('not_found');
  if (drafted.publication !== undefined) {
    return refuse('already_published', { recorded_id: policy, recorded_value: version });
  }
  const refusal = refuseRateWithoutDecimal(readCheckedPolicy(drafted.content));
  if (refusal !== undefined) return refusal;
  const selfConfirmed = drafted.drafted_by === actor;
  return { kind: 'policy_published', policy, version, published_by: actor, self_confirmed: selfConfirmed };
}

type AdoptionRequest = {
  readonly configurationId: string;
  readonly configurationExists: boolean;
  readonly policy: string;
  readonly version: number;
  readonly enforceBar: boolean;
  readonly actor: string;
};

/** From the next decision on, the adopted version decides for every version of the configuration. */
export function adoptPolicy(policies: Policies, adoption: AdoptionRequest): PolicyAdopted | Refusal {
  const { configurationId, configurationExists, policy, version, enforceBar, actor } = adoption;
  if (!configurationExists) return refuse('no_configuration', { observed: configurationId });
  if (findPolicyVersion(policies, policy, version)?.publication === undefined) {
    return refuse('no_policy', { field: '/version', bound: 'a published version', observed: `${policy} ${version}` });
  }
  return {
    kind: 'policy_adopted',
    configuration_id: configurationId,
    policy,
    version,
    enforce_bar: enforceBar,
    adopted_by: actor,
  };
}

export function applyPolicyFact(policies: Policies, fact: PolicyFact, recordedAt: string): Policies {
  switch (fact.kind) {
    case 'policy_drafted': {
      const { kind: _, ...drafted } = fact;
      return withVersions(policies, fact.policy, (versions) => [...versions, { ...drafted, created_at: recordedAt }]);
    }
    case 'policy_published': {
      const publication = { by: fact.published_by, at: recordedAt, selfConfirmed: fact.self_confirmed };
      return withVersions(policies, fact.policy, (versions) =>
        versions.map((version) => (version.version === fact.version ? { ...version, publication } : version)),
      );
    }
    case 'policy_adopted': {
      const { kind: _, adopted_by: __, ...adopted } = fact;
      const adoption = { ...adopted, adopted_at: recordedAt };
      return { ...policies, adoptions: new Map(policies.adoptions).set(fact.configuration_id, adoption) };
    }
  }
}

function withVersions(
  policies: Policies,
  policy: string,
  change: (versions: readonly PolicyVersion[]) => readonly PolicyVersion[],
): Policies {
  const changed = change(policies.versions.get(policy) ?? []);
  return { ...policies, versions: new Map(policies.versions).set(policy, changed) };
}

export function findPolicyVersion(policies: Policies, policy: string, version: number): PolicyVersion | undefined {
  return policies.versions.get(policy)?.[version - 1];
}

export type DecidingVersion = {
  readonly version: PolicyVersion;
  readonly binding: boolean;
  readonly enforceBar: boolean;
};

type PolicyChoice = {
  readonly configuration_id: string;
  readonly policy?: string | undefined;
  readonly policy_version?: number | undefined;
};

/** The adopted version, whose decisions bind; or the version the application names, which decides on trial only. */
export function decidingVersion(policies: Policies, choice: PolicyChoice): DecidingVersion | Refusal {
  const { policy, policy_version: number } = choice;
  if (policy === undefined || number === undefined) return adoptedVersion(policies, choice.configuration_id);
  const version = findPolicyVersion(policies, policy, number);
  if (version !== undefined) return { version, binding: false, enforceBar: false };
  return refuse('no_policy', { field: '/policy_version', observed: `${policy} ${number}` });
}

function adoptedVersion(policies: Policies, configurationId: string): DecidingVersion | Refusal {
  const adoption = policies.adoptions.get(configurationId);
  const version = adoption && findPolicyVersion(policies, adoption.policy, adoption.version);
  if (adoption === undefined || version === undefined) {
    return refuse('no_policy', { field: '/configuration_id', observed: configurationId });
  }
  return { version, binding: true, enforceBar: adoption.enforce_bar };
}

/** A policy version without its content, as in lists and in the answers to drafting and publication. */
export type PolicyVersionRow = {
  readonly policy: string;
  readonly version: number;
  readonly digest: string;
  readonly drafted_by: string;
  readonly created_at: string;
  readonly published: boolean;
  readonly published_by?: string;
  readonly published_at?: string;
  readonly self_confirmed?: boolean;
};

export function policyVersionRow({ content: _, publication, ...version }: PolicyVersion): PolicyVersionRow {
  if (publication === undefined) return { ...version, published: false };
  return {
    ...version,
    published: true,
    published_by: publication.by,
    published_at: publication.at,
    self_confirmed: publication.selfConfirmed,
  };
}

export function policyVersionAnswer(version: PolicyVersion): PolicyVersionRow & { readonly content: JsonObject } {
  return { ...policyVersionRow(version), content: version.content };
}

/** A policy in a list. */
export type PolicyRow = {
  readonly policy: string;
  readonly latest_version: number;
  /** Absent until a version is published. */
  readonly latest_published?: number;
};

export function policyRow(policy: string, versions: readonly PolicyVersion[]): PolicyRow {
  const published = versions.findLast(({ publication }) => publication !== undefined);
  return {
    policy,
    latest_version: versions.length,
    ...(published === undefined ? {} : { latest_published: published.version }),
  };
}

export type PolicyAnswer = PolicyRow & {
  readonly adoptions: readonly Adoption[];
  readonly versions: readonly PolicyVersionRow[];
};

/** Adoptions are sorted by configuration id, versions oldest first. */
export function policyAnswer({ versions, adoptions }: Policies, policy: string): PolicyAnswer | undefined {
  const drafted = versions.get(policy);
  if (drafted === undefined) return undefined;
  const adopted = [...adoptions.values()].filter((adoption) => adoption.policy === policy);
  return {
    ...policyRow(policy, drafted),
    adoptions: adopted
      .map(adoptionAnswer)
      .sort((one, other) => (one.configuration_id < other.configuration_id ? -1 : 1)),
    versions: drafted.map(policyVersionRow),
  };
}

export function adoptionAnswer({ configuration_id, policy, version, enforce_bar, adopted_at }: Adoption): Adoption {
  return { configuration_id, policy, version, enforce_bar, adopted_at };
}
