/**
 * Pages of what the API answers whole. They are computed in this process by the functions of the query routes, and have
 * the form of their answers.
 */
import type { ClientDues, DuesPage, FacilityDrawn, LookupKeyList, ProvenFact } from '#libs/sdk/src/contract/shapes.ts';
import type { DuesBounds } from '#services/query/dues.ts';
import {
  type EvidenceSubject,
  listEvidence,
  type Part,
  type PartOfList,
  readDuesPart,
  readEvidencePart,
  readFacilityPart,
  readLookupKeyPart,
} from '#services/query/partial-reads.ts';
import type { ReadContext } from '#services/query/read-context.ts';

export type LookupKeyRow = LookupKeyList['lookup_keys'][number];

export type EvidenceIndex = NonNullable<Awaited<ReturnType<typeof listEvidence>>>;

/** As the parameters of `readDues`. */
export interface DuesQuery {
  readonly on: string;
  readonly only?: 'late';
  readonly min_days_past_due?: number;
}

export interface DuesPart extends Pick<DuesPage, 'totals'> {
  /** `isLarge`: it has more Loans than are computed, and therefore no figures. */
  readonly clients: readonly (ClientDues & { readonly isLarge?: true })[];
  /** The id of a Client, where more follow. */
  readonly next?: string;
}

/** Whether the person may read the Tenancy is decided before (`access.ts`). */
export interface PartialReads {
  /** In the order of the Clients, from after one of them. */
  dues(
    tenantId: string,
    query: DuesQuery,
    part: { readonly after: string; readonly bounds: DuesBounds },
  ): Promise<DuesPart>;
  /** Newest first. */
  facilities(tenantId: string, clientId: string, part: PartOfList): Promise<Part<FacilityDrawn>>;
  /** Of one product, in the order of the keys. */
  lookupKeys(tenantId: string, configurationId: string, part: PartOfList): Promise<Part<LookupKeyRow>>;
  /** Undefined where there is no such Loan or Receipt. */
  evidenceIndex(subject: EvidenceSubject): Promise<EvidenceIndex | undefined>;
  evidence(tenantId: string, facts: EvidenceIndex): Promise<readonly ProvenFact[]>;
}

export function partialReads(context: ReadContext): PartialReads {
  return {
    dues: async (tenantId, query, part) => asAnswered(await readDuesPart(context, tenantId, { query, ...part })),
    facilities: async (tenantId, clientId, part) =>
      asAnswered(await readFacilityPart(context, { tenantId, clientId }, part)),
    lookupKeys: async (tenantId, configurationId, part) =>
      asAnswered(await readLookupKeyPart(context, { tenantId, configurationId }, part)),
    evidenceIndex: (subject) => listEvidence(context, subject),
    evidence: async (tenantId, facts) => asAnswered(await readEvidencePart(context, tenantId, facts)),
  };
}

/** As a caller receives it: amounts are plain numbers. */
function asAnswered<Answer>(value: object): Answer {
  return JSON.parse(JSON.stringify(value)) as Answer;
}
