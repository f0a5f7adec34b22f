/**
 * Pages of what the API answers whole. They are computed in this process by the functions of the query routes, and have
 * the form of their answers.
 */
import type { FacilityDrawn, LookupKeyList, ProvenFact } from '#libs/sdk/src/contract/shapes.ts';
import {
  type EvidenceSubject,
  listEvidence,
  type Part,
  type PartOfList,
  readEvidencePart,
  readFacilityPart,
  readLookupKeyPart,
} from '#services/query/partial-reads.ts';
import type { ReadContext } from '#services/query/read-context.ts';

export type LookupKeyRow = LookupKeyList['lookup_keys'][number];

export type EvidenceIndex = NonNullable<Awaited<ReturnType<typeof listEvidence>>>;

/** Whether the person may read the Tenancy is decided before (`access.ts`). */
export interface PartialReads {
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
