import type { JsonObject } from '#libs/contract/json.ts';
import type { Adoption, Policies, PolicyVersion } from '#libs/credit/lifecycle.ts';

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

export type PolicyAnswer = {
  readonly policy: string;
  readonly latest_version: number;
  readonly versions: readonly VersionRow[];
};

/** Versions oldest first. */
export function policyAnswer(policies: Policies, policy: string): PolicyAnswer | undefined {
  const versions = policies.versions.get(policy);
  return versions && { policy, latest_version: versions.length, versions: versions.map(versionRow) };
}

export function adoptionAnswer({ configuration_id, policy, version, enforce_bar, adopted_at }: Adoption): Adoption {
  return { configuration_id, policy, version, enforce_bar, adopted_at };
}
