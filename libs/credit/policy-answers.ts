import type { Adoption, Policies, PolicyVersion } from '#libs/credit/lifecycle.ts';
import type { JsonObject } from '#libs/schema/json.ts';

/** A version as drafting and publication answer it, and as it stands in a list: all but its content. */
export type VersionRow = {
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

export function versionRow({ content: _, publication, ...version }: PolicyVersion): VersionRow {
  if (publication === undefined) return { ...version, published: false };
  return {
    ...version,
    published: true,
    published_by: publication.by,
    published_at: publication.at,
    self_confirmed: publication.selfConfirmed,
  };
}

export function versionAnswer(version: PolicyVersion): VersionRow & { readonly content: JsonObject } {
  return { ...versionRow(version), content: version.content };
}

/** A policy as it stands in a list. */
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
  readonly versions: readonly VersionRow[];
};

/** The products it decides for by identifier, its versions oldest first. */
export function policyAnswer({ versions, adoptions }: Policies, policy: string): PolicyAnswer | undefined {
  const drafted = versions.get(policy);
  if (drafted === undefined) return undefined;
  const adopted = [...adoptions.values()].filter((adoption) => adoption.policy === policy);
  return {
    ...policyRow(policy, drafted),
    adoptions: adopted
      .map(adoptionAnswer)
      .sort((one, other) => (one.configuration_id < other.configuration_id ? -1 : 1)),
    versions: drafted.map(versionRow),
  };
}

export function adoptionAnswer({ configuration_id, policy, version, enforce_bar, adopted_at }: Adoption): Adoption {
  return { configuration_id, policy, version, enforce_bar, adopted_at };
}
