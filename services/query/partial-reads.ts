/**
 * Parts of what the contract answers whole: facilities of a Client, lookup keys of a product, evidence; and dues within
 * narrower bounds. The console shows them by pages. Each item is computed by the same function as in the answer of its route.
 */
import type { FacilityUseAnswer } from '#libs/credit/drawdown.ts';
import { RequestTiming } from '#libs/http/timing.ts';
import { duesTotals } from '#libs/ledger/answers/dues.ts';
import { facilityUseIn } from '#libs/ledger/client/facility-drawdown.ts';
import type { JsonObject } from '#libs/schema/json.ts';
import { lookupKeyAnswer, lookupKeysOf } from '#libs/tenant/lookup-keys.ts';
import { type DuesSearch, readDuesBySlice, readDuesPage } from './dues.ts';
import { type ListedFacts, listLoanFacts, listReceiptFacts, readProvenFacts } from './evidence.ts';
import { type BookScope, loadClientBook, loadTenancyBook, type ReadContext } from './read-context.ts';

export interface PartOfList {
  /** The name of the last item before this part; absent for the first part. */
  readonly after: string | undefined;
  readonly limit: number;
}

export interface Part<Item> {
  readonly items: readonly Item[];
  /** The name of the last item, where more follow. */
  readonly next?: string;
}

/** As the route answers dues, but for Clients with more Loans than the bound, which have no figures. */
export async function readDuesPart(context: ReadContext, tenantId: string, search: DuesSearch) {
  const { clients, next } = await readDuesPage(context, scopeOf(tenantId), search);
  return { clients, totals: duesTotals(clients), ...(next === undefined ? {} : { next }) };
}

/** A slice of the Loans at a time. */
export function readLargeClientDues(
  context: ReadContext,
  { tenantId, clientId }: { readonly tenantId: string; readonly clientId: string },
  query: DuesSearch['query'],
) {
  return readDuesBySlice(context, scopeOf(tenantId), clientId, query);
}

/** Newest first; named by their ids. */
export async function readFacilityPart(
  context: ReadContext,
  { tenantId, clientId }: { readonly tenantId: string; readonly clientId: string },
  { after, limit }: PartOfList,
): Promise<Part<FacilityUseAnswer>> {
  const book = await loadClientBook(context, scopeOf(tenantId), clientId);
  const newestFirst = book.credit.facilities.toReversed();
  const start = after === undefined ? 0 : newestFirst.findIndex(({ recorded }) => recorded.id === after) + 1;
  const shown = newestFirst.slice(start, start + limit);
  const last = shown.at(-1);
  const items = shown.length === 0 ? [] : shown.map(facilityUseIn(book));
  return start + limit < newestFirst.length && last !== undefined ? { items, next: last.recorded.id } : { items };
}

/** In the order of the keys. */
export async function readLookupKeyPart(
  context: ReadContext,
  { tenantId, configurationId }: { readonly tenantId: string; readonly configurationId: string },
  { after = '', limit }: PartOfList,
): Promise<Part<JsonObject>> {
  const book = await loadTenancyBook(context, scopeOf(tenantId));
  const following = lookupKeysOf(book.lookupKeys, configurationId).filter(({ lookupKey }) => lookupKey > after);
  const shown = following.slice(0, limit);
  const last = shown.at(-1);
  const items = shown.map((key) => lookupKeyAnswer(key, book, { withVersion: false }));
  return following.length > limit && last !== undefined ? { items, next: last.lookupKey } : { items };
}

export type EvidenceQuery = { readonly tenantId: string } & (
  | { readonly loanId: string }
  | { readonly receipt: string }
);

/** The facts without their evidence, from memory; undefined where there is no such Loan or Receipt. */
export function listEvidence(context: ReadContext, subject: EvidenceQuery): Promise<ListedFacts | undefined> {
  const scope = scopeOf(subject.tenantId);
  return 'loanId' in subject
    ? listLoanFacts(context, scope, subject.loanId)
    : listReceiptFacts(context, scope, subject.receipt);
}

export function readEvidencePart(context: ReadContext, tenantId: string, listed: ListedFacts) {
  return readProvenFacts(context, scopeOf(tenantId), listed);
}

function scopeOf(tenantId: string): BookScope {
  return { tenancy: { id: tenantId }, timing: new RequestTiming() };
}
