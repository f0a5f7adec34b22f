/** Reads the evidence that a page shows: a few facts, of however many are recorded about the Loan or Receipt. */
import { isUuid } from '#libs/schema/identifiers.ts';
import { isReference } from '#libs/schema/scalars.ts';
import type { ProvenFact } from '#libs/sdk/src/contract/shapes.ts';
import type { EvidenceIndex, PartialReads } from '../read-parts.ts';
import { checkEvidence, type EvidenceReport } from './check-evidence.ts';

export const factsPerPage = 10;

export interface EvidenceName {
  readonly kind: string;
  readonly name: string;
}

export interface EvidenceOnPage {
  readonly facts: readonly ProvenFact[];
  /** From 0. */
  readonly page: number;
  /** Of all facts. */
  readonly total: number;
  readonly report: EvidenceReport;
}

interface Place {
  /** From 1, as the address states it. */
  readonly page: string;
  /** The page with the fact of this event comes first. */
  readonly event: string;
}

export class EvidenceReader {
  readonly #parts: PartialReads;
  readonly #tenantId: string;

  constructor(parts: PartialReads, tenantId: string) {
    this.#parts = parts;
    this.#tenantId = tenantId;
  }

  /** Undefined for another kind than Loans and Receipts, and where there is none of this name. */
  async readPage(of: EvidenceName, place: Place): Promise<EvidenceOnPage | undefined> {
    const index = await this.#index(of);
    if (index === undefined) return undefined;
    const page = pageOf(place, index);
    const start = page * factsPerPage;
    // The fact before the page is read as well: the first one shown has to follow it.
    const from = Math.max(0, start - 1);
    const read = await this.#read(index, index.facts.slice(from, start + factsPerPage));
    const subject = of.kind === 'loans' ? { loan_id: of.name } : { receipt: of.name };
    const report = checkEvidence({ ...subject, client_id: index.clientId, facts: read }, start > 0);
    return { facts: read.slice(start - from), page, total: index.facts.length, report };
  }

  /** The answer of the API with all facts as JSON, in pieces; undefined as for `readPage`. */
  async readAnswer(of: EvidenceName): Promise<AsyncGenerator<string> | undefined> {
    const index = await this.#index(of);
    return index && this.#answerOf(of, index);
  }

  async *#answerOf({ kind, name }: EvidenceName, index: EvidenceIndex): AsyncGenerator<string> {
    const subject = kind === 'loans' ? { loan_id: name } : { receipt: name };
    yield `${JSON.stringify({ ...subject, client_id: index.clientId }).slice(0, -1)},"facts":[`;
    for (let start = 0; start < index.facts.length; start += factsPerPage) {
      const facts = await this.#read(index, index.facts.slice(start, start + factsPerPage));
      yield `${start > 0 ? ',' : ''}${facts.map((fact) => JSON.stringify(fact)).join()}`;
    }
    yield ']}';
  }

  /** The body of the request behind a fact; undefined where the fact is not about the Loan or Receipt. */
  async readBody(of: EvidenceName, sequence: number): Promise<Buffer | undefined> {
    const index = await this.#index(of);
    const listed = index?.facts.filter((fact) => fact.sequence === sequence) ?? [];
    if (index === undefined || listed.length === 0) return undefined;
    const [fact] = await this.#read(index, listed);
    return fact && Buffer.from(fact.submission.body, 'base64');
  }

  async #index({ kind, name }: EvidenceName): Promise<EvidenceIndex | undefined> {
    const tenantId = this.#tenantId;
    if (kind === 'loans' && isUuid(name)) return this.#parts.evidenceIndex({ tenantId, loanId: name });
    return kind === 'receipts' && isReference(name)
      ? this.#parts.evidenceIndex({ tenantId, receipt: name })
      : undefined;
  }

  #read({ clientId }: EvidenceIndex, facts: EvidenceIndex['facts']): Promise<readonly ProvenFact[]> {
    return this.#parts.evidence(this.#tenantId, { clientId, facts });
  }
}

function pageOf({ page, event }: Place, { facts }: EvidenceIndex): number {
  const at = event === '' ? -1 : facts.findIndex(({ eventId }) => eventId === event);
  if (at >= 0) return Math.floor(at / factsPerPage);
  const last = Math.max(0, Math.ceil(facts.length / factsPerPage) - 1);
  const stated = Number(page);
  return Number.isInteger(stated) && stated > 0 ? Math.min(stated - 1, last) : 0;
}
