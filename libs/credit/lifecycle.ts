import { type CheckedPolicy, checkPolicy, policyOf, rateWithoutDecimal } from '#libs/credit/check-policy.ts';
import type { RuleResult } from '#libs/credit/rule-results.ts';
import { canonicalJson } from '#libs/schema/canonical-json.ts';
import type { JsonObject } from '#libs/schema/json.ts';
import { isRefusal, type Refusal, refuse } from '#libs/schema/refusals.ts';

/** Facts of the Tenancy's own book. A drafted content never changes; correcting it is drafting another version. */
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
  /** The one who drafted it published it too. */
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

/** A Tenancy's policies by name, their versions from 1; and which of them decides for each configuration. */
export type Policies = {
  readonly versions: ReadonlyMap<string, readonly PolicyVersion[]>;
  readonly adoptions: ReadonlyMap<string, Adoption>;
};

export const noPolicies: Policies = { versions: new Map(), adoptions: new Map() };

/** The text whose SHA-256 is the digest of a content: the same content has the same one, whatever its member order. */
export function digestedText(content: JsonObject): string {
  return canonicalJson(content);
}

/** What `validate` says. Nothing is recorded, and nothing it passes would be refused at drafting or publication. */
export function validatePolicy(content: JsonObject): readonly RuleResult[] | Refusal {
  const checked: CheckedPolicy | Refusal = checkPolicy(content);
  if (isRefusal(checked)) return checked;
  return rateWithoutDecimal(checked.policy) ?? checked.findings;
}

type Draft = {
  readonly policy: string;
  readonly content: JsonObject;
  readonly digest: string;
  readonly actor: string;
};

export function draftPolicy(policies: Policies, { policy, content, digest, actor }: Draft): PolicyDrafted | Refusal {
  const checked = checkPolicy(content);
  if (isRefusal(checked)) return checked;
  const version = (policies.versions.get(policy)?.length ?? 0) + 1;
  return { kind: 'policy_drafted', policy, version, digest, content, drafted_by: actor };
}

type Publication = { readonly policy: string; readonly version: number; readonly actor: string };

export function publishPolicy(policies: Policies, publication: Publication): PolicyPublished | Refusal {
  const { policy, version, actor } = publication;
  const drafted = versionOf(policies, policy, version);
  if (drafted === undefined) return refuse('not_found');
  if (drafted.publication !== undefined) {
    return refuse('already_published', { recorded_id: policy, recorded_value: version });
  }
  const without = rateWithoutDecimal(policyOf(drafted.content));
  if (without !== undefined) return without;
  const selfConfirmed = drafted.drafted_by === actor;
  return { kind: 'policy_published', policy, version, published_by: actor, self_confirmed: selfConfirmed };
}

type Adopting = {
  readonly configurationId: string;
  readonly configurationExists: boolean;
  readonly policy: string;
  readonly version: number;
  readonly enforceBar: boolean;
  readonly actor: string;
};

/** Holds for every version of the configuration from the next decision on. */
export function adoptPolicy(policies: Policies, adopting: Adopting): PolicyAdopted | Refusal {
  const { configurationId, configurationExists, policy, version, enforceBar, actor } = adopting;
  if (!configurationExists) return refuse('no_configuration', { observed: configurationId });
  if (versionOf(policies, policy, version)?.publication === undefined) {
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

export function versionOf(policies: Policies, policy: string, version: number): PolicyVersion | undefined {
  return policies.versions.get(policy)?.[version - 1];
}

export type DecidingVersion = {
  readonly version: PolicyVersion;
  readonly binding: boolean;
  readonly enforceBar: boolean;
};

type Asked = {
  readonly configuration_id: string;
  readonly policy?: string | undefined;
  readonly policy_version?: number | undefined;
};

/** The adopted version, which binds; or the one stated, a draft too, on trial: even where it is the adopted one. */
export function decidingVersion(policies: Policies, asked: Asked): DecidingVersion | Refusal {
  const { policy, policy_version: number } = asked;
  if (policy === undefined && number === undefined) return adoptedVersion(policies, asked.configuration_id);
  if (policy === undefined) return refuse('missing_field', { field: '/policy' });
  if (number === undefined) return refuse('missing_field', { field: '/policy_version' });
  const version = versionOf(policies, policy, number);
  if (version !== undefined) return { version, binding: false, enforceBar: false };
  return refuse('no_policy', { field: '/policy_version', observed: `${policy} ${number}` });
}

function adoptedVersion(policies: Policies, configurationId: string): DecidingVersion | Refusal {
  const adoption = policies.adoptions.get(configurationId);
  const version = adoption && versionOf(policies, adoption.policy, adoption.version);
  if (adoption === undefined || version === undefined) {
    return refuse('no_policy', { field: '/configuration_id', observed: configurationId });
  }
  return { version, binding: true, enforceBar: adoption.enforce_bar };
}
