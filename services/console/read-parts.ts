/**
 * Pages of what the API answers whole, and answers within the cost of a page. They are computed in this process by the
 * functions of the query routes, and have the form of their answers.
 */
import type { CivilDay } from '#libs/calendar/civil-day.ts';
import type {
  ClientDues,
  Delinquency,
  DuesPage,
  FacilityDrawn,
  LoanExplanation,
  LoanStatement,
  LookupKeyList,
  PayoffQuote,
  ProvenFact,
  Receipt,
} from '#libs/sdk/src/contract/shapes.ts';
import { BookPreparation } from '#services/query/book-preparation.ts';
import {
  type BoundedRead,
  type ComparedVersions,
  hasClient,
  hasLoan,
  hasReceipt,
  type KnownLoan,
  readLoanOnDay,
  readLoanStatementWithin,
  readNewestQuotes,
  readReceiptWithin,
  versionsCost,
} from '#services/query/bounded-reads.ts';
import type { DuesBounds } from '#services/query/dues.ts';
import { ListPreparation } from '#services/query/list-preparation.ts';
import {
  type EvidenceQuery,
  listEvidence,
  type Part,
  type PartOfList,
  readDuesPart,
  readEvidencePart,
  readFacilityPart,
  readLargeClientDues,
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

/** Of a dated read of a page, in folded steps (`libs/ledger/fold-cost.ts`): about a tenth of a second. */
const maxReadCost = 7_000;
/** Every figure of two versions is compared beside what is folded. */
const maxComparisonCost = 2_500;

export interface LoanOnDay {
  readonly explanation: LoanExplanation;
  readonly delinquency: Delinquency;
}

export interface NewestQuotes {
  readonly quotes: readonly PayoffQuote[];
  readonly hasMore: boolean;
}

/** Whether the person may read the Tenancy is decided before (`access.ts`). */
export interface PartialReads {
  /** Long books that are not in memory are loaded in the background. */
  readonly preparation: Pick<BookPreparation, 'isReady'>;
  /** The same for the books of a list. */
  readonly lists: Pick<ListPreparation, keyof ListPreparation>;
  /** In the order of the Clients, from after one of them. */
  dues(
    tenantId: string,
    query: DuesQuery,
    part: { readonly after: string; readonly bounds: DuesBounds },
  ): Promise<DuesPart>;
  /** Of a Client with very many Loans, a slice of the Loans at a time. */
  largeClientDues(tenantId: string, clientId: string, query: DuesQuery): AsyncIterable<ClientDues>;
  loanOnDay(loan: KnownLoan, on: CivilDay): Promise<BoundedRead<LoanOnDay>>;
  /** It begins on a later day where the days cost too much. */
  loanStatement(
    loan: KnownLoan,
    range: { readonly from: CivilDay; readonly to: CivilDay },
  ): Promise<BoundedRead<LoanStatement>>;
  /** Newest first, of those recorded by the moment of the clocks. */
  newestQuotes(loan: KnownLoan, limit: number): Promise<NewestQuotes>;
  /** Where its allocation costs too much, only what was reported; undefined where there is no such Receipt. */
  receipt(tenantId: string, reference: string): Promise<Receipt | Pick<Receipt, 'receipt'> | undefined>;
  hasClient(tenantId: string, clientId: string): Promise<boolean>;
  hasLoan(tenantId: string, loanId: string): Promise<boolean>;
  hasReceipt(tenantId: string, reference: string): Promise<boolean>;
  isComparable(versions: ComparedVersions, on: CivilDay): Promise<boolean>;
  /** Newest first. */
  facilities(tenantId: string, clientId: string, part: PartOfList): Promise<Part<FacilityDrawn>>;
  /** Of one product, in the order of the keys. */
  lookupKeys(tenantId: string, configurationId: string, part: PartOfList): Promise<Part<LookupKeyRow>>;
  /** Undefined where there is no such Loan or Receipt. */
  evidenceIndex(subject: EvidenceQuery): Promise<EvidenceIndex | undefined>;
  evidence(tenantId: string, facts: EvidenceIndex): Promise<readonly ProvenFact[]>;
}

export function partialReads(context: ReadContext): PartialReads {
  const preparation = new BookPreparation(context);
  return {
    preparation,
    lists: new ListPreparation(context, preparation),
    dues: async (tenantId, query, part) => asAnswered(await readDuesPart(context, tenantId, { query, ...part })),
    async *largeClientDues(tenantId, clientId, query) {
      for await (const dues of readLargeClientDues(context, { tenantId, clientId }, query)) yield asAnswered(dues);
    },
    loanOnDay: async (loan, on) => asAnswered(await readLoanOnDay(context, loan, on, maxReadCost)),
    loanStatement: async (loan, range) => asAnswered(await readLoanStatementWithin(context, loan, range, maxReadCost)),
    newestQuotes: async (loan, limit) => asAnswered(await readNewestQuotes(context, loan, limit)),
    receipt: async (tenantId, reference) => {
      const found = await readReceiptWithin(context, { tenantId, reference }, maxReadCost);
      return found && asAnswered<Receipt | Pick<Receipt, 'receipt'>>(found);
    },
    hasClient: (tenantId, clientId) => hasClient(context, tenantId, clientId),
    hasLoan: (tenantId, loanId) => hasLoan(context, tenantId, loanId),
    hasReceipt: (tenantId, reference) => hasReceipt(context, tenantId, reference),
    isComparable: async (versions, on) => (await versionsCost(context, versions, on)) <= maxComparisonCost,
    facilities: async (tenantId, clientId, part) =>
      asAnswered(await readFacilityPart(context, { tenantId, clientId }, part)),
    lookupKeys: async (tenantId, configurationId, part) =>
      asAnswered(await readLookupKeyPart(context, { tenantId, configurationId }, part)),
    evidenceIndex: (subject) => listEvidence(context, subject),
    evidence: async (tenantId, facts) => asAnswered(await readEvidencePart(context, tenantId, facts)),
  };
}

/** As a caller receives it: amounts are plain numbers. */
function asAnswered<Answer>(value: object | string): Answer {
  return JSON.parse(JSON.stringify(value)) as Answer;
}
